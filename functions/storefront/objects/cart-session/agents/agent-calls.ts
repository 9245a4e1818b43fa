import {
  type AgentSession,
  type AgentStage,
  choicesOf,
  priceAgentRequest,
} from "../../../../../shared/agents/index.ts";
import type { Cart } from "../../../../../shared/cart/index.ts";
import { conflict, notFound, ruleViolation } from "../../../../../shared/kernel/index.ts";
import type {
  AgentObjectCall,
  ReplaceAgentCart,
} from "../../../../runtime/objects/agent-session-object.ts";
import { captureOutcome, type Reply } from "../../../../runtime/objects/calls.ts";
import { runtime } from "../../../../runtime/runtime.ts";
import type { Session, SessionContext } from "../session.ts";
import { checkoutInProgress } from "../session-checkouts.ts";
import { reopeningInProgress } from "../session-reopening.ts";
import { type AgentRecord, isClosed } from "./agent-record.ts";
import { viewAgentSession } from "./agent-session-view.ts";
import { assertOpen, refreshOwnSession } from "./own-session.ts";
import { withReplaceableOrders } from "./replaceable-orders.ts";
import { openCall, writeForAgent } from "./write-for-agent.ts";

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
      addresses: call.addresses,
      login: call.buyer ?? before?.login ?? null,
      stage: before?.stage ?? stage,
      cartId: cart.id,
      request,
      priced,
      choices: choicesOf(cart),
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
      const own = await refreshOwnSession(ctx, session, call, stage);
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
    const { record, order } = await refreshOwnSession(ctx, session, call, "cart");
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
  const own = await refreshOwnSession(ctx, session, call, stage);
  assertOpen(ctx, own, stage);
  return own.record;
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
