import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { changedSince } from "../products/product-write-repo.ts";
import type { BillingPlan } from "./billing-plan.ts";
import { planFrom } from "./plans-of-products-repo.ts";
import { billingPlans } from "./tables.ts";

/** A plan as its merchant sees it, with what a change of it is guarded by. */
export type BillingPlanRecord = Readonly<{
  plan: BillingPlan;
  updatedAt: number;
  archivedAt: number | null;
}>;

type BillingPlanRow = typeof billingPlans.$inferSelect;

/** A merchant's billing plans; each read is one round trip. */
export function billingPlanRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(billingPlans.businessId, business.id);
  const live = and(own, isNull(billingPlans.archivedAt));

  async function one(condition: SQL | undefined): Promise<BillingPlanRecord> {
    const [row] = await db.select().from(billingPlans).where(condition);
    if (!row) throw notFound("billing plan");
    return recordFrom(row);
  }

  return {
    get: (id: string) => one(and(live, eq(billingPlans.id, id))),

    getEvenArchived: (id: string) => one(and(own, eq(billingPlans.id, id))),

    /** In the order of creation. */
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
        .where(and(live, after === null ? undefined : gt(billingPlans.id, after)))
        .orderBy(asc(billingPlans.id))
        .limit(limit);
      return rows.map(recordFrom);
    },

    insert: (plan: BillingPlan, now: number): Write =>
      db
        .insert(billingPlans)
        .values({ ...plan, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `billing_plans.updated_at` when the row is not as it was read. */
    update: (before: BillingPlanRecord, { id, ...fields }: BillingPlan, updatedAt: number): Write =>
      db
        .update(billingPlans)
        .set({ ...fields, updatedAt: changedSince(billingPlans, before, { updatedAt }) })
        .where(and(own, eq(billingPlans.id, id))),

    archive: (before: BillingPlanRecord, updatedAt: number): Write =>
      db
        .update(billingPlans)
        .set({
          archivedAt: updatedAt,
          updatedAt: changedSince(billingPlans, before, { updatedAt }),
        })
        .where(and(own, eq(billingPlans.id, before.plan.id))),
  };
}

const recordFrom = (row: BillingPlanRow): BillingPlanRecord => ({
  plan: planFrom(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
