import {
  type AgentStage,
  choicesOf,
  followCart,
  paymentFailed,
  priceAgentRequest,
} from "../../../../../shared/agents/index.ts";
import { notFound, ruleViolation } from "../../../../../shared/kernel/index.ts";
import type { AgentObjectCall } from "../../../../runtime/objects/agent-session-object.ts";
import type { Session, SessionContext } from "../session.ts";
import { type AgentOrderState, findOrderedCheckout, loadOrderState } from "./agent-order.ts";
import { type AgentRecord, isClosed } from "./agent-record.ts";
import { withReplaceableOrders } from "./replaceable-orders.ts";

/** A session of the calling platform, and the order that it became; null while there is none. */
export type OwnSession = Readonly<{ record: AgentRecord; order: AgentOrderState | null }>;

/** @throws Refusal NOT_FOUND for a cart that is over, AGENT_SESSION_CLOSED for a checkout. */
export function assertOpen(
  ctx: Pick<SessionContext, "now">,
  { record, order }: OwnSession,
  stage: AgentStage,
): void {
  if (order === null && !isClosed(record, ctx.now())) return;
  if (stage === "cart") throw notFound("cart");
  throw ruleViolation(
    "AGENT_SESSION_CLOSED",
    order === null
      ? "The checkout is canceled. Create another one."
      : "The checkout has an order and cannot be changed.",
  );
}

/**
 * Finds the platform's own session, and stores what has happened since the agent's last call: lines
 * that remained, changes of the buyer, a sale, or an order that was not paid, whose cart the session
 * gets back so that it can be completed again.
 *
 * @throws Refusal NOT_FOUND, and those of pricing a cart.
 */
export async function refreshOwnSession(
  ctx: SessionContext,
  session: Session,
  call: AgentObjectCall,
  stage: AgentStage,
): Promise<OwnSession> {
  const record = requireOwnRecord(session, call, stage);
  const ordered = findOrderedCheckout(session, record);
  if (ordered === null) {
    const current = takeRemainingCart(session, record);
    return { record: await followBuyer(ctx, session, call, current), order: null };
  }
  const order = await loadOrderState(ctx, record, ordered);
  if (order.progress === "sold") return { record: rememberSale(session, record, order), order };
  if (order.progress !== "failed") return { record, order };
  return { record: await restoreUnpaid(ctx, session, record, order), order: null };
}

/** @throws Refusal NOT_FOUND for a session of another platform, business or stage, or a shopper's. */
function requireOwnRecord(
  session: Session,
  { business, platform }: AgentObjectCall,
  stage: AgentStage,
): AgentRecord {
  const record = session.storage.agents.find();
  const isOwn =
    record !== null &&
    record.businessId === business.id &&
    record.platform.profileUrl === platform.profileUrl &&
    (stage === "cart" || record.stage === "checkout");
  if (!isOwn) throw notFound(stage);
  return record;
}

/** Takes over the lines of a checkout that was given up, which are in a cart with another id. */
function takeRemainingCart(session: Session, record: AgentRecord): AgentRecord {
  const { id, lines } = session.storage.carts.get();
  if (id === record.cartId || lines.length === 0) return record;
  return saveRecord(session, { ...record, cartId: id });
}

/**
 * Takes over what the buyer has changed in the shop, so that problems and delivery options are those
 * of the cart that the agent is shown. Reads no database while the cart is as the agent left it.
 */
async function followBuyer(
  ctx: SessionContext,
  session: Session,
  call: AgentObjectCall,
  record: AgentRecord,
): Promise<AgentRecord> {
  const cart = session.storage.carts.get();
  const choices = choicesOf(cart);
  const isUnchanged = record.choices === undefined || record.choices === choices;
  if (isUnchanged || cart.id !== record.cartId || session.checkouts.isRunning()) return record;
  const followed = await followCart(withReplaceableOrders(ctx, session, call), cart, record);
  // The cart changed while it was priced. The next call follows it.
  if (session.storage.carts.get() !== cart) return { ...record, ...followed };
  return saveRecord(session, {
    ...record,
    ...followed,
    ...{ choices, completionProblems: [], revision: ctx.newId("ci") },
  });
}

/** Stores that the order was sold, so that later calls need not read it. */
function rememberSale(
  session: Session,
  record: AgentRecord,
  { checkout, paymentStatus }: AgentOrderState,
): AgentRecord {
  const { orderId } = checkout.plan;
  if (record.sold?.orderId === orderId) return record;
  return saveRecord(session, { ...record, sold: { orderId, paymentStatus } });
}

function saveRecord(session: Session, record: AgentRecord): AgentRecord {
  session.storage.write(() => session.storage.agents.save(record));
  return record;
}

/**
 * Gives the cart of an unpaid order back to its session under the same id, so that the next
 * completion replaces the order.
 */
async function restoreUnpaid(
  ctx: SessionContext,
  session: Session,
  record: AgentRecord,
  { checkout }: AgentOrderState,
): Promise<AgentRecord> {
  const current = session.storage.carts.get();
  const unpaidOrderIds = [...record.unpaidOrderIds, checkout.plan.orderId];
  if (current.lines.length > 0) return { ...record, unpaidOrderIds }; // the buyer has gone on
  const { cart, ...priced } = await priceAgentRequest(
    ctx,
    { ...current, id: record.cartId },
    record.request,
  );
  const restored: AgentRecord = {
    ...record,
    priced,
    choices: choicesOf(cart),
    unpaidOrderIds,
    completionProblems: [
      paymentFailed("The payment was not made. Complete again, or pay another way."),
    ],
    revision: ctx.newId("ci"),
    changedAt: ctx.now(),
  };
  session.storage.write(() => {
    session.storage.carts.save(cart);
    session.storage.agents.save(restored);
  });
  return restored;
}
