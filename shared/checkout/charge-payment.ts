import { keepWaiting } from "../orders/index.ts";
import type { ChargeResult, PaymentProvider } from "../payments/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { newReference } from "./plan-checkout.ts";
import { patienceMs } from "./planned-records.ts";

/**
 * Settles under which reference the provider will be asked; stored before it is. A declined charge
 * is tried anew under a new one; one that may be under way keeps its own, so that it cannot happen
 * twice. A further try makes sure of the order first: nobody pays for one that was cancelled.
 *
 * @throws Refusal CONFLICT when the order is no longer to be paid.
 */
export async function prepareCharge(ctx: CheckoutContext, checkout: Checkout): Promise<Checkout> {
  if (!checkout.wasAsked) return { ...checkout, wasAsked: true };
  const isDeclined = checkout.charge?.type === "declined";
  const reference = isDeclined ? newReference(ctx) : checkout.reference;
  const until = ctx.now() + patienceMs;
  await keepWaiting(ctx, { orderId: checkout.plan.orderId, until, reference });
  return { ...checkout, reference, mustVerify: !isDeclined, charge: null, isRecorded: false };
}

/** Asks the provider for the money; where it may have been asked before, first how that stands. */
export async function chargePayment(ctx: CheckoutContext, checkout: Checkout): Promise<Checkout> {
  const provider = ctx.providerFor(checkout.request.paymentMethod);
  if (!provider)
    throw new Error(
      `No provider for ${checkout.request.paymentMethod}, which a plan was made for.`,
    );
  return { ...checkout, charge: await charged(ctx, checkout, provider) };
}

async function charged(
  ctx: CheckoutContext,
  checkout: Checkout,
  provider: PaymentProvider,
): Promise<ChargeResult> {
  const { plan, request, reference } = checkout;
  if (checkout.mustVerify) {
    const known = await provider.verify(reference);
    if (known.type !== "unknown") return known;
  }
  return provider.charge({
    reference,
    orderId: plan.orderId,
    amountMinor: plan.totals.totalPriceMinor,
    currency: ctx.business.currency,
    email: request.customer.email,
    mobileMoney: request.mobileMoney,
  });
}
