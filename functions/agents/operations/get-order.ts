import { loginRepo } from "../../../shared/customers/index.ts";
import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { type AgentOrderDetails, findOrdersForAgents } from "../../../shared/orders/index.ts";
import { createAgentOrderUrl } from "../../runtime/order-links.ts";
import { runtime } from "../../runtime/runtime.ts";
import { viewAgentOrder } from "../../wire/views/agent-order.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { requireScope } from "../oauth/linked-buyer.ts";
import { errorAnswer } from "../views/error-answer.ts";

/** What a buyer allows a platform that may read all of the buyer's orders. */
const readScope = "dev.ucp.shopping.order:read";

/**
 * Reads an order: one that the platform's agent placed, when the platform signed the request, or one
 * of the linked buyer (docs/agents.md#orders). For others it does not exist.
 *
 * @throws ProtocolError insufficient_scope for a buyer who does not let the platform read orders.
 */
export async function getOrder(
  call: AgentCall,
  { id }: Readonly<{ id: string | null }>,
): Promise<AgentAnswer> {
  const { address, buyer, isSigned, release, settings } = call;
  if (!isSigned && buyer !== null) requireScope(call, buyer, readScope);
  const reader = openReader(call);
  // A caller without any proof reads nothing, so nothing is looked up for it.
  const hasProof = isSigned || buyer !== null;
  const [found] = id === null || !hasProof ? [] : await findOrdersForAgents(reader, [id]);
  if (!found || !(await mayRead(call, found, reader))) return orderNotFound(call);
  const permalinkUrl = await createAgentOrderUrl(settings, {
    ...{ businessId: call.business.id, orderId: found.details.order.id, now: runtime.now() },
    businessAddress: address,
  });
  return { status: 200, body: viewAgentOrder(found, { release, permalinkUrl }) };
}

const openReader = ({ business, http, meter, settings }: AgentCall) => ({
  db: openDb(shopOf(shardsOf(http.env, settings.shopShards), business), meter),
  business,
});

async function mayRead(
  { platform, isSigned, buyer }: AgentCall,
  { agent, details }: AgentOrderDetails,
  reader: ReturnType<typeof openReader>,
): Promise<boolean> {
  if (isSigned && agent?.profileUrl === platform.profileUrl) return true;
  if (buyer === null || !buyer.scopes.includes(readScope)) return false;
  const { customerId, linkedAt: loggedInAt } = buyer;
  if (details.order.customerId !== customerId) return false;
  // What ends the customer's logins, such as an erasure, also ends what they allowed before.
  return (await loginRepo(reader).find({ customerId, loggedInAt })) !== null;
}

const orderNotFound = (call: AgentCall): AgentAnswer =>
  errorAnswer(call, "dev.ucp.shopping.order", { code: "not_found", content: "Order not found." });
