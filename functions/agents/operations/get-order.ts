import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { type AgentOrderDetails, findOrdersForAgents } from "../../../shared/orders/index.ts";
import { createAgentOrderUrl } from "../../runtime/order-links.ts";
import { runtime } from "../../runtime/runtime.ts";
import { viewAgentOrder } from "../../wire/views/agent-order.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import type { AgentInput } from "./agent-operation.ts";

const capability = "dev.ucp.shopping.order";
/** What a buyer allows a platform that may read all of the buyer's orders. */
const readScope = "dev.ucp.shopping.order:read";

/**
 * Reads an order: one that the platform's agent placed, when the platform signed the request, or one
 * of the linked buyer (docs/agents.md#orders). For others it does not exist.
 */
export async function getOrder(call: AgentCall, { id }: AgentInput): Promise<AgentAnswer> {
  const { business, address, release, settings } = call;
  const found = id === null || !mayReadOrders(call) ? null : await findOrder(call, id);
  if (found === null || !mayRead(call, found)) return orderNotFound(call);
  const permalinkUrl = await createAgentOrderUrl(settings, {
    ...{ businessId: business.id, orderId: found.details.order.id, now: runtime.now() },
    businessAddress: address,
  });
  return { status: 200, body: viewAgentOrder(found, { release, permalinkUrl }) };
}

/** A caller without any proof reads nothing, so nothing is looked up for it. */
const mayReadOrders = ({ isSigned, buyer }: AgentCall): boolean => isSigned || buyer !== null;

function mayRead(
  { platform, isSigned, buyer }: AgentCall,
  { agent, details }: AgentOrderDetails,
): boolean {
  const isOwnOrder = agent !== null && agent.profileUrl === platform.profileUrl;
  const isBuyersOrder = buyer !== null && details.order.customerId === buyer.customerId;
  return (
    (isSigned && isOwnOrder) || (isBuyersOrder && (buyer?.scopes.includes(readScope) ?? false))
  );
}

async function findOrder(
  { business, http, meter, settings }: AgentCall,
  id: string,
): Promise<AgentOrderDetails | null> {
  const db = openDb(shopOf(shardsOf(http.env, settings.shopShards), business), meter);
  const [found = null] = await findOrdersForAgents({ db, business }, [id]);
  return found;
}

const orderNotFound = ({ release }: AgentCall): AgentAnswer => ({
  status: 200,
  body: {
    ucp: {
      version: release,
      status: "error",
      capabilities: { [capability]: [{ version: release }] },
    },
    messages: [
      {
        type: "error",
        code: "not_found",
        severity: "unrecoverable",
        content: "Order not found.",
      },
    ],
  },
});
