import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { targetSoldAt, unknownTargetIds } from "../catalogue/index.ts";
import { type Context, updatedAtUnlessChanged, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { ValueDiscount } from "../pricing/index.ts";
import { type AppliesTo, codeKeyOf, type Deal } from "./deal.ts";
import { deals } from "./tables.ts";

export type DealRow = typeof deals.$inferSelect;

/** A deal with the fields by which concurrent changes are detected. */
export type DealRecord = Readonly<{ deal: Deal; updatedAt: number; archivedAt: number | null }>;

/** Reads and writes the deals of one business; each read is one round trip. */
export function dealRepo({ db, business }: Pick<Context, "db" | "business">) {
  const ofBusiness = eq(deals.businessId, business.id);
  const isLive = and(ofBusiness, isNull(deals.archivedAt));

  return {
    async get(id: string): Promise<DealRecord> {
      const record = await this.getEvenArchived(id);
      if (record.archivedAt !== null) throw notFound("deal");
      return record;
    },

    async getEvenArchived(id: string): Promise<DealRecord> {
      const [row] = await db
        .select()
        .from(deals)
        .where(and(ofBusiness, eq(deals.id, id)));
      if (!row) throw notFound("deal");
      const { updatedAt, archivedAt } = row;
      return { deal: toDeal(row), updatedAt, archivedAt };
    },

    /** The active deal with a code, ignoring case; null when there is none. */
    async findByCode(code: string): Promise<Deal | null> {
      const [row] = await db
        .select()
        .from(deals)
        .where(and(isLive, eq(deals.codeKey, codeKeyOf(code))));
      return row ? toDeal(row) : null;
    },

    /** Whether the location sells a product that the deal applies to. */
    async isUsableAt({ appliesTo: { scope, ids } }: Deal, locationId: string): Promise<boolean> {
      if (scope === "order") return true;
      const target = { kind: scope, ids };
      const rows = await db.all(targetSoldAt(business, target, locationId));
      return rows.length > 0;
    },

    /** Lists deals newest first. `after` is the last id of the previous page. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<Deal[]> {
      const rows = await db
        .select()
        .from(deals)
        .where(and(isLive, after === null ? undefined : lt(deals.id, after)))
        .orderBy(desc(deals.id))
        .limit(limit);
      return rows.map(toDeal);
    },

    /** Returns the target ids that do not exist in the business. */
    async findUnknownTargetIds({ scope, ids }: AppliesTo): Promise<string[]> {
      if (scope === "order" || ids.length === 0) return [];
      const rows = await db.all<{ id: string }>(unknownTargetIds(business, scope, ids));
      return rows.map(({ id }) => id);
    },

    insert: (deal: Deal, now: number): Write =>
      db.insert(deals).values({
        ...toColumns(deal),
        id: deal.id,
        businessId: business.id,
        createdAt: now,
        updatedAt: now,
      }),

    /**
     * Updates all columns except the number of redemptions, which orders change concurrently. Fails
     * on `deals.updated_at` when the row has changed since it was read, and on `deals_usage` when
     * the new limit is below the number of redemptions.
     */
    update: (before: DealRecord, deal: Deal, updatedAt: number): Write =>
      db
        .update(deals)
        .set({
          ...toColumns(deal),
          updatedAt: updatedAtUnlessChanged(deals, before, { updatedAt }),
        })
        .where(and(ofBusiness, eq(deals.id, deal.id))),

    archive: (before: DealRecord, archivedAt: number): Write =>
      db
        .update(deals)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(deals, before, { updatedAt: archivedAt }),
        })
        .where(and(ofBusiness, eq(deals.id, before.deal.id))),
  };
}

function toColumns({ id: _, timesRedeemed: __, discount, appliesTo, ...fields }: Deal) {
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

export function toDeal(row: DealRow): Deal {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    description: row.description,
    discount: toDiscount(row),
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

// A table constraint ensures that the column for the discount's type is not null.
const toDiscount = ({ discountType, percent, amountMinor }: DealRow): ValueDiscount =>
  discountType === "percentage"
    ? { type: discountType, percent: percent ?? "0" }
    : { type: discountType, amountMinor: amountMinor ?? 0 };
