import type { ShopContext } from "../businesses/index.ts";
import { productTaxClassesQuery } from "../catalogue/index.ts";
import { taxExemptionQuery } from "../customers/index.ts";
import { batchedRead, createPrefetch, type Prefetch } from "../database/index.ts";
import { type Order, orderPlaceQuery } from "../orders/index.ts";
import { renewalPrice, type Subscription, subscriptionRepo } from "../subscriptions/index.ts";
import {
  findPlaceRates,
  placeRatesQuery,
  type TaxTerms,
  taxPlaceOfOrder,
  taxTreatmentOf,
  toPlaceRate,
} from "../tax/index.ts";

/** What the taxes of a subscription's renewals follow from, except the rates. */
type RenewalTaxSource = Readonly<{
  /** Where the first order was placed; undefined for an unknown subscription. */
  placed: Pick<Order, "orderType" | "addressInfo" | "locationId"> | undefined;
  taxClasses: ReadonlyMap<string, string>;
  isExempt: boolean;
}>;

/** Prefetches the taxes of a subscription's renewals, for the batch that reads the subscription. */
export function prefetchRenewalTax(ctx: ShopContext, id: string): Prefetch<RenewalTaxSource> {
  const subscriptions = subscriptionRepo(ctx);
  return createPrefetch(ctx.db, () =>
    batchedRead(
      [
        orderPlaceQuery(ctx, subscriptions.columnQuery(id, "orderId")),
        productTaxClassesQuery(ctx, subscriptions.productIdsQuery(id)),
        taxExemptionQuery(ctx, subscriptions.columnQuery(id, "customerId")),
      ],
      ([[placed], products, [customer]]) => ({
        placed,
        taxClasses: new Map(products.map(({ id, taxClass }) => [id, taxClass])),
        isExempt: customer?.isTaxExempt === true,
      }),
    ),
  );
}

/** What the next renewal costs with the taxes of now, in one round trip after the prefetch. */
export async function findRenewalTotal(
  ctx: ShopContext,
  subscription: Subscription,
  prefetch: Prefetch<RenewalTaxSource>,
): Promise<number> {
  const { placed, taxClasses, isExempt } = await prefetch.load();
  const place = taxPlaceOfOrder(ctx.business, placed ?? noOrder);
  const { rates } = await findPlaceRates(ctx, place);
  const terms = { place, rates, isExempt, customerId: subscription.customerId };
  const taxes = { taxClasses, rates: taxTreatmentOf(terms, ctx.business.settings.tax) };
  return renewalPrice(subscription, taxes).totalPriceMinor;
}

const noOrder = { orderType: "delivery", addressInfo: null, locationId: null } as const;

/** Prefetches the current taxes of a renewal, for the batch that reads its products. */
export function prefetchRenewalTerms(
  ctx: ShopContext,
  { customerId }: Pick<Subscription, "customerId">,
  first: Order,
): Prefetch<TaxTerms> {
  const place = taxPlaceOfOrder(ctx.business, first);
  return createPrefetch(ctx.db, () =>
    batchedRead(
      [placeRatesQuery(ctx, place), taxExemptionQuery(ctx, customerId)],
      ([rows, [customer]]) => ({
        place,
        rates: rows.map(toPlaceRate),
        customerId,
        isExempt: customer?.isTaxExempt === true,
      }),
    ),
  );
}
