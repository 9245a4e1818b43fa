import { sha256 } from "../kernel/index.ts";
import type { OrderContext } from "../orders/index.ts";
import type { MobileMoney, PaymentProvider, ReturnUrls } from "../payments/index.ts";
import type { Subscription } from "../subscriptions/index.ts";
import type { DueRenewal } from "./due-renewal-query.ts";

/** How a subscription's next period is paid. */
export type RenewalPayment = Readonly<{
  method: string;
  /** The phone that is charged; null for other payment methods. */
  mobileMoney: MobileMoney | null;
  /** The reference of a charge with this method that authorizes a further one; null without any. */
  earlierReference: string | null;
  /** What a page for a card needs that no charge authorizes yet; null when it is not known. */
  page: Readonly<{ returnUrls: ReturnUrls; origin: string }> | null;
}>;

/** What decides how a subscription is charged. */
export type RenewalSource = Pick<DueRenewal, "subscription" | "first" | "lastProvider">;

/** How the next period is paid, and the provider of its charge; null when no provider takes it. */
export type RoutedRenewal = RenewalPayment & Readonly<{ provider: PaymentProvider | null }>;

/**
 * The next payment with its provider. Only the provider of the earlier charge can charge the same
 * payer again; without one, or when it does not do that any more, the business's routing decides.
 */
export function routeRenewal(ctx: OrderContext, source: RenewalSource): RoutedRenewal {
  const payment = renewalPaymentOf(source);
  const { providers, business } = ctx;
  const last = payment.earlierReference === null ? null : providers.byName(source.lastProvider);
  if (last?.chargeAgain) return { ...payment, provider: last };
  const provider = providers.forMethod(payment.method, business.currency);
  return { ...payment, earlierReference: null, provider };
}

/**
 * The method that the customer chose last, otherwise that of the order which started the
 * subscription.
 */
function renewalPaymentOf({
  subscription,
  first,
}: Pick<RenewalSource, "subscription" | "first">): RenewalPayment {
  const { payment, plan, cycle, lastReference } = subscription;
  if (payment) {
    const { method, mobileMoney, page = null, replacedReference } = payment;
    const earlierReference = lastReference === replacedReference ? null : lastReference;
    return { method, mobileMoney, page, earlierReference };
  }
  const line = first.order.lines.find(({ id }) => id === subscription.orderLineId);
  const source = line?.subscription?.type === "new" ? line.subscription : null;
  const isTrialOnly = plan.hasFreeTrial === true && cycle === 1;
  return {
    method: first.payment.method,
    mobileMoney: source?.mobileMoney ?? null,
    page: source?.page ?? null,
    earlierReference: isTrialOnly ? null : lastReference,
  };
}

const referenceDigits = 40;

/**
 * The reference of a period's next charge: of its next attempt, or of the charge that the customer
 * asked for. It is deterministic, so that a run after a crash knows which charge may exist.
 */
export async function deriveRenewalReference(
  invoiceId: string,
  { attempts, payment }: Pick<Subscription, "attempts" | "payment">,
): Promise<string> {
  const isRequested = payment !== null && payment.chargeRequestedAt !== null;
  const charge = isRequested ? `chosen ${payment.chosenVersion}` : String(attempts + 1);
  const digest = await sha256(`${invoiceId} ${charge}`);
  return `ref_${digest.slice(0, referenceDigits)}`;
}
