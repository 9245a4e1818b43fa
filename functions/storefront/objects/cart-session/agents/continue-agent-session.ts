import { agentSessionExpiresAt } from "../../../../../shared/agents/index.ts";
import { itemCount } from "../../../../../shared/cart/index.ts";
import type { ContinuedSession } from "../../../../runtime/objects/agent-session-object.ts";
import { runtime } from "../../../../runtime/runtime.ts";
import type { Session } from "../session.ts";
import { findOrderedCheckout } from "./agent-order.ts";
import { isClosed } from "./agent-record.ts";

/**
 * What the buyer's browser needs to go on with an agent's cart; null for a session of a shopper or
 * of another business. Reads only the object.
 */
export function continueAgentSession(
  { storage, login }: Session,
  business: Readonly<{ id: string }>,
): ContinuedSession | null {
  const record = storage.agents.find();
  if (record === null || record.businessId !== business.id) return null;
  const ordered = findOrderedCheckout({ storage }, record);
  const { buyer, fulfilment } = record.request;
  return {
    stage: record.stage,
    generation: login.generation(),
    ownedSince: login.ownedSince(),
    state: ordered ? "completed" : isClosed(record, runtime.now()) ? "canceled" : "open",
    itemCount: itemCount(storage.carts.get()),
    buyer,
    fulfilment,
    order: ordered && {
      id: ordered.checkout.plan.orderId,
      billToken: ordered.checkout.plan.billToken,
    },
    expiresAt: agentSessionExpiresAt(record),
  };
}
