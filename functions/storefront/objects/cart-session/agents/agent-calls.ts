import {
  type AgentSession,
  type AgentStage,
  paymentFailed,
  priceAgentRequest,
} from "../../../../../shared/agents/index.ts";
import type { Cart } from "../../../../../shared/cart/index.ts";
import { createMeter } from "../../../../../shared/database/index.ts";
import { conflict, notFound, ruleViolation } from "../../../../../shared/kernel/index.ts";
import type {
  AgentObjectCall,
  ReplaceAgentCart,
} from "../../../../runtime/objects/agent-session-object.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../../runtime/objects/calls.ts";
import { isFinal } from "../../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../../runtime/runtime.ts";
import type { Session, SessionContext } from "../session.ts";
import { checkoutInProgress } from "../session-checkouts.ts";
import { reopeningInProgress } from "../session-reopening.ts";
import { type AgentOrderState, findOrderedCheckout, loadOrderState } from "./agent-order.ts";
import { type AgentRecord, agentActor, isClosed } from "./agent-record.ts";
import { viewAgentSession } from "./agent-session-view.ts";

/** A session of the calling platform, and the order that it became; null while there is none. */
export type OwnSession = Readonly<{ record: AgentRecord; order: AgentOrderState | null }>;

/**
 * Creates a session, or replaces its whole record in one write of the cart.
 *
 * @throws Refusal as `AgentSessionInputs` describes.
 */
export const replaceAgentCart = (
  session: Session,
  call: AgentObjectCall,
  input: ReplaceAgentCart,
): Promise<Reply<AgentSession>> =>
  writeForAgent(session, call, async (ctx, sessionId) => {
    const before = await recordToReplace(ctx, session, call, input);
    assertCartFree(session);
    const { stage, request: sent } = input;
    const isOfCart = before?.stage === "checkout" && stage === "cart";
    const request = isOfCart
      ? {
          ...sent,
          fulfilment: before.request.fulfilment,
          buyer: sent.buyer ?? before.request.buyer,
        }
      : sent;
    const { cart, ...priced } = await priceAgentRequest(
      withReplaceableOrders(ctx, session, call),
      session.storage.carts.get(),
      request,
    );
    if (before === null) assertAnyLine(cart, sent.lines.length, priced.problems);
    const now = ctx.now();
    const record: AgentRecord = {
      businessId: call.business.id,
      platform: before?.platform ?? call.platform,
      login: call.buyer ?? before?.login ?? null,
      stage: before?.stage ?? stage,
      cartId: cart.id,
      request,
      priced,
      completionProblems: [],
      revision: ctx.newId("ci"),
      unpaidOrderIds: before?.unpaidOrderIds ?? [],
      sold: null,
      createdAt: before?.createdAt ?? now,
      changedAt: now,
      canceledAt: null,
    };
    return {
      record,
      cart,
      view: () => viewAgentSession(ctx, session, { sessionId, record, order: null }),
    };
  });

/** Reads a session. A payment that failed meanwhile gives the cart back to it. */
export async function getAgentSession(
  session: Session,
  call: AgentObjectCall,
  { stage }: Readonly<{ stage: AgentStage }>,
): Promise<Reply<AgentSession>> {
  session.storage.markUsed(runtime.now());
  const { ctx, meter, sessionId } = openCall(session, call);
  // After earlier writes, because a cart may be given back.
  const outcome = await session.queue(() =>
    captureOutcome(async () => {
      const own = await requireCurrent(ctx, session, call, stage);
      const isOver = own.order !== null || isClosed(own.record, ctx.now());
      if (stage === "cart" && isOver) throw notFound("cart");
      return viewAgentSession(ctx, session, { sessionId, ...own });
    }),
  );
  return { outcome, isReplay: false, d1: meter.d1 };
}

/** Turns a cart into a checkout. A repeat responds with the same checkout. */
export const startAgentCheckout = (
  session: Session,
  call: AgentObjectCall,
): Promise<Reply<AgentSession>> =>
  writeForAgent(session, call, async (ctx, sessionId) => {
    const { record, order } = await requireCurrent(ctx, session, call, "cart");
    if (order === null && isClosed(record, ctx.now())) throw notFound("cart");
    const isStarted = record.stage === "checkout";
    const started: AgentRecord = isStarted
      ? record
      : { ...record, stage: "checkout", revision: ctx.newId("ci"), changedAt: ctx.now() };
    return {
      ...{ record: started, cart: null },
      view: () => viewAgentSession(ctx, session, { sessionId, record: started, order }),
    };
  });

/** The context of an agent's call, and the object's name. */
export function openCall(session: Session, call: AgentObjectCall) {
  const meter = createMeter();
  const sessionId = session.id();
  const own = session.storage.agents.find();
  const actor = agentActor(
    { platform: call.platform, login: call.buyer ?? own?.login ?? null },
    sessionId,
  );
  return { ctx: session.createContext({ ...call, meter, actor }), meter, sessionId, actor };
}

/**
 * The record that a write replaces; null for a new session.
 *
 * @throws Refusal CONFLICT when a key that was used long ago would create the session again,
 * NOT_FOUND, AGENT_SESSION_CLOSED.
 */
async function recordToReplace(
  ctx: SessionContext,
  session: Session,
  call: AgentObjectCall,
  { mode, stage }: ReplaceAgentCart,
): Promise<AgentRecord | null> {
  if (mode === "create") {
    if (!session.storage.exists()) return null;
    throw conflict("This Idempotency-Key was used before; use a new key.");
  }
  const own = await requireCurrent(ctx, session, call, stage);
  assertOpen(ctx, own, stage);
  return own.record;
}

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
 * The platform's own session with its order. When the payer did not pay the order, the session gets
 * its cart back, so that it can be completed again.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function requireCurrent(
  ctx: SessionContext,
  session: Session,
  call: AgentObjectCall,
  stage: AgentStage,
): Promise<OwnSession> {
  const record = requireOwnRecord(session, call, stage);
  const ordered = findOrderedCheckout(session, record);
  if (ordered === null) return { record: followCart(session, record), order: null };
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

/** A checkout that was given up leaves its lines in a cart with another id. */
function followCart(session: Session, record: AgentRecord): AgentRecord {
  const { id, lines } = session.storage.carts.get();
  if (id === record.cartId || lines.length === 0) return record;
  return saveRecord(session, { ...record, cartId: id });
}

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

function assertCartFree(session: Session): void {
  if (session.checkouts.isRunning() || session.isEndingForAgent()) throw checkoutInProgress();
  if (session.storage.isReopening()) throw reopeningInProgress();
}

/** @throws Refusal OUT_OF_STOCK or ITEM_UNAVAILABLE when nothing that was asked for can be bought. */
function assertAnyLine(cart: Cart, requested: number, problems: AgentSession["problems"]): void {
  if (cart.lines.length > 0 || requested === 0) return;
  const [problem] = problems;
  throw ruleViolation("ITEM_UNAVAILABLE", problem?.message ?? "None of the items can be bought.");
}

const withReplaceableOrders = (ctx: SessionContext, session: Session, call: AgentObjectCall) => ({
  ...ctx,
  ...session.checkouts.replaceableOrders(() =>
    session.createCheckoutContext({ ...call, meter: ctx.meter, actor: ctx.actor }),
  ),
});

type AgentWrite = Readonly<{
  record: AgentRecord;
  /** Null when the cart stays as it is. */
  cart: Cart | null;
  /** Builds the response once the change is stored. */
  view: () => AgentSession;
}>;

/** Runs a write after the earlier ones, and stores it together with its response. */
function writeForAgent(
  session: Session,
  call: AgentObjectCall,
  write: (ctx: SessionContext, sessionId: string) => Promise<AgentWrite>,
): Promise<Reply<AgentSession>> {
  return session.queue(async () => {
    session.storage.markUsed(runtime.now());
    const stored = await captureOutcome(async () => findStored(session, call));
    if (!stored.ok) return { outcome: stored, isReplay: false, d1: 0 };
    if (stored.value) return { outcome: stored.value, isReplay: true, d1: 0 };
    const { ctx, meter, sessionId } = openCall(session, call);
    const outcome = await captureOutcome(async () => {
      const { record, cart, view } = await write(ctx, sessionId);
      let response: AgentSession | undefined;
      session.storage.write((now) => {
        if (cart) session.storage.carts.save(cart);
        session.storage.agents.save(record);
        response = view();
        saveResponse(session, call, { ok: true, value: response }, now);
      });
      if (!response) throw new Error("A write of an agent has no response.");
      return response;
    });
    if (!outcome.ok) storeRefusal(session, call, outcome);
    return { outcome, isReplay: false, d1: meter.d1 };
  });
}

export const findStored = (
  { storage }: Session,
  { idempotent }: AgentObjectCall,
): Outcome<AgentSession> | null =>
  idempotent && storage.responses.find<AgentSession>(idempotent, runtime.now());

export function saveResponse(
  { storage }: Session,
  { idempotent }: AgentObjectCall,
  outcome: Outcome<AgentSession>,
  now: number,
): void {
  if (idempotent) storage.responses.save(idempotent, outcome, now);
}

export function storeRefusal(
  session: Session,
  call: AgentObjectCall,
  outcome: Outcome<AgentSession>,
): void {
  if (call.idempotent === null || !isFinal(outcome)) return;
  session.storage.write((now) => saveResponse(session, call, outcome, now));
  session.storage.expireIfEmpty();
}
