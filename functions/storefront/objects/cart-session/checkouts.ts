import {
  type Checkout,
  type CheckoutContext,
  type CheckoutRequest,
  type CheckoutResult,
  EarlierStands,
  giveUpCheckout,
  giveUpFailed,
  isStarted,
  type Planned,
  planCheckout,
  type Read,
  replacedBy,
  resultOf,
  runCheckout,
  type StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import type { OwnTables } from "../../../../shared/database/index.ts";
import {
  conflict,
  notFound,
  type Refusal,
  refusalIn,
  ruleBroken,
} from "../../../../shared/kernel/index.ts";
import { couponRefused } from "../../../../shared/pricing/index.ts";
import { overlap, type Place } from "../../../../shared/scheduling/index.ts";
import { type Outcome, outcomeOf } from "../../../runtime/objects/reply.ts";
import type { Serial } from "../../../runtime/objects/serial-queue.ts";
import type { IdempotentCall } from "../../../runtime/objects/stored-answers.ts";
import { isFinalRefusal, stillRunning } from "./checkout-refusals.ts";
import { keptMs, type OpenCheckoutParts, openCheckout } from "./open-checkout.ts";

type Parts = OpenCheckoutParts & Readonly<{ tables: OwnTables; inTurn: Serial }>;

/** The context of a checkout that goes on without a request. */
type ContextFor = (stored: StoredCheckout) => Promise<CheckoutContext>;

type Ran = Readonly<{ outcome: Outcome<CheckoutResult>; isReplay: boolean }>;

/** A checkout that was planned right now, with what was read for it. */
type Begun = Readonly<{ stored: StoredCheckout; read: Read }>;

/**
 * A session's checkouts (completions.md 6): one at a time, each under its key, each stored after
 * every step so that a retry or the alarm goes on where it stopped.
 */
export function checkoutsOf(parts: Parts) {
  const { tables, alarms, transaction, carts, answers, checkouts, inTurn } = parts;
  const open = openCheckout(parts);
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
      const known = openOf(call, ctx.now());
      if (known) return finished(ctx, open.goOn(ctx, known));
      const { stored, read } = await begun(ctx, call, request);
      return finished(ctx, stored, read);
    });
    if (!outcome.ok) transaction(() => answers.save(call, outcome, ctx.now()));
    return outcome;
  }

  /** The open checkout of this key, to be gone on with. */
  function openOf({ key, fingerprint }: IdempotentCall, now: number): StoredCheckout | null {
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
  ): Promise<Begun> {
    const other = checkouts.findOpen();
    const planned = await plannedInPlaceOf(ctx, other, request);
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
    open.begin(ctx, stored, other);
    return { stored, read: planned.read };
  }

  /** The open checkout of another key gives way, unless its sale stands. */
  async function plannedInPlaceOf(
    ctx: CheckoutContext,
    other: StoredCheckout | null,
    request: CheckoutRequest,
  ): Promise<Planned> {
    const sessionId = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
    const cart = carts.get();
    const replaces = other ? replacedBy(other.checkout) : [];
    const isOrderedFrom = other !== null || checkouts.isOrderedFrom(cart.id);
    try {
      return await planCheckout(ctx, { cart, sessionId, request, replaces, isOrderedFrom });
    } catch (error) {
      throw error instanceof EarlierStands ? await afterEarlier(ctx, error, other) : error;
    }
  }

  /** The sale of an earlier checkout is gone on with; the one that would have taken its place ends. */
  async function afterEarlier(
    ctx: CheckoutContext,
    { orderId }: EarlierStands,
    replacing: StoredCheckout | null,
  ): Promise<Refusal> {
    const sale = open.giveBack(replacing, orderId);
    if (sale) await finished(ctx, sale);
    else open.endCart(ctx); // sold by a checkout that this session does not remember any more
    return notFound("cart");
  }

  async function ended(ctx: CheckoutContext, left: StoredCheckout): Promise<"given_up" | "stands"> {
    const end = await giveUpCheckout(ctx, left.checkout);
    if (end === "given_up") checkouts.save({ ...left, status: "given_up" });
    else await finished(ctx, left);
    return end;
  }

  /** As `CartContext.giveWay`: orders whose payment failed since, and the open checkout's, of which there is one at most. */
  async function giveWay(ctx: CheckoutContext, place: Place): Promise<boolean> {
    const inTheWay = checkouts
      .listSince(ctx.now() - keptMs)
      .filter(({ checkout: { plan } }) => plan.bookings?.some((one) => overlap(one.place, place)));
    const started = inTheWay.filter(({ status }) => status === "done");
    const haveFailed = await giveUpFailed(
      ctx,
      started.map(({ checkout }) => checkout),
    );
    const unpaid = inTheWay.find(({ status }) => status !== "done");
    return (unpaid && (await ended(ctx, unpaid)) === "given_up") || haveFailed;
  }

  /** Runs what is left, and closes the checkout as it came out. */
  async function finished(
    ctx: CheckoutContext,
    stored: StoredCheckout,
    read: Begun["read"] | null = null,
  ): Promise<CheckoutResult> {
    let checkout = stored.checkout;
    const save = (next: Checkout) => {
      checkout = next;
      checkouts.save({ ...stored, checkout });
    };
    try {
      checkout = await runCheckout(ctx, checkout, save, read);
    } catch (error) {
      if (error instanceof EarlierStands) throw await afterEarlier(ctx, error, stored);
      if (isFinalRefusal(error)) open.giveUp(ctx, { ...stored, checkout }, error);
      throw error;
    }
    if (!isStarted(checkout)) {
      open.leave(stored, checkout);
      return resultOf(ctx, checkout); // throws: the provider's no, or its silence
    }
    const result = resultOf(ctx, checkout);
    open.close(ctx, stored, { checkout, result });
    return result;
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

    /** As `CartContext.replacedOrders`. */
    replacedOrders(): readonly string[] {
      const other = tables.exist() ? checkouts.findOpen() : null;
      return other ? replacedBy(other.checkout) : [];
    },

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
        const left = checkouts.findOpen();
        if (left?.status === "running") await finished(await contextFor(left), left);
        else if (left) await ended(await contextFor(left), left);
      });
    },
  };
}

export type Checkouts = ReturnType<typeof checkoutsOf>;

/** A key that ended in nothing is free again once it is as old as answers become. */
const isForgotten = ({ status, startedAt }: StoredCheckout, now: number): boolean =>
  status === "given_up" && startedAt <= now - keptMs;
