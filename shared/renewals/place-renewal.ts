import { lineFulfilment, stockNeeds } from "../availability/index.ts";
import { isLocationOf } from "../businesses/index.ts";
import { productRepo } from "../catalogue/index.ts";
import { commit, findFailedConstraint } from "../database/index.ts";
import {
  isStockShortage,
  reserveStockAnywhere,
  type StockRequirement,
} from "../inventory/index.ts";
import { countEvent, generateToken, Refusal, sha256 } from "../kernel/index.ts";
import {
  insertOrder,
  newOrderDetails,
  type OrderContext,
  type OrderDetails,
  orderCreatedEvent,
  orderNumberFrom,
  orderRepo,
} from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { type ProductSet, priceLine } from "../pricing/index.ts";
import {
  type Invoice,
  invoiceRepo,
  type Subscription,
  subscriptionRefusals,
  subscriptionRepo,
  withVersionRaised,
} from "../subscriptions/index.ts";
import { taxTreatmentOf } from "../tax/index.ts";
import { type PlannedRenewal, planRenewal } from "./renewal-order.ts";
import type { RenewalSource } from "./renewal-payment.ts";
import { prefetchRenewalTerms } from "./renewal-tax.ts";

/** The order of the next period, or the reason why no order was placed. */
type PlacedRenewal =
  | Readonly<{
      type: "placed";
      subscription: Subscription;
      invoice: Invoice;
      details: OrderDetails;
    }>
  | Readonly<{ type: "refused"; reason: string }>;

/**
 * Places the order of the next period in one batch, with payment, stock reservation, invoice and
 * event. The invoice is unique per period, so that concurrent runs place only one order.
 *
 * @throws Refusal CONFLICT (retryable) when the subscription changed, or another run placed the
 *   order.
 */
export async function placeRenewal(
  ctx: OrderContext,
  { subscription, first, lastProvider }: RenewalSource,
): Promise<PlacedRenewal> {
  const ids = subscription.items.map(({ productId }) => productId);
  const terms = prefetchRenewalTerms(ctx, subscription, first.order);
  const {
    products: rows,
    version,
    prefetched,
  } = await productRepo(ctx).findWithComponents(ids, {
    prefetches: terms.queries,
  });
  terms.receive(prefetched, version);
  const products = new Map(rows.map((product) => [product.id, product]));
  const planned = await planRenewal(ctx, subscription, {
    first,
    lastProvider,
    taxes: {
      rates: taxTreatmentOf(await terms.load(), ctx.business.settings.tax),
      taxClasses: new Map(rows.map(({ id, taxClass }) => [id, taxClass])),
    },
  });
  const unavailable = subscription.items.find((item) => !isOrderable(ctx, products, item));
  if (unavailable) return refuseRenewal(`${unavailable.productName} is not sold any more.`);
  const requirements = requiredStock(subscription, products);
  const order = withFulfilment(planned.order, subscription, products);
  const details = await commitRenewal(ctx, {
    subscription,
    planned: { ...planned, order },
    requirements,
  });
  if (!details) return refuseRenewal("An item is out of stock.");
  const { invoice } = planned;
  return {
    type: "placed",
    subscription: withVersionRaised(subscription, ctx.now()),
    invoice,
    details,
  };
}

/** The order with what its products say about stock and shipping; its lines are the items in order. */
const withFulfilment = (
  order: PlannedRenewal["order"],
  { items }: Subscription,
  products: ProductSet,
): PlannedRenewal["order"] => ({
  ...order,
  lines: order.lines.map((line, index) => {
    const item = items[index];
    if (!item) return line;
    const { configuration, variantId } = item;
    return { ...line, ...lineFulfilment({ configuration, snapshot: { variantId } }, products) };
  }),
});

const refuseRenewal = (reason: string): PlacedRenewal => ({
  type: "refused",
  reason,
});

/**
 * Whether the item can still be ordered as configured. The price of `priceLine` is ignored, because
 * a renewal charges the subscribed price. The billing plan is left out, because a withdrawn plan
 * does not end its subscriptions.
 */
function isOrderable(
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

/**
 * The stock that a period needs. `preferredOnlyQuantity` is the part that must come from the
 * preferred location, because the item has a fixed location.
 */
function requiredStock({ items }: Subscription, products: ProductSet): StockRequirement[] {
  const lines = items.map(({ configuration, quantity, variantId }) => ({
    configuration,
    quantity,
    snapshot: { variantId },
  }));
  const hasLocation = ({ configuration }: (typeof lines)[number]) =>
    configuration.locationId !== null;
  const fixedLocationNeeds = stockNeeds(lines.filter(hasLocation), products);
  return [...stockNeeds(lines, products)].map(([itemId, quantity]) => ({
    itemId,
    quantity,
    preferredOnlyQuantity: fixedLocationNeeds.get(itemId) ?? 0,
  }));
}

type RenewalPlacement = Readonly<{
  subscription: Subscription;
  planned: PlannedRenewal;
  requirements: readonly StockRequirement[];
}>;

/** Commits the order and returns it. Returns null when there is not enough stock. */
async function commitRenewal(
  ctx: OrderContext,
  { subscription, planned: { order, payment, invoice }, requirements }: RenewalPlacement,
): Promise<OrderDetails | null> {
  const payments = paymentRepo(ctx);
  const subscriptions = subscriptionRepo(ctx);
  const number = orderRepo(ctx).numberOf(order.id);
  // Nobody receives this bill_token: the customer opens the order after logging in.
  const billTokenHash = await sha256(generateToken(ctx.randomBytes));
  try {
    const results = await commit(ctx, {
      writes: [
        subscriptions.update(withVersionRaised(subscription, ctx.now())),
        ...insertOrder(ctx, order, {
          billTokenHash,
          sessionId: payment.sessionId,
          numberPrefix: ctx.business.settings.orderNumberPrefix,
          cartTurn: null,
        }),
        number,
        payments.insert(payment),
        payments.insertFirstAttempt(payment),
        ...reserveStockAnywhere(ctx, order.id, {
          requirements,
          preferredLocationId: order.locationId,
        }),
        invoiceRepo(ctx).insert([invoice]),
      ],
      events: [orderCreatedEvent(order, number)],
      refusals: subscriptionRefusals,
    });
    countEvent("orders_placed_total", { by: "renewal" });
    return newOrderDetails({ ...order, orderNumber: orderNumberFrom(results) }, payment, []);
  } catch (error) {
    if (isStockShortage(findFailedConstraint(error))) return null;
    throw error;
  }
}
