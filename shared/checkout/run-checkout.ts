import { unavailable } from "../kernel/index.ts";
import { placedOrder, recordCharge } from "../orders/index.ts";
import { afterCharge, type ChargeResult } from "../payments/index.ts";
import { asPaid, chargePayment, prepareCharge } from "./charge-payment.ts";
import type { Checkout, CheckoutResult } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { placeOrder } from "./place-order.ts";
import { orderOf, paymentOf } from "./planned-records.ts";

type Step = Readonly<{
  name: string;
  isDone: (checkout: Checkout) => boolean;
  run: (ctx: CheckoutContext, checkout: Checkout) => Promise<Checkout> | Checkout;
}>;

/**
 * A checkout after its plan, in order. Each step may be run again after a crash inside it or behind
 * it, and what it did is stored before the next begins.
 */
const checkoutSteps: readonly Step[] = [
  { name: "place the order", isDone: ({ orderNumber }) => orderNumber !== null, run: placeOrder },
  { name: "prepare the charge", isDone: needsNoCharge, run: prepareCharge },
  { name: "charge the payment", isDone: needsNoCharge, run: chargePayment },
  { name: "record the charge", isDone: needsNoRecord, run: recordPlacedCharge },
];

/** Runs what is left of a checkout; `save` stores how far it came. */
export async function runCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
  save: (checkout: Checkout) => void,
): Promise<Checkout> {
  // An order that stands since an earlier run may have been asked for, or cancelled, meanwhile.
  let current = checkout.orderNumber === null ? checkout : { ...checkout, wasAsked: true };
  for (const step of checkoutSteps) {
    if (step.isDone(current)) continue;
    current = await step.run(ctx, current);
    save(current);
  }
  return current;
}

/** Whether the payment is started, so that the cart may go (completions.md 6). */
export const isStarted = ({ charge, isMismatched }: Checkout): boolean =>
  isProvidersYes(charge) && !isMismatched;

/**
 * What the shopper reads of a checkout that ran.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider declined or gave no answer: the order stays
 * pending, and a retry with the same key charges that order. Also when it took another amount: then
 * the order waits for a human.
 */
export function resultOf(ctx: CheckoutContext, checkout: Checkout): CheckoutResult {
  const { plan, charge, reference, orderNumber } = checkout;
  if (!isStarted(checkout)) throw unavailable(paymentFailure(charge));
  const placed = paymentOf(ctx, checkout);
  const payment = charge ? afterCharge(placed, charge, plan.createdAt) : placed;
  return {
    orderId: plan.orderId,
    orderNumber: orderNumber ?? "",
    billToken: plan.billToken,
    paymentId: plan.paymentId,
    paymentReference: reference,
    paymentStatus: payment.status,
    provider: payment.provider,
    nextAction: payment.nextAction,
    fx: plan.fx && {
      quoteId: plan.fx.quote.id,
      rate: plan.fx.quote.rate,
      payAmountMinor: payment.amountMinor,
      payCurrency: payment.currency,
    },
  };
}

function needsNoCharge({ charge }: Checkout): boolean {
  return isProvidersYes(charge);
}

/** What is due stands in the database as it was placed. */
function needsNoRecord({ charge, isRecorded }: Checkout): boolean {
  return isRecorded || charge?.type === "no_answer" || charge?.type === "due";
}

/**
 * Stores the provider's word. From a fresh order it follows without reading; a later one is read anew,
 * and may have been paid under an earlier reference.
 */
async function recordPlacedCharge(ctx: CheckoutContext, checkout: Checkout): Promise<Checkout> {
  const { charge, reference, orderNumber } = checkout;
  if (charge === null) return checkout;
  const order = { ...orderOf(ctx, checkout), orderNumber: orderNumber ?? "" };
  const bookings = (checkout.plan.bookings ?? []).map(({ booking }) => booking);
  const placed = placedOrder(order, paymentOf(ctx, checkout), bookings);
  const { payment } = await recordCharge(ctx, placed, { result: charge, reference });
  return asPaid({ ...checkout, isRecorded: true }, payment);
}

const isProvidersYes = (charge: ChargeResult | null): boolean =>
  charge !== null && charge.type !== "declined" && charge.type !== "no_answer";

const paymentFailure = (charge: ChargeResult | null): string =>
  failures.get(charge?.type ?? "no_answer") ??
  "The payment provider did not answer; retry with the same Idempotency-Key.";

const failures: ReadonlyMap<ChargeResult["type"], string> = new Map([
  [
    "declined",
    "The payment was declined; retry with the same Idempotency-Key, or pay another way.",
  ],
  [
    "captured",
    "The provider took another amount than was asked for; the business will look at it.",
  ],
]);
