import { Refusal } from "../kernel/index.ts";
import {
  type OrderContext,
  type OrderDetails,
  orderDetailsQueries,
  toOrderRecords,
} from "../orders/index.ts";
import { assertMethodPayable } from "../payments/index.ts";
import {
  choosePaymentMethod,
  hasRequestedCharge,
  type PaymentChoice,
  type Subscription,
  type SubscriptionRequester,
  subscriptionRepo,
  toInvoicedSubscription,
} from "../subscriptions/index.ts";
import { processDueSubscription } from "./process-due-subscription.ts";

/** The changed subscription and, if an unpaid period was charged, that period's order. */
type ChangedPaymentMethod = Readonly<{ subscription: Subscription; order: OrderDetails | null }>;

/**
 * Chooses how a subscription is paid, and charges an unpaid period with it at once. The choice is
 * stored before the provider is called, and the job charges what an interrupted call left.
 *
 * @throws Refusal NOT_FOUND, UNAUTHORIZED or INVALID_STATE as `choosePaymentMethod`,
 * PAYMENT_METHOD_UNAVAILABLE.
 */
export async function changePaymentMethod(
  ctx: OrderContext,
  id: string,
  { requester, choice }: Readonly<{ requester: SubscriptionRequester; choice: PaymentChoice }>,
): Promise<ChangedPaymentMethod> {
  assertMethodPayable(ctx, choice.method, ctx.business.currency);
  const subscription = await choosePaymentMethod(ctx, id, { requester, choice });
  if (!hasRequestedCharge(subscription)) return { subscription, order: null };
  await processUnlessBusy(ctx, id);
  return loadCharged(ctx, subscription);
}

/** Another run of the job may change the subscription first; then that run charges the period. */
async function processUnlessBusy(ctx: OrderContext, id: string): Promise<void> {
  try {
    await processDueSubscription(ctx, id);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "CONFLICT")) throw error;
  }
}

async function loadCharged(
  ctx: OrderContext,
  { id, nextCycle }: Subscription,
): Promise<ChangedPaymentMethod> {
  const subscriptions = subscriptionRepo(ctx);
  const [rows, invoices, ...orderRows] = await ctx.db.batch([
    ...subscriptions.dueQueries(id),
    ...orderDetailsQueries(ctx, subscriptions.periodOrderIdQuery(id, nextCycle)),
  ]);
  const { subscription } = toInvoicedSubscription(rows, invoices);
  const [record] = toOrderRecords(orderRows);
  return { subscription, order: record?.details ?? null };
}
