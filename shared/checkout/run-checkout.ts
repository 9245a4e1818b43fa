import { unavailable } from "../kernel/index.ts";
import { type PaidOrder, placedOrder, recordCharge } from "../orders/index.ts";
import { afterCharge, type ChargeResult } from "../payments/index.ts";
import { asPaid, chargePayment, prepareCharge } from "./charge-payment.ts";
import type { Checkout, CheckoutResult, Read, Run } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { placeOrder } from "./place-order.ts";
import { orderOf, paymentOf } from "./planned-records.ts";

type Step = Readonly<{
  name: string;
  isDone: (checkout: Checkout) => boolean;
  run: (ctx: CheckoutContext, run: Run) => Promise<Run>;
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

/**
 * Runs what is left of a checkout; `save` stores how far it came.
 *
 * @param read what `planCheckout` read, right before; left out, the checkout goes on where an earlier
 * run may have stopped.
 * @throws EarlierStands when the sale of a checkout whose place it was to take stands after all.
 */
export async function runCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
  save: (checkout: Checkout) => void,
  read: Read | null = null,
): Promise<Checkout> {
  // An order that stands since an earlier run may have been asked for, or cancelled, meanwhile.
  const begun = checkout.orderNumber === null ? checkout : { ...checkout, wasAsked: true };
  let current: Run = { checkout: begun, paid: null, read };
  for (const step of checkoutSteps) {
    if (step.isDone(current.checkout)) continue;
    current = await step.run(ctx, current);
    save(current.checkout);
  }
  return current.checkout;
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
 * Stores the provider's word. From a fresh order it follows without reading, and from one that this
 * run has read; the payment may have come to money under an earlier reference.
 */
async function recordPlacedCharge(ctx: CheckoutContext, run: Run): Promise<Run> {
  const { checkout } = run;
  const { charge, reference } = checkout;
  if (charge === null) return run;
  const before = run.paid ?? justPlaced(ctx, checkout);
  const paid = await recordCharge(ctx, before, { result: charge, reference });
  return { ...run, paid, checkout: asPaid({ ...checkout, isRecorded: true }, paid.payment) };
}

function justPlaced(ctx: CheckoutContext, checkout: Checkout): PaidOrder {
  const order = { ...orderOf(ctx, checkout), orderNumber: checkout.orderNumber ?? "" };
  const bookings = (checkout.plan.bookings ?? []).map(({ booking }) => booking);
  return placedOrder(order, paymentOf(ctx, checkout), bookings);
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
