import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { changedSince, strangersAmong } from "../catalogue/index.ts";
import type { Context, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { DealDiscount } from "../pricing/index.ts";
import { type AppliesTo, codeKeyOf, type Deal } from "./deal.ts";
import { deals } from "./tables.ts";

export type DealRow = typeof deals.$inferSelect;

/** A deal with what a change of it is guarded by. */
export type DealRecord = Readonly<{ deal: Deal; updatedAt: number; archivedAt: number | null }>;

/** A merchant's deals; each read is one round trip. */
export function dealRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(deals.businessId, business.id);
  const live = and(own, isNull(deals.archivedAt));

  return {
    async getLive(id: string): Promise<DealRecord> {
      const record = await this.getEvenArchived(id);
      if (record.archivedAt !== null) throw notFound("deal");
      return record;
    },

    async getEvenArchived(id: string): Promise<DealRecord> {
      const [row] = await db
        .select()
        .from(deals)
        .where(and(own, eq(deals.id, id)));
      if (!row) throw notFound("deal");
      const { updatedAt, archivedAt } = row;
      return { deal: dealFromRow(row), updatedAt, archivedAt };
    },

    /** The live deal of a code, whatever its case; null for none. */
    async findByCode(code: string): Promise<Deal | null> {
      const [row] = await db
        .select()
        .from(deals)
        .where(and(live, eq(deals.codeKey, codeKeyOf(code))));
      return row ? dealFromRow(row) : null;
    },

    /** Newest first; `after` is the id on which the last page ended. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<Deal[]> {
      const rows = await db
        .select()
        .from(deals)
        .where(and(live, after === null ? undefined : lt(deals.id, after)))
        .orderBy(desc(deals.id))
        .limit(limit);
      return rows.map(dealFromRow);
    },

    /** Ids that a deal cannot be for, since the business has nothing by them. */
    async strangersIn({ scope, ids }: AppliesTo): Promise<string[]> {
      if (scope === "order" || ids.length === 0) return [];
      const found = await db.all<{ id: string }>(strangersAmong(business, scope, ids));
      return found.map(({ id }) => id);
    },

    insert: (deal: Deal, now: number): Write =>
      db.insert(deals).values({
        ...columnsOf(deal),
        id: deal.id,
        businessId: business.id,
        createdAt: now,
        updatedAt: now,
      }),

    /**
     * Everything but what has been redeemed, which moves on its own. Fails on `deals.updated_at` when
     * the row is not as it was read, on `deals_usage` when more was redeemed than the limit lets.
     */
    update: (before: DealRecord, deal: Deal, updatedAt: number): Write =>
      db
        .update(deals)
        .set({ ...columnsOf(deal), updatedAt: changedSince(deals, before, { updatedAt }) })
        .where(and(own, eq(deals.id, deal.id))),

    archive: (before: DealRecord, archivedAt: number): Write =>
      db
        .update(deals)
        .set({ archivedAt, updatedAt: changedSince(deals, before, { updatedAt: archivedAt }) })
        .where(and(own, eq(deals.id, before.deal.id))),
  };
}

function columnsOf({ id: _, timesRedeemed: __, discount, appliesTo, ...fields }: Deal) {
  return {
    ...fields,
    codeKey: fields.code === null ? null : codeKeyOf(fields.code),
    discountType: discount.type,
    percent: discount.type === "percentage" ? discount.percent : null,
    amountMinor: discount.type === "fixed_amount" ? discount.amountMinor : null,
    scope: appliesTo.scope,
    scopeIds: appliesTo.ids,
  };
}

export function dealFromRow(row: DealRow): Deal {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    description: row.description,
    discount: discountFromRow(row),
    minOrderSubtotalMinor: row.minOrderSubtotalMinor,
    maxDiscountMinor: row.maxDiscountMinor,
    appliesTo: { scope: row.scope, ids: row.scopeIds },
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    usageLimit: row.usageLimit,
    timesRedeemed: row.timesRedeemed,
    perCustomerLimit: row.perCustomerLimit,
    isActive: row.isActive,
  };
}

// The column that goes with the type is there: the table says so.
const discountFromRow = ({ discountType, percent, amountMinor }: DealRow): DealDiscount =>
  discountType === "percentage"
    ? { type: discountType, percent: percent ?? "0" }
    : { type: discountType, amountMinor: amountMinor ?? 0 };
