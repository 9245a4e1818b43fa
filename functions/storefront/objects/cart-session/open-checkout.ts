import { type CartRepo, emptyCart, withoutCoupon } from "../../../../shared/cart/index.ts";
import type {
  Checkout,
  CheckoutContext,
  CheckoutRepo,
  CheckoutResult,
  StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import { day, minute } from "../../../../shared/kernel/index.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import type { AnswerRepo, IdempotentCall } from "../../../runtime/objects/stored-answers.ts";
import type { CartTransaction } from "./cart-transaction.ts";
import { isCouponsRefusal } from "./checkout-refusals.ts";

/** A checkout that stands still for this long was left by a crash. */
const resumeAfterMs = minute;

/** How long a key is kept (completions.md 6). */
export const keptMs = day;

/** The route under which a session's checkouts are remembered. */
export const checkoutRoute = "POST /checkout";

export type OpenCheckoutParts = Readonly<{
  alarms: Alarms<"checkout">;
  transaction: CartTransaction;
  carts: CartRepo;
  answers: AnswerRepo;
  checkouts: CheckoutRepo;
}>;

/** What becomes of the one checkout of a session that is open, each step stored whole. */
export function openCheckout(parts: OpenCheckoutParts) {
  const { alarms, transaction, carts, answers, checkouts } = parts;

  /** Another is the open one from now on: one whose sale stands, or whose place was not taken after all. */
  function giveBack(stored: StoredCheckout | null, orderId?: string): StoredCheckout | null {
    const earlier = orderId === undefined ? null : checkouts.findByOrder(orderId);
    const again: StoredCheckout | null = earlier && { ...earlier, status: "unpaid" };
    transaction(() => {
      if (stored) checkouts.save({ ...stored, status: "given_up" });
      if (again) checkouts.save(again);
    });
    return again;
  }

  const newCart = (ctx: CheckoutContext) => carts.save(emptyCart(ctx.newId("cart"), ctx.now()));

  return {
    giveBack,

    /** The cart was sold. */
    endCart: (ctx: CheckoutContext): void => transaction(() => newCart(ctx)),

    /** It takes the place of the one that was open. */
    begin(ctx: CheckoutContext, stored: StoredCheckout, other: StoredCheckout | null): void {
      checkouts.purge(ctx.now() - keptMs);
      transaction(() => {
        if (other) checkouts.save({ ...other, status: "given_up" });
        checkouts.save(stored);
      });
      alarms.set("checkout", ctx.now() + resumeAfterMs);
    },

    /** It is gone on with, and under way again: should this run die, the alarm finds it. */
    goOn(ctx: CheckoutContext, known: StoredCheckout): StoredCheckout {
      const running: StoredCheckout = { ...known, status: "running" };
      checkouts.save(running);
      alarms.set("checkout", ctx.now() + resumeAfterMs);
      return running;
    },

    /** Its order stands, and the provider said no or nothing. */
    leave(stored: StoredCheckout, checkout: Checkout): void {
      checkouts.save({ ...stored, checkout, status: "unpaid" });
      alarms.clear("checkout");
    },

    /** Its payment is started: the cart goes, and the key keeps its answer. */
    close(
      ctx: CheckoutContext,
      stored: StoredCheckout,
      { checkout, result }: Readonly<{ checkout: Checkout; result: CheckoutResult }>,
    ): void {
      transaction(() => {
        checkouts.save({ ...stored, checkout, status: "done" });
        answers.save(answerKey(stored), { ok: true, value: result }, ctx.now());
        newCart(ctx);
      });
      alarms.clear("checkout");
    },

    /** A rule said no; unless its order was placed, what it was to take the place of is as it was. */
    giveUp(ctx: CheckoutContext, stored: StoredCheckout, error: unknown): void {
      const { orderNumber, plan } = stored.checkout;
      transaction(() => {
        giveBack(stored, orderNumber === null ? plan.replaces?.at(-1) : undefined);
        if (isCouponsRefusal(error))
          carts.save({ ...withoutCoupon(carts.get()), updatedAt: ctx.now() });
      });
      alarms.clear("checkout");
    },
  };
}

const answerKey = ({ key, fingerprint }: StoredCheckout): IdempotentCall => ({
  route: checkoutRoute,
  key,
  fingerprint,
});
