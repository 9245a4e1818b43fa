import { keepWaiting } from "../orders/index.ts";
import {
  type ChargeResult,
  isSettled,
  openCharge,
  type Payment,
  type PaymentProvider,
  type VerifyResult,
} from "../payments/index.ts";
import type { Checkout, Run } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { amountToPay } from "./pay-currency.ts";
import { newReference } from "./plan-checkout.ts";
import { patienceMs, providerOf } from "./planned-records.ts";

/**
 * Settles under which reference the provider will be asked; stored before it is. A declined charge
 * is tried anew under a new one, once the provider has said again that nothing came of it; one that
 * may be under way keeps its own, so that it cannot happen twice. A further try makes sure of the
 * order first: nobody pays for one that was cancelled, nor a second time for one that is paid.
 * Nothing to pay is paid at once: providers take no charge of zero. What is handed over to the business
 * waits for its word all the same.
 *
 * @throws Refusal CONFLICT when the order is no longer to be paid.
 */
export async function prepareCharge(ctx: CheckoutContext, run: Run): Promise<Run> {
  const asked = run.checkout.wasAsked ? await preparedAgain(ctx, run) : run;
  const { amountMinor, currency } = amountToPay(ctx, run.checkout.plan);
  const isFree = amountMinor === 0 && providerOf(ctx, run.checkout.request).takenBy === "provider";
  const charge = isFree ? ({ type: "captured", amountMinor, currency } as const) : null;
  const { checkout } = asked;
  return {
    ...asked,
    checkout: { ...checkout, wasAsked: true, charge: checkout.charge ?? charge },
  };
}

async function preparedAgain(ctx: CheckoutContext, { checkout, ...run }: Run): Promise<Run> {
  const isOver = await isDeclinedForGood(ctx, checkout);
  const reference = isOver ? newReference(ctx) : checkout.reference;
  const paid = await keepWaiting(
    ctx,
    { orderId: checkout.plan.orderId, until: ctx.now() + patienceMs, reference },
    run.paid,
  );
  const again = { ...checkout, reference, mustVerify: !isOver, charge: null, isRecorded: false };
  return { ...run, paid, checkout: asPaid(again, paid.payment) };
}

/** The checkout, or where its payment has come to money, under whatever reference, as that has it. */
export function asPaid(checkout: Checkout, payment: Payment): Checkout {
  const { reference, amountMinor, currency, mismatch } = payment;
  const charge = { type: "captured", amountMinor, currency } as const;
  if (isSettled(payment)) return { ...checkout, reference, charge, isRecorded: true };
  if (mismatch) return { ...checkout, charge, isRecorded: true, isMismatched: true };
  return checkout;
}

/** A charge that timed out can still be confirmed: the provider has the last word on a declined one. */
async function isDeclinedForGood(
  ctx: CheckoutContext,
  { charge, reference, request }: Checkout,
): Promise<boolean> {
  if (charge?.type !== "declined") return false;
  const stands = standing(await providerOf(ctx, request).verify(reference), request);
  return stands.type === "declined" || stands.type === "unknown";
}

/** Asks the provider for the money; where it may have been asked before, first how that stands. */
export async function chargePayment(ctx: CheckoutContext, run: Run): Promise<Run> {
  const { checkout } = run;
  const provider = providerOf(ctx, checkout.request);
  return { ...run, checkout: { ...checkout, charge: await charged(ctx, checkout, provider) } };
}

async function charged(
  ctx: CheckoutContext,
  checkout: Checkout,
  provider: PaymentProvider,
): Promise<ChargeResult> {
  const { plan, request, reference } = checkout;
  if (checkout.mustVerify) {
    const known = standing(await provider.verify(reference), request);
    if (known.type !== "unknown") return known;
  }
  return provider.charge({
    reference,
    orderId: plan.orderId,
    ...amountToPay(ctx, plan),
    email: request.customer.email,
    mobileMoney: request.mobileMoney,
    returnUrls: request.returnUrls,
    origin: request.origin,
  });
}

/** What a charge that is merely open means for the shopper. */
const standing = (
  known: VerifyResult,
  request: Checkout["request"],
): Exclude<VerifyResult, { type: "open" }> => (known.type === "open" ? openCharge(request) : known);
