import { agentCheckoutId } from "../../../../../shared/agents/index.ts";
import type { OrderAgent } from "../../../../../shared/orders/index.ts";
import type { AgentRecordRepo } from "./agent-record.ts";

type OrderedCart = Readonly<{ businessId: string; cartId: string; sessionId: string }>;

/**
 * The agent that prepared a cart, for the order that its buyer places in the shop, so that the
 * platform can read the order and receives its events. Null for any other cart.
 */
export function findPreparingAgent(
  { agents }: Readonly<{ agents: AgentRecordRepo }>,
  { businessId, cartId, sessionId }: OrderedCart,
): OrderAgent | null {
  const record = agents.find();
  if (record?.businessId !== businessId || record.cartId !== cartId) return null;
  if (record.addresses === undefined) return null;
  return { checkoutId: agentCheckoutId(sessionId), ...record.platform, ...record.addresses };
}
