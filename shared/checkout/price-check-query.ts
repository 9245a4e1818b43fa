import { type SQL, sql } from "drizzle-orm";
import { quoteLocksUnchanged } from "../cart/index.ts";
import { billingPlansUnchanged, groupsUnchanged, productsUnchanged } from "../catalogue/index.ts";
import { exemptionUnchanged } from "../customers/index.ts";
import { type DealUser, offerUnchanged, scopesOf } from "../deals/index.ts";
import { deliveryMethodUnchanged, hasNoMethods } from "../delivery/index.ts";
import { ratesUnchanged } from "../tax/index.ts";
import type { CheckoutPlan, PricingReads } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

type PricedBy = Pick<CheckoutPlan, "lines" | "delivery"> &
  Readonly<{
    couponCodes: readonly string[];
    /** Whose customer groups decide which deals apply. */
    user: DealUser;
  }>;

/**
 * The condition that everything which priced a plan is still the same in the database. Each record
 * is compared by itself: the version of the whole catalogue also changes during every import.
 */
export function pricesUnchanged(
  { business }: Pick<CheckoutContext, "business">,
  { lines, couponCodes, user, delivery = null }: PricedBy,
  { products, offer, tax, at, ...reads }: PricingReads,
): SQL {
  const plans = new Map(lines.flatMap(({ billingPlan: plan }) => (plan ? [[plan.id, plan]] : [])));
  return sql.join(
    [
      productsUnchanged(business, [...products.values()]),
      ...(plans.size > 0 ? [billingPlansUnchanged(business, [...plans.values()])] : []),
      quoteLocksUnchanged(business, lines, at),
      offerUnchanged(business, offer, { couponCodes, user, at }),
      ratesUnchanged(business, tax),
      ...(tax.customerId === null ? [] : [exemptionUnchanged(business, tax.customerId, tax)]),
      ...deliveryUnchanged(business, { lines, delivery }, reads.delivery),
      ...targetedGroupsUnchanged(business, { lines, products, offer }),
    ],
    sql` and `,
  );
}

/**
 * The method is unchanged, or there is still none to choose from. A pickup depends on nothing in
 * the database.
 */
function deliveryUnchanged(
  business: CheckoutContext["business"],
  { lines, delivery }: Required<Pick<CheckoutPlan, "lines" | "delivery">>,
  terms: PricingReads["delivery"],
): SQL[] {
  if (terms === null) return [];
  if (!delivery) {
    const isShipped = lines.some(({ fulfilment }) => fulfilment?.requiresShipping ?? true);
    return isShipped ? [hasNoMethods(business)] : [];
  }
  const { place, zones } = terms;
  if (delivery.type !== "delivery" || place === null) return [];
  return [deliveryMethodUnchanged(business, { place, zones }, delivery.optionId)];
}

/** For deals on categories or collections: the products still belong to the same ones. */
function targetedGroupsUnchanged(
  business: CheckoutContext["business"],
  {
    lines,
    products,
    offer,
  }: Pick<CheckoutPlan, "lines"> & Pick<PricingReads, "products" | "offer">,
): SQL[] {
  const targets = [...offer.automatic, ...offer.coupons]
    .flatMap(scopesOf)
    .filter(({ scope }) => scope === "category" || scope === "collection");
  if (targets.length === 0) return [];
  const isTargeted = (kind: string) => sql`${targets.some(({ scope }) => scope === kind)}`;
  const lineIds = new Set(lines.map(({ configuration }) => configuration.productId));
  const sold = [...lineIds].flatMap((id) => products.get(id) ?? []);
  const filter = {
    groupIds: new Set(targets.flatMap(({ ids }) => ids)),
    kinds: { categories: isTargeted("category"), collections: isTargeted("collection") },
  };
  return [groupsUnchanged(business, sold, filter)];
}
