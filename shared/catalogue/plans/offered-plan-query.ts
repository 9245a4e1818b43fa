import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import type { ListedProduct } from "../listing/product-list.ts";
import { listedProductColumns } from "../listing/product-list-query.ts";
import { products } from "../tables.ts";
import type { BillingPlan } from "./billing-plan.ts";
import { toBillingPlan } from "./billing-plan-repo.ts";
import { billingPlans } from "./tables.ts";

/** A billing plan with the active products that can be subscribed to with it. */
type OfferedPlan = Readonly<{ plan: BillingPlan; products: readonly ListedProduct[] }>;

const maxPlans = 100;
const maxProducts = 200;

/**
 * The billing plans of which a product is sold, in the order of creation, with their newest
 * products, in one round trip.
 */
export async function listOfferedPlans({
  db,
  business,
}: CatalogueReader): Promise<AtVersion<OfferedPlan[]>> {
  const [versionRows, productRows, planRows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ ...listedProductColumns(), billingPlanIds: products.billingPlanIds })
      .from(products)
      .where(
        and(
          eq(products.businessId, business.id),
          // Written as in the index `products_with_plans`, without parameters.
          sql`${products.billingPlanIds} <> '[]' and ${products.isActive} = 1`,
          isNull(products.archivedAt),
        ),
      )
      .orderBy(desc(products.createdAt), desc(products.id))
      .limit(maxProducts),
    db
      .select()
      .from(billingPlans)
      .where(and(eq(billingPlans.businessId, business.id), isNull(billingPlans.archivedAt)))
      .orderBy(asc(billingPlans.id))
      .limit(maxPlans),
  ]);
  const offered = planRows.map((row) => ({
    plan: toBillingPlan(row),
    products: productRows.filter(({ billingPlanIds }) => billingPlanIds.includes(row.id)),
  }));
  return {
    version: parseVersion(versionRows),
    data: offered.filter(({ products: sold }) => sold.length > 0),
  };
}
