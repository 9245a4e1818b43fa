import type { Checkout, CheckoutIn, CheckoutRun, CheckoutState, PlacingReads } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { chargePayment } from "./steps/charge-payment.ts";
import { placeOrder } from "./steps/place-order.ts";
import { recordChargeResult } from "./steps/record-charge.ts";
import { startCharge } from "./steps/start-charge.ts";

type CheckoutStep<S extends CheckoutState> = (
  ctx: CheckoutContext,
  run: CheckoutRun<CheckoutIn<S>>,
) => Promise<CheckoutRun>;

/**
 * The step that follows each state. `next` is for the run that reached the state. `resume` is for a
 * later run, which does not know what the provider was asked. After null the run ends.
 */
const transitions: {
  readonly [S in CheckoutState]: Readonly<Record<"next" | "resume", CheckoutStep<S> | null>>;
} = {
  planned: { next: placeOrder, resume: placeOrder },
  placed: { next: startCharge, resume: startCharge },
  charging: { next: chargePayment, resume: startCharge },
  charged: { next: recordChargeResult, resume: recordChargeResult },
  declined: { next: recordChargeResult, resume: startCharge },
  payment_failed: { next: null, resume: startCharge },
  mismatched: { next: null, resume: null },
  completed: { next: null, resume: null },
};

/**
 * Runs the remaining steps of a checkout. A step can be repeated after a crash. `save` stores its
 * outcome before the next step starts. The caller stores what the last step returns.
 *
 * @param reads what `planCheckout` has just read; null when the run resumes an earlier one.
 * @throws EarlierOrderSold when an order that the checkout would replace was paid or accepted.
 */
export async function runCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
  save: (checkout: Checkout) => void,
  reads: PlacingReads | null = null,
): Promise<Checkout> {
  let run: CheckoutRun = { checkout, order: null, reads, isNewOrder: false, mustVerify: false };
  let step = stepFrom(checkout, "resume");
  while (step) {
    run = await step(ctx, run);
    step = stepFrom(run.checkout, "next");
    if (step) save(run.checkout);
  }
  return run.checkout;
}

// Safe: the type of `transitions` ensures that each state has steps that accept it.
const stepFrom = ({ state }: Checkout, kind: "next" | "resume") =>
  transitions[state][kind] as CheckoutStep<CheckoutState> | null;
