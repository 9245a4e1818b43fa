import {
  type AgentPayment,
  type AgentProblem,
  type AgentSession,
  type AgentStage,
  agentCheckoutId,
  choicesOf,
  completionProblem,
  paymentUnavailable,
  toCheckoutRequest,
} from "../../../../../shared/agents/index.ts";
import { cartPrice, findCoupon, removalReason } from "../../../../../shared/cart/index.ts";
import type { CheckoutContext, CheckoutResult } from "../../../../../shared/checkout/index.ts";
import { loginOf } from "../../../../../shared/customers/index.ts";
import { conflict, Refusal, ruleViolation, sha256 } from "../../../../../shared/kernel/index.ts";
import { cancelUnpaidOrder, orderRepo } from "../../../../../shared/orders/index.ts";
import { publicProviderName } from "../../../../../shared/payments/index.ts";
import type {
  AgentAddresses,
  AgentObjectCall,
  CompleteAgentCheckout,
} from "../../../../runtime/objects/agent-session-object.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../../runtime/objects/calls.ts";
import { type IdempotentRequest, isFinal } from "../../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../../runtime/runtime.ts";
import { checkoutRoute } from "../checkout-records.ts";
import type { Session } from "../session.ts";
import { checkoutInProgress } from "../session-checkouts.ts";
import { isAgentKey, newAgentKey } from "./agent-completion-key.ts";
import { type AgentOrderState, progressOf } from "./agent-order.ts";
import type { AgentRecord } from "./agent-record.ts";
import { viewAgentSession } from "./agent-session-view.ts";
import { assertOpen, type OwnSession, refreshOwnSession } from "./own-session.ts";
import { findStored, openCall } from "./write-for-agent.ts";

/**
 * Completes a checkout through the ordinary checkout. A repeat responds with the order, with or
 * without a key; a call beside a running one responds that it is in progress. A refused payment or
 * order is a problem of the checkout, not an error of the call.
 */
export const completeAgentCheckout = (
  session: Session,
  call: AgentObjectCall,
  input: CompleteAgentCheckout,
): Promise<Reply<AgentSession>> =>
  endCheckout(session, call, "checkout", async (ctx, own) => {
    if (own.order !== null) return own;
    if (session.checkouts.hasActiveRun()) return own; // it is shown as in progress
    assertOpen(ctx, own, "checkout");
    const ready = viewAgentSession(ctx, session, { sessionId: session.id(), ...own });
    const isResumable = ready.status === "complete_in_progress"; // a crash interrupted it
    if (ready.status !== "ready_for_complete" && !isResumable) return own;
    const result = await payForAgent(session, ctx, own.record, {
      ...input,
      ...{ ready, addresses: call.addresses },
    });
    if (result === "cart_replaced") await forgetUnpaid(session, ctx, own.record);
    else if (result !== "accepted") storeProblem(session, own.record, result);
    return refreshOwnSession(ctx, session, call, "checkout");
  });

/**
 * Cancels a cart or a checkout with its unpaid order, also while the payer may be confirming the
 * payment. Money that arrives for a cancelled order is refunded.
 */
export const cancelAgentSession = (
  session: Session,
  call: AgentObjectCall,
  { stage }: Readonly<{ stage: AgentStage }>,
): Promise<Reply<AgentSession>> =>
  endCheckout(session, call, stage, async (ctx, own) => {
    if (stage === "checkout" && isAwaitingPayer(own)) await cancelAwaitingOrder(ctx, own.order);
    else assertOpen(ctx, own, stage);
    if (session.checkouts.isRunning()) throw checkoutInProgress();
    await session.checkouts.closeOpen(async () => ctx);
    if (session.checkouts.hasOpen()) {
      throw conflict("The payment provider cannot be asked now; try again.", { retryable: true });
    }
    const after = await refreshOwnSession(ctx, session, call, stage);
    if (after.order !== null) {
      throw ruleViolation("AGENT_SESSION_CLOSED", "The checkout has an order.");
    }
    const record = { ...after.record, canceledAt: ctx.now() };
    session.storage.write(() => session.storage.agents.save(record));
    return { record, order: null };
  });

type AwaitingPayer = OwnSession & Readonly<{ order: AgentOrderState }>;

const isAwaitingPayer = (own: OwnSession): own is AwaitingPayer =>
  own.order !== null && own.order.progress !== "sold";

/** The provider is asked first, so that an order that was paid meanwhile stays. */
async function cancelAwaitingOrder(
  ctx: CheckoutContext,
  { checkout }: AgentOrderState,
): Promise<void> {
  const details = await orderRepo(ctx).get(checkout.plan.orderId);
  await cancelUnpaidOrder(ctx, details, "The agent canceled the checkout.");
}

/** Runs a call that ends a session alone, and stores its response under the caller's key. */
async function endCheckout(
  session: Session,
  call: AgentObjectCall,
  stage: AgentStage,
  end: (ctx: CheckoutContext, own: OwnSession) => Promise<OwnSession>,
): Promise<Reply<AgentSession>> {
  session.storage.markUsed(runtime.now());
  const repeated = await captureOutcome(async () => findStored(session, call));
  if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
  if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
  const { actor, meter, sessionId } = openCall(session, call);
  const ctx = session.createCheckoutContext({ ...call, meter, actor });
  const outcome = await captureOutcome(() =>
    session.endForAgent(async () => {
      const own = await end(ctx, await refreshOwnSession(ctx, session, call, stage));
      return viewAgentSession(ctx, session, { sessionId, ...own });
    }),
  );
  storeOutcome(session, call, outcome);
  return { outcome, isReplay: false, d1: meter.d1 };
}

/** A checkout that still runs has no result to store. */
function storeOutcome(
  session: Session,
  { idempotent }: AgentObjectCall,
  outcome: Outcome<AgentSession>,
): void {
  if (idempotent === null || !session.storage.exists() || !isFinal(outcome)) return;
  if (outcome.ok && session.checkouts.isRunning()) return;
  session.storage.write((now) => session.storage.responses.save(idempotent, outcome, now));
}

type Completion = CompleteAgentCheckout &
  Readonly<{ ready: AgentSession; addresses: AgentAddresses }>;

/**
 * Runs the checkout at the total that the agent was last shown. Returns what keeps it from being
 * completed, or that the session has another cart now.
 *
 * @throws Refusal as a checkout, without those that are problems of the agent's checkout.
 */
async function payForAgent(
  session: Session,
  ctx: CheckoutContext,
  record: AgentRecord,
  { payment, origin, returnUrl, addresses, ready }: Completion,
): Promise<AgentProblem | "accepted" | "cart_replaced"> {
  if (!isHandlerActive(ctx, payment)) {
    return paymentUnavailable("The business does not offer this payment handler now.");
  }
  const request = toCheckoutRequest(ctx.business, {
    cartId: record.cartId,
    totalMinor: cartPrice(ready.cart, ctx.business.settings.tax).totalPriceMinor,
    buyer: record.request.buyer,
    ...{ payment, origin, returnUrl },
    agent: {
      checkoutId: agentCheckoutId(ready.sessionId),
      ...record.platform,
      ...addresses,
    },
  });
  if (request === null) {
    return paymentUnavailable("phone_number or provider is not a mobile money account.");
  }
  const paying = payment.method === "card" ? { ...ctx, paymentToken: payment.token } : ctx;
  const fingerprint = await fingerprintOf(ctx, record, payment);
  const run = () =>
    runCheckout(session, paying, { request, idempotent: attemptOf(session, ctx, fingerprint) });
  const first = await run();
  // The order of an earlier attempt was cancelled or replaced meanwhile, which ended that attempt.
  const hasEnded = !first.ok && first.refusal.code === "CONFLICT" && !first.refusal.retryable;
  const outcome = hasEnded ? await run() : first;
  if (outcome.ok) return "accepted";
  const problem = completionProblem(outcome.refusal);
  if (problem !== null) return problem;
  if (outcome.refusal.code === "NOT_FOUND" && hasAnotherCart(session, record)) {
    return "cart_replaced";
  }
  throw new Refusal(outcome.refusal);
}

/** Whether the cart is gone, because an earlier order of it was paid or the buyer has another one. */
const hasAnotherCart = ({ storage }: Session, { cartId }: AgentRecord): boolean =>
  storage.carts.get().id !== cartId;

type Attempt = Readonly<{
  request: NonNullable<ReturnType<typeof toCheckoutRequest>>;
  idempotent: IdempotentRequest;
}>;

async function runCheckout(
  session: Session,
  ctx: CheckoutContext,
  { request, idempotent }: Attempt,
): Promise<Outcome<CheckoutResult>> {
  const reply = await captureOutcome(() => session.checkouts.run(ctx, idempotent, request));
  return reply.ok ? reply.value.outcome : reply;
}

/**
 * The key of an attempt: that of the unfinished one when it is for the same cart and account, so
 * that its order is charged again instead of being replaced.
 */
function attemptOf(session: Session, ctx: CheckoutContext, fingerprint: string): IdempotentRequest {
  const open = session.storage.checkouts.findOpen();
  const isSame = open !== null && isAgentKey(open.key) && open.fingerprint === fingerprint;
  return { route: checkoutRoute, key: isSame ? open.key : newAgentKey(ctx.newId), fingerprint };
}

/**
 * The same for the same cart, buyer and account, so that a guest's declined order is never charged
 * for a linked buyer. A token is left out, because each attempt has another.
 */
const fingerprintOf = (
  { actor }: Pick<CheckoutContext, "actor">,
  { revision }: AgentRecord,
  payment: AgentPayment,
): Promise<string> =>
  sha256(
    JSON.stringify([
      revision,
      loginOf(actor)?.customerId ?? null,
      payment.method,
      payment.method === "mobile_money" ? [payment.phoneNumber, payment.provider] : [],
    ]),
  );

/** Whether the token is one of the provider that would get it. */
function isHandlerActive({ providers, business }: CheckoutContext, payment: AgentPayment): boolean {
  if (payment.method !== "card") return true;
  const provider = providers.forMethod("card", business.currency);
  return provider !== null && publicProviderName(provider.name) === payment.handler;
}

/** The orders that were unpaid, without those that were paid meanwhile. */
async function forgetUnpaid(
  { storage }: Session,
  ctx: CheckoutContext,
  record: AgentRecord,
): Promise<void> {
  const orders = await orderRepo(ctx).listByIds(record.unpaidOrderIds);
  const paidIds = orders.filter((details) => progressOf(details) === "sold").map((o) => o.order.id);
  const unpaidOrderIds = record.unpaidOrderIds.filter((id) => !paidIds.includes(id));
  storage.write(() => storage.agents.save({ ...record, unpaidOrderIds }));
}

/** Stores the problem, and why the checkout removed codes from the cart. */
function storeProblem({ storage }: Session, record: AgentRecord, problem: AgentProblem): void {
  const cart = storage.carts.get();
  const priced = {
    ...record.priced,
    coupons: record.priced.coupons.map((coupon) =>
      coupon.rejection === null && !findCoupon(cart, coupon.code)
        ? { ...coupon, rejection: removalReason(cart, coupon.code) ?? "COUPON_INVALID" }
        : coupon,
    ),
  };
  const refused = { ...record, priced, choices: choicesOf(cart), completionProblems: [problem] };
  storage.write(() => storage.agents.save(refused));
}
