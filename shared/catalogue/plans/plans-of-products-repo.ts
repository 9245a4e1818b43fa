import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import { products } from "../tables.ts";
import type { BillingPlan } from "./billing-plan.ts";
import { billingPlans } from "./tables.ts";

type BillingPlanRow = typeof billingPlans.$inferSelect;

/** The statement that reads the plans of products, archived ones left out; `productIds` is a query of ids. */
export const plansOfProductsQuery = (db: Db, business: { id: string }, productIds: SQL) =>
  db
    .select()
    .from(billingPlans)
    .where(
      and(
        eq(billingPlans.businessId, business.id),
        sql`${billingPlans.id} in (select chosen.value
          from ${products}, json_each(${products.billingPlanIds}) as chosen
          where ${products.id} in (${productIds}))`,
        isNull(billingPlans.archivedAt),
      ),
    )
    .orderBy(asc(billingPlans.id));

export function planFrom(row: BillingPlanRow): BillingPlan {
  const { businessId: _, archivedAt: __, createdAt: ___, updatedAt: ____, ...plan } = row;
  return plan;
}
