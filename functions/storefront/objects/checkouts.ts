import type { Business } from "../../../shared/businesses/index.ts";
import { type CartRepo, emptyCart, withoutCoupon } from "../../../shared/cart/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  type CheckoutRepo,
  type CheckoutRequest,
  type CheckoutResult,
  giveUpCheckout,
  isStarted,
  planCheckout,
  resultOf,
  runCheckout,
  type StoredCheckout,
} from "../../../shared/checkout/index.ts";
import {
  conflict,
  day,
  minute,
  notFound,
  Refusal,
  ruleBroken,
} from "../../../shared/kernel/index.ts";
import { couponRefused } from "../../../shared/pricing/index.ts";
import type { AnswerRepo, IdempotentCall } from "../../objects/remembered.ts";
import { type Outcome, outcomeOf } from "../../objects/reply.ts";
import type { Serial } from "../../objects/serial.ts";
import type { CartTransaction } from "./cart-transaction.ts";

type Parts = Readonly<{
  storage: DurableObjectStorage;
  transaction: CartTransaction;
  carts: CartRepo;
  answers: AnswerRepo;
  checkouts: CheckoutRepo;
  inTurn: Serial;
}>;

type Ran = Readonly<{ outcome: Outcome<CheckoutResult>; isReplay: boolean }>;

/** A checkout that stands still for this long was left by a crash. */
const resumeAfterMs = minute;

/**
 * A session's checkouts (completions.md 6): one at a time, each under its key, each stored after
 * every step so that a retry or the alarm goes on where it stopped.
 */
export function checkoutsOf({ storage, transaction, carts, answers, checkouts, inTurn }: Parts) {
  /** True while the steps of a checkout run in this very object. */
  let isRunning = false;

  async function run(
    ctx: CheckoutContext,
    call: IdempotentCall,
    request: CheckoutRequest,
  ): Promise<Ran> {
    const earlier = answers.find<CheckoutResult>(call, ctx.now());
    if (earlier) return { outcome: earlier, isReplay: true };
    if (isRunning) throw stillRunning();
    isRunning = true;
    try {
      await inTurn(async () => {}); // the cart writes that came before finish first
      return { outcome: await answered(ctx, call, request), isReplay: false };
    } finally {
      isRunning = false;
    }
  }

  async function answered(
    ctx: CheckoutContext,
    call: IdempotentCall,
    request: CheckoutRequest,
  ): Promise<Outcome<CheckoutResult>> {
    const outcome = await outcomeOf(async () => {
      const known = open(call);
      const stored = known ? await reopened(ctx, known) : await begun(ctx, call, request);
      return finished(ctx, stored);
    });
    if (!outcome.ok) transaction(() => answers.save(call, outcome, ctx.now()));
    return outcome;
  }

  /** A checkout that is gone on with is under way again: should this run die, the alarm finds it. */
  async function reopened(ctx: CheckoutContext, known: StoredCheckout): Promise<StoredCheckout> {
    const running: StoredCheckout = { ...known, status: "running" };
    checkouts.save(running);
    await storage.setAlarm(ctx.now() + resumeAfterMs);
    return running;
  }

  /** The open checkout of this key, to be gone on with. */
  function open({ key, fingerprint }: IdempotentCall): StoredCheckout | null {
    const known = checkouts.findByKey(key);
    if (known === null || known.status === "done") return null;
    if (known.fingerprint !== fingerprint)
      throw conflict("This Idempotency-Key came with another body before.");
    if (known.status === "given_up")
      throw conflict("Another checkout took the place of this one; use a new key.");
    return known;
  }

  async function begun(
    ctx: CheckoutContext,
    call: IdempotentCall,
    request: CheckoutRequest,
  ): Promise<StoredCheckout> {
    await replaceOpen(ctx);
    const sessionId = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
    const planned = await planCheckout(ctx, { cart: carts.get(), sessionId, request });
    if (planned.type === "lines_gone") {
      transaction(() => carts.save(planned.cart));
      throw ruleBroken(
        "ITEM_UNAVAILABLE",
        `No longer available, and taken out of the cart: ${planned.names.join(", ")}.`,
        {
          items: [...planned.names],
        },
      );
    }
    if (planned.type === "coupon_gone") {
      transaction(() => carts.save(planned.cart));
      throw couponRefused(planned.reason);
    }
    const stored: StoredCheckout = {
      key: call.key,
      fingerprint: call.fingerprint,
      status: "running",
      business: ctx.business,
      checkout: planned.checkout,
      startedAt: ctx.now(),
    };
    checkouts.purge(ctx.now() - day);
    checkouts.save(stored);
    await storage.setAlarm(ctx.now() + resumeAfterMs);
    return stored;
  }

  /** An open checkout of another key gives way, unless its money arrived after all. */
  async function replaceOpen(ctx: CheckoutContext): Promise<void> {
    const other = checkouts.findOpen();
    if (!other) return;
    if ((await giveUpCheckout(ctx, other.checkout)) === "given_up") {
      checkouts.save({ ...other, status: "given_up" });
      return;
    }
    await finished(ctx, other);
    throw notFound("cart");
  }

  /** Runs what is left, and closes the checkout as it came out. */
  async function finished(ctx: CheckoutContext, stored: StoredCheckout): Promise<CheckoutResult> {
    const save = (checkout: Checkout) => checkouts.save({ ...stored, checkout });
    let checkout: Checkout;
    try {
      checkout = await runCheckout(ctx, stored.checkout, save);
    } catch (error) {
      if (isFinalRefusal(error)) givenUp(ctx, stored, error);
      throw error;
    }
    if (!isStarted(checkout)) {
      checkouts.save({ ...stored, checkout, status: "unpaid" });
      await storage.deleteAlarm();
      return resultOf(ctx, checkout); // throws: the provider's no, or its silence
    }
    const result = resultOf(ctx, checkout);
    transaction(() => {
      checkouts.save({ ...stored, checkout, status: "done" });
      answers.save(answerKey(stored), { ok: true, value: result }, ctx.now());
      carts.save(emptyCart(ctx.newId("cart"), ctx.now()));
    });
    await storage.deleteAlarm();
    return result;
  }

  function givenUp(ctx: CheckoutContext, stored: StoredCheckout, error: unknown): void {
    transaction(() => {
      checkouts.save({ ...stored, status: "given_up" });
      if (isCouponsRefusal(error))
        carts.save({ ...withoutCoupon(carts.get()), updatedAt: ctx.now() });
    });
  }

  return {
    /** Whether steps are under way, here or in a run that died: its plan is of the cart as it stood. */
    isRunning: (): boolean => isRunning || checkouts.findOpen()?.status === "running",
    run,

    /** Goes on with what a crash left; whatever goes wrong is tried again a minute later. */
    async resume(contextFor: (business: Business) => CheckoutContext): Promise<void> {
      const found = checkouts.findOpen();
      if (found?.status !== "running") return;
      const ctx = contextFor(found.business);
      await storage.setAlarm(ctx.now() + resumeAfterMs);
      if (isRunning) return;
      isRunning = true;
      try {
        await inTurn(async () => {});
        const left = checkouts.findOpen();
        if (left?.status === "running") await finished(ctx, left);
      } catch (error) {
        // Told and not thrown: after six throws the runtime would forget the alarm.
        if (!(error instanceof Refusal))
          console.error(
            JSON.stringify({ level: "error", what: "checkout not resumed", error: String(error) }),
          );
      } finally {
        isRunning = false;
      }
    },
  };
}

/** The route under which a session's checkouts are remembered. */
export const checkoutRoute = "POST /checkout";

const answerKey = ({ key, fingerprint }: StoredCheckout): IdempotentCall => ({
  route: checkoutRoute,
  key,
  fingerprint,
});

const stillRunning = () =>
  conflict("A checkout of this cart is under way; wait for it and try again.", { retryable: true });

const isCouponsRefusal = (error: unknown): boolean =>
  error instanceof Refusal && error.context?.rule?.startsWith("COUPON_") === true;

/** A rule's word, and that of an order that is gone: going on would end the same way. */
const isFinalRefusal = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "BUSINESS_RULE_VIOLATION" ||
    (error.code === "CONFLICT" && error.retryable !== true));
