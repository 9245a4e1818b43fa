import { and, asc, isNull, lte, sql } from "drizzle-orm";
import type { AtVersion, CatalogueReader } from "../listing/listing-repo.ts";
import { visibleById } from "../listing/product-filter-repo.ts";
import { namedProduct } from "../listing/product-page-repo.ts";
import { ownRow, versionQuery } from "../product-repo.ts";
import { products } from "../tables.ts";
import type { BillingPlan } from "./billing-plan.ts";
import { planFrom } from "./plans-of-products-repo.ts";
import { billingPlans } from "./tables.ts";

/** What is to be ordered, as far as it is known: null narrows nothing. */
export type PlannedOrder = Readonly<{ quantity: number | null; valueMinor: number | null }>;

/**
 * The plans of an active product whose minima the order meets (completions.md 4), in one round
 * trip; null when there is no such product.
 */
export async function findEligiblePlans(
  { db, business }: CatalogueReader,
  idOrSlug: string,
  { quantity, valueMinor }: PlannedOrder,
): Promise<AtVersion<BillingPlan[] | null>> {
  const chosen = and(namedProduct(business, idOrSlug), visibleById(business));
  const [version, found, rows] = await db.batch([
    versionQuery(db, business.id),
    db.select({ id: products.id }).from(products).where(chosen),
    db
      .select()
      .from(billingPlans)
      .where(
        and(
          sql`${billingPlans.id} in (select plan.value
            from ${products}, json_each(${products.billingPlanIds}) as plan where ${chosen})`,
          ownRow(billingPlans.businessId, business),
          isNull(billingPlans.archivedAt),
          quantity === null ? undefined : lte(billingPlans.minQuantity, quantity),
          valueMinor === null ? undefined : lte(billingPlans.minOrderValueMinor, valueMinor),
        ),
      )
      .orderBy(asc(billingPlans.id)),
  ]);
  const data = found.length === 0 ? null : rows.map(planFrom);
  return { version: version[0]?.version ?? 0, data };
}
