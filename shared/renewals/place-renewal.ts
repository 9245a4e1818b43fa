import { stockNeeds } from "../availability/index.ts";
import { isLocationOf } from "../businesses/index.ts";
import { productRepo } from "../catalogue/index.ts";
import { commit, messageOf } from "../database/index.ts";
import { isShort, stockRepo, type WantedPieces } from "../inventory/index.ts";
import { newToken, Refusal, sha256 } from "../kernel/index.ts";
import {
  drawnNumber,
  type OrderContext,
  orderCreated,
  orderRepo,
  type PaidOrder,
  placedOrder,
} from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { type ProductSet, priceLine } from "../pricing/index.ts";
import {
  type Invoice,
  type Subscription,
  subscriptionRefusals,
  subscriptionRepo,
  touched,
} from "../subscriptions/index.ts";
import { type PlannedRenewal, plannedRenewal } from "./renewal-order.ts";
import type { DueRenewal } from "./renewal-repo.ts";

/** The order of the next period, or why there is none. */
export type PlacedRenewal =
  | Readonly<{ type: "placed"; subscription: Subscription; invoice: Invoice; paid: PaidOrder }>
  | Readonly<{ type: "refused"; reason: string }>;

/**
 * Places the order of a subscription's next period: its rows, its payment's, the reserved stock, the
 * period's invoice and the event, in one batch. The invoice's key is the period, so that it has one
 * order however many runs try at once.
 *
 * @throws Refusal CONFLICT (retryable) when the subscription changed, or another run was faster.
 */
export async function placeRenewal(
  ctx: OrderContext,
  { subscription, first }: Pick<DueRenewal, "subscription" | "first">,
): Promise<PlacedRenewal> {
  const planned = await plannedRenewal(ctx, subscription, first);
  const ids = subscription.items.map(({ productId }) => productId);
  const found = await productRepo(ctx).findWithComponents(ids);
  const products = new Map(found.products.map((product) => [product.id, product]));
  const gone = subscription.items.find((item) => !isSold(ctx, products, item));
  if (gone) return refused(`${gone.productName} is not sold any more.`);
  const wanted = wantedOf(subscription, products);
  const paid = await placed(ctx, { subscription, planned, wanted });
  if (!paid) return refused("An item is out of stock.");
  const { invoice } = planned;
  return { type: "placed", subscription: touched(subscription, ctx.now()), invoice, paid };
}

const refused = (reason: string): PlacedRenewal => ({ type: "refused", reason });

/** Whether what was chosen is still there to be chosen, whatever it costs by now. */
function isSold(
  { business }: OrderContext,
  products: ProductSet,
  { configuration }: Subscription["items"][number],
): boolean {
  if (!isLocationOf(business, configuration.locationId)) return false;
  try {
    priceLine(products, { ...configuration, billingPlanId: null });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The pieces of a period, and how many of them an item's own location gives or nobody. */
function wantedOf({ items }: Subscription, products: ProductSet): WantedPieces[] {
  const lines = items.map(({ configuration, quantity, variantId }) => ({
    configuration,
    quantity,
    snapshot: { variantId },
  }));
  const isTied = ({ configuration }: (typeof lines)[number]) => configuration.locationId !== null;
  const tied = stockNeeds(lines.filter(isTied), products);
  return [...stockNeeds(lines, products)].map(([itemId, quantity]) => ({
    itemId,
    quantity,
    tied: tied.get(itemId) ?? 0,
  }));
}

type Placement = Readonly<{
  subscription: Subscription;
  planned: PlannedRenewal;
  wanted: readonly WantedPieces[];
}>;

/** The placed order; null where there are too few pieces. */
async function placed(
  ctx: OrderContext,
  { subscription, planned: { order, payment, invoice }, wanted }: Placement,
): Promise<PaidOrder | null> {
  const orders = orderRepo(ctx);
  const payments = paymentRepo(ctx);
  const subscriptions = subscriptionRepo(ctx);
  const number = orders.numberOf(order.id);
  // Nobody holds a token of it: it is opened by its customer's login.
  const billTokenHash = await sha256(newToken(ctx.random));
  try {
    const results = await commit(ctx, {
      writes: [
        subscriptions.update(touched(subscription, ctx.now())),
        ...orders.insert(order, {
          billTokenHash,
          sessionId: payment.sessionId,
          numberPrefix: ctx.business.settings.orderNumberPrefix,
          ofCart: null,
        }),
        number,
        payments.insert(payment),
        payments.keepReference(payment),
        ...stockRepo(ctx).reserveWherever(order.id, wanted, order.locationId),
        subscriptions.insertInvoices([invoice]),
      ],
      events: [orderCreated(order, number)],
      refusals: subscriptionRefusals,
    });
    return placedOrder({ ...order, orderNumber: drawnNumber(results) }, payment, []);
  } catch (error) {
    if (isShort(messageOf(error))) return null;
    throw error;
  }
}
