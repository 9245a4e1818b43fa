import {
  type AgentProblem,
  type AgentSession,
  agentSessionExpiresAt,
  agentStatusOf,
  buyerAction,
  contactProblem,
  fulfilmentOfCart,
  noLines,
  orderedSession,
} from "../../../../../shared/agents/index.ts";
import { cartPrice } from "../../../../../shared/cart/index.ts";
import type { Session, SessionContext } from "../session.ts";
import type { AgentOrderState } from "./agent-order.ts";
import { type AgentRecord, isClosed } from "./agent-record.ts";

/** The session as its agent sees it. `sessionId` is the object's name. */
export function viewAgentSession(
  ctx: Pick<SessionContext, "business" | "now">,
  { storage, checkouts }: Pick<Session, "storage" | "checkouts">,
  { sessionId, record, order }: ViewedRecord,
): AgentSession {
  const { stage, platform, request, priced, createdAt } = record;
  const cart = storage.carts.get();
  const contents = order
    ? orderedSession(order.checkout)
    : { cart, price: cartPrice(cart, ctx.business.settings.tax), coupons: priced.coupons };
  const problems = order ? orderProblems(order) : ownProblems(ctx, record, cart.lines.length);
  const status = agentStatusOf({
    order: order === null || order.progress === "failed" ? null : order.progress,
    isRunning: order === null && checkouts.isRunning(),
    isClosed: isClosed(record, ctx.now()),
    problems,
  });
  const { needsHandover, deliveryOptions } = priced;
  const offered = { needsHandover, deliveryOptions };
  return {
    ...{ sessionId, stage, status, platform },
    ...contents,
    buyer: request.buyer,
    ...(order
      ? orderedFulfilment(record, contents)
      : { fulfilment: request.fulfilment, ...offered }),
    problems,
    createdAt,
    expiresAt: agentSessionExpiresAt(record),
    order: order && toAgentOrder(order),
  };
}

/** How the order is delivered, which the buyer may have chosen without the agent. */
function orderedFulfilment(
  { request, priced }: AgentRecord,
  { cart }: Pick<AgentSession, "cart">,
): Pick<AgentSession, "fulfilment" | "needsHandover" | "deliveryOptions"> {
  const { delivery } = cart;
  return {
    fulfilment: fulfilmentOfCart(cart, request.fulfilment),
    needsHandover: delivery !== null || priced.needsHandover,
    deliveryOptions: priced.deliveryOptions.filter(({ id }) => id === delivery?.optionId),
  };
}

type ViewedRecord = Readonly<{
  sessionId: string;
  record: AgentRecord;
  order: AgentOrderState | null;
}>;

/** A cart needs no contact and no delivery: these belong to its checkout. */
function ownProblems(
  { business }: Pick<SessionContext, "business">,
  { stage, request, priced, completionProblems }: AgentRecord,
  lineCount: number,
): readonly AgentProblem[] {
  const { problems } = priced;
  if (stage === "cart") return problems.filter(({ subject }) => subject.part !== "fulfilment");
  const missing = [
    lineCount === 0 ? noLines : null,
    contactProblem(request.buyer, business),
  ].filter((problem) => problem !== null);
  return [...missing, ...problems, ...completionProblems];
}

function orderProblems({ progress, nextAction }: AgentOrderState): readonly AgentProblem[] {
  if (progress !== "needs_buyer") return [];
  const message =
    nextAction.type === "authorization"
      ? nextAction.displayText
      : "The payment has to be confirmed on the payment provider's page.";
  return [buyerAction(message)];
}

const toAgentOrder = ({ checkout, paymentStatus, nextAction }: AgentOrderState) => ({
  id: checkout.plan.orderId,
  number: "orderNumber" in checkout ? checkout.orderNumber : "",
  billToken: checkout.plan.billToken,
  paymentStatus,
  nextAction,
});
