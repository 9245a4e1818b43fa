import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  type Db,
  isRowOfBusiness,
  updatedAtUnlessChanged,
  type Write,
} from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { hasIdOrSlug, isPubliclyVisible } from "../product-conditions-query.ts";
import { products } from "../tables.ts";
import type { BillingPlan } from "./billing-plan.ts";
import { billingPlans } from "./tables.ts";

/** A billing plan as the merchant sees it. The times are used to detect concurrent changes. */
export type BillingPlanRecord = Readonly<{
  plan: BillingPlan;
  updatedAt: number;
  archivedAt: number | null;
}>;

type BillingPlanRow = typeof billingPlans.$inferSelect;

/** Reads and writes a merchant's billing plans; each read is one round trip. */
export function billingPlanRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(billingPlans.businessId, business.id);
  const isLive = and(isOwned, isNull(billingPlans.archivedAt));

  async function getOne(condition: SQL | undefined): Promise<BillingPlanRecord> {
    const [row] = await db.select().from(billingPlans).where(condition);
    if (!row) throw notFound("billing plan");
    return toRecord(row);
  }

  return {
    get: (id: string) => getOne(and(isLive, eq(billingPlans.id, id))),

    getEvenArchived: (id: string) => getOne(and(isOwned, eq(billingPlans.id, id))),

    /**
     * Lists billing plans in the order of creation. `after` is the last id of the previous page.
     */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<BillingPlanRecord[]> {
      const rows = await db
        .select()
        .from(billingPlans)
        .where(and(isLive, after === null ? undefined : gt(billingPlans.id, after)))
        .orderBy(asc(billingPlans.id))
        .limit(limit);
      return rows.map(toRecord);
    },

    insert: (plan: BillingPlan, now: number): Write =>
      db
        .insert(billingPlans)
        .values({ ...plan, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `billing_plans.updated_at` if the row has changed since it was read. */
    update: (before: BillingPlanRecord, { id, ...fields }: BillingPlan, updatedAt: number): Write =>
      db
        .update(billingPlans)
        .set({ ...fields, updatedAt: updatedAtUnlessChanged(billingPlans, before, { updatedAt }) })
        .where(and(isOwned, eq(billingPlans.id, id))),

    archive: (before: BillingPlanRecord, updatedAt: number): Write =>
      db
        .update(billingPlans)
        .set({
          archivedAt: updatedAt,
          updatedAt: updatedAtUnlessChanged(billingPlans, before, { updatedAt }),
        })
        .where(and(isOwned, eq(billingPlans.id, before.plan.id))),
  };
}

/** Selects the plans of products that are not archived; `productIds` is a query of ids. */
export const productPlansQuery = (db: Db, business: { id: string }, productIds: SQL) =>
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

/**
 * The size of an order, as stated by the shopper. A null value is not compared with a plan's
 * minimum.
 */
export type OrderSize = Readonly<{ quantity: number | null; valueMinor: number | null }>;

/**
 * The plans of an active product whose minimums the order meets. One round trip; null for an
 * unknown product.
 */
export async function findEligiblePlans(
  { db, business }: CatalogueReader,
  idOrSlug: string,
  { quantity, valueMinor }: OrderSize,
): Promise<AtVersion<BillingPlan[] | null>> {
  const isProduct = and(hasIdOrSlug(business, idOrSlug), isPubliclyVisible(business));
  const [versionRows, productRows, planRows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db.select({ id: products.id }).from(products).where(isProduct),
    db
      .select()
      .from(billingPlans)
      .where(
        and(
          sql`${billingPlans.id} in (select plan.value
            from ${products}, json_each(${products.billingPlanIds}) as plan where ${isProduct})`,
          isRowOfBusiness(billingPlans.businessId, business),
          isNull(billingPlans.archivedAt),
          quantity === null ? undefined : lte(billingPlans.minQuantity, quantity),
          valueMinor === null ? undefined : lte(billingPlans.minOrderValueMinor, valueMinor),
        ),
      )
      .orderBy(asc(billingPlans.id)),
  ]);
  const data = productRows.length === 0 ? null : planRows.map(toBillingPlan);
  return { version: parseVersion(versionRows), data };
}

export function toBillingPlan(row: BillingPlanRow): BillingPlan {
  const { businessId: _, archivedAt: __, createdAt: ___, updatedAt: ____, ...plan } = row;
  return plan;
}

const toRecord = (row: BillingPlanRow): BillingPlanRecord => ({
  plan: toBillingPlan(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
