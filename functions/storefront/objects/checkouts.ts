import { type CartRepo, emptyCart, withoutCoupon } from "../../../shared/cart/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  type CheckoutRepo,
  type CheckoutRequest,
  type CheckoutResult,
  giveUpCheckout,
  giveUpFailed,
  isStarted,
  planCheckout,
  resultOf,
  runCheckout,
  type StoredCheckout,
} from "../../../shared/checkout/index.ts";
import type { OwnTables } from "../../../shared/database/index.ts";
import {
  conflict,
  day,
  minute,
  notFound,
  Refusal,
  refusalIn,
  ruleBroken,
} from "../../../shared/kernel/index.ts";
import { couponRefused } from "../../../shared/pricing/index.ts";
import { overlap, type Place } from "../../../shared/scheduling/index.ts";
import type { Alarms } from "../../objects/alarms.ts";
import type { AnswerRepo, IdempotentCall } from "../../objects/remembered.ts";
import { type Outcome, outcomeOf } from "../../objects/reply.ts";
import type { Serial } from "../../objects/serial.ts";
import type { CartTransaction } from "./cart-transaction.ts";

type Parts = Readonly<{
  tables: OwnTables;
  alarms: Alarms<"checkout">;
  transaction: CartTransaction;
  carts: CartRepo;
  answers: AnswerRepo;
  checkouts: CheckoutRepo;
  inTurn: Serial;
}>;

/** The context of a checkout that goes on without a request. */
type ContextFor = (stored: StoredCheckout) => Promise<CheckoutContext>;

type Ran = Readonly<{ outcome: Outcome<CheckoutResult>; isReplay: boolean }>;

/** A checkout that stands still for this long was left by a crash. */
const resumeAfterMs = minute;

/** How long a key is kept (completions.md 6). */
const keptMs = day;

/**
 * A session's checkouts (completions.md 6): one at a time, each under its key, each stored after
 * every step so that a retry or the alarm goes on where it stopped.
 */
export function checkoutsOf(parts: Parts) {
  const { tables, alarms, transaction, carts, answers, checkouts, inTurn } = parts;
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
      const known = open(call, ctx.now());
      const stored = known ? reopened(ctx, known) : await begun(ctx, call, request);
      return finished(ctx, stored);
    });
    if (!outcome.ok) transaction(() => answers.save(call, outcome, ctx.now()));
    return outcome;
  }

  /** A checkout that is gone on with is under way again: should this run die, the alarm finds it. */
  function reopened(ctx: CheckoutContext, known: StoredCheckout): StoredCheckout {
    const running: StoredCheckout = { ...known, status: "running" };
    checkouts.save(running);
    alarms.set("checkout", ctx.now() + resumeAfterMs);
    return running;
  }

  /** The open checkout of this key, to be gone on with. */
  function open({ key, fingerprint }: IdempotentCall, now: number): StoredCheckout | null {
    const known = checkouts.findByKey(key);
    if (known === null || known.status === "done" || isForgotten(known, now)) return null;
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
    checkouts.purge(ctx.now() - keptMs);
    checkouts.save(stored);
    alarms.set("checkout", ctx.now() + resumeAfterMs);
    return stored;
  }

  /** An open checkout of another key gives way, unless its sale stands. */
  async function replaceOpen(ctx: CheckoutContext): Promise<void> {
    const other = checkouts.findOpen();
    if (other && (await ended(ctx, other)) === "stands") throw notFound("cart");
  }

  async function ended(ctx: CheckoutContext, open: StoredCheckout): Promise<"given_up" | "stands"> {
    const end = await giveUpCheckout(ctx, open.checkout);
    if (end === "given_up") checkouts.save({ ...open, status: "given_up" });
    else await finished(ctx, open);
    return end;
  }

  /** As `CartContext.giveWay`: the open checkout's order, or one whose payment failed since. */
  async function giveWay(ctx: CheckoutContext, place: Place): Promise<boolean> {
    const inTheWay = checkouts
      .listSince(ctx.now() - keptMs)
      .filter(({ checkout: { plan } }) => plan.bookings?.some((one) => overlap(one.place, place)));
    let hasGivenWay = false;
    for (const stored of inTheWay) {
      const hasGone =
        stored.status === "done"
          ? await giveUpFailed(ctx, stored.checkout)
          : (await ended(ctx, stored)) === "given_up";
      hasGivenWay ||= hasGone;
    }
    return hasGivenWay;
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
      alarms.clear("checkout");
      return resultOf(ctx, checkout); // throws: the provider's no, or its silence
    }
    const result = resultOf(ctx, checkout);
    transaction(() => {
      checkouts.save({ ...stored, checkout, status: "done" });
      answers.save(answerKey(stored), { ok: true, value: result }, ctx.now());
      carts.save(emptyCart(ctx.newId("cart"), ctx.now()));
    });
    alarms.clear("checkout");
    return result;
  }

  function givenUp(ctx: CheckoutContext, stored: StoredCheckout, error: unknown): void {
    transaction(() => {
      checkouts.save({ ...stored, status: "given_up" });
      if (isCouponsRefusal(error))
        carts.save({ ...withoutCoupon(carts.get()), updatedAt: ctx.now() });
    });
    alarms.clear("checkout");
  }

  /** Runs work on what is open, unless steps of it run already; what goes wrong leaves it open. */
  async function alone(work: () => Promise<unknown>): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await inTurn(async () => {});
      await work();
    } catch (error) {
      if (refusalIn(error) === null) throw error;
    } finally {
      isRunning = false;
    }
  }

  return {
    /** Whether steps are under way, here or in a run that died: its plan is of the cart as it stood. */
    isRunning: (): boolean =>
      isRunning || (tables.exist() && checkouts.findOpen()?.status === "running"),
    /** Whether there is one to go on with, running or unpaid. */
    isOpen: (): boolean => isRunning || checkouts.findOpen() !== null,
    run,

    /** For a cart write, in whose turn no checkout begins. */
    async giveWay(ctx: CheckoutContext, place: Place): Promise<boolean> {
      if (isRunning || !tables.exist()) return false;
      isRunning = true;
      try {
        return await giveWay(ctx, place);
      } finally {
        isRunning = false;
      }
    },

    /** Goes on with what a crash left; what goes wrong is tried again when the alarm rings next. */
    async resume(contextFor: ContextFor): Promise<void> {
      if (checkouts.findOpen()?.status !== "running") return alarms.clear("checkout");
      await alone(async () => {
        const left = checkouts.findOpen();
        if (left?.status === "running") await finished(await contextFor(left), left);
      });
    },

    /** Ends what is open for good, for a session that nobody uses any more. */
    async end(contextFor: ContextFor): Promise<void> {
      await alone(async () => {
        const open = checkouts.findOpen();
        if (open?.status === "running") await finished(await contextFor(open), open);
        else if (open) await ended(await contextFor(open), open);
      });
    },
  };
}

export type Checkouts = ReturnType<typeof checkoutsOf>;

/** The route under which a session's checkouts are remembered. */
export const checkoutRoute = "POST /checkout";

const answerKey = ({ key, fingerprint }: StoredCheckout): IdempotentCall => ({
  route: checkoutRoute,
  key,
  fingerprint,
});

/** A key that ended in nothing is free again once it is as old as answers become. */
const isForgotten = ({ status, startedAt }: StoredCheckout, now: number): boolean =>
  status === "given_up" && startedAt <= now - keptMs;

const stillRunning = () =>
  conflict("A checkout of this cart is under way; wait for it and try again.", { retryable: true });

const isCouponsRefusal = (error: unknown): boolean =>
  error instanceof Refusal && error.context?.rule?.startsWith("COUPON_") === true;

/** A rule's word, that of an order that is gone or a login that has ended: going on would end the same way. */
const isFinalRefusal = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "BUSINESS_RULE_VIOLATION" ||
    error.code === "UNAUTHORIZED" ||
    (error.code === "CONFLICT" && error.retryable !== true));
