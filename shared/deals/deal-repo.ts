import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { targetSoldAt, unknownTargetIds } from "../catalogue/index.ts";
import { unknownCustomerGroupIds } from "../customers/index.ts";
import { type Context, updatedAtUnlessChanged, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { DealDiscount } from "../pricing/index.ts";
import { codeKeyOf, type Deal, type DealReference, scopesOf } from "./deal.ts";
import { type DealFilter, matchesDealFilter } from "./deal-filter-query.ts";
import { deals } from "./tables.ts";

export type DealRow = typeof deals.$inferSelect;

/** A deal with the fields by which concurrent changes are detected. */
export type DealRecord = Readonly<{ deal: Deal; updatedAt: number; archivedAt: number | null }>;

/** An id that the business has no record of, with the field that names it. */
type UnknownId = Readonly<{ field: string; id: string }>;

/** Reads and writes the deals of one business; each read is one round trip. */
export function dealRepo({ db, business }: Pick<Context, "db" | "business">) {
  const ofBusiness = eq(deals.businessId, business.id);
  const isLive = and(ofBusiness, isNull(deals.archivedAt));

  const unknownIdsQuery = (references: readonly DealReference[]): SQL =>
    sql.join(
      [
        sql`select null as field, null as id where false`,
        ...references.map(
          ({ field, kind, ids }) =>
            sql`select ${field}, id from (${
              kind === "customer group"
                ? unknownCustomerGroupIds(business, ids)
                : unknownTargetIds(business, kind, ids)
            })`,
        ),
      ],
      sql` union all `,
    );

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
      return toRecord(row);
    },

    /** The active deal with a code, ignoring case; null when there is none. */
    async findByCode(code: string): Promise<Deal | null> {
      const [row] = await db
        .select()
        .from(deals)
        .where(and(isLive, eq(deals.codeKey, codeKeyOf(code))));
      return row ? toDeal(row) : null;
    },

    /** Whether the location sells a product of each of the deal's scopes. */
    async isUsableAt(deal: Deal, locationId: string): Promise<boolean> {
      const isSold = scopesOf(deal).flatMap(({ scope, ids }) =>
        scope === "order"
          ? []
          : [sql`exists (${targetSoldAt(business, { kind: scope, ids }, locationId)})`],
      );
      if (isSold.length === 0) return true;
      const [row] = await db.all<{ sold: number }>(
        sql`select ${sql.join(isSold, sql` and `)} as sold`,
      );
      return row?.sold === 1;
    },

    /** Lists deals newest first. `after` is the last id of the previous page. */
    async list(
      { filter, now }: Readonly<{ filter: DealFilter; now: number }>,
      { limit, after }: Readonly<{ limit: number; after: string | null }>,
    ): Promise<Deal[]> {
      const rows = await db
        .select()
        .from(deals)
        .where(
          and(
            isLive,
            matchesDealFilter(filter, now),
            after === null ? undefined : lt(deals.id, after),
          ),
        )
        .orderBy(desc(deals.id))
        .limit(limit);
      return rows.map(toDeal);
    },

    /** The ids that the business has no record of, archived records included. */
    async findUnknownIds(references: readonly DealReference[]): Promise<readonly UnknownId[]> {
      return references.length === 0 ? [] : db.all<UnknownId>(unknownIdsQuery(references));
    },

    /** Reads a deal for an update, and as `findUnknownIds`. */
    async getForUpdate(
      id: string,
      references: readonly DealReference[],
    ): Promise<Readonly<{ record: DealRecord; unknownIds: readonly UnknownId[] }>> {
      const [rows, unknownIds] = await db.batch([
        db
          .select()
          .from(deals)
          .where(and(isLive, eq(deals.id, id))),
        db
          .select({ field: sql<string>`missing.field`, id: sql<string>`missing.id` })
          .from(sql`(${unknownIdsQuery(references)}) as missing`),
      ]);
      const [row] = rows;
      if (!row) throw notFound("deal");
      return { record: toRecord(row), unknownIds };
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

const toRecord = (row: DealRow): DealRecord => ({
  deal: toDeal(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});

function toColumns({ id: _, timesRedeemed: __, discount, appliesTo, buyScope, ...fields }: Deal) {
  const bought = discount.type === "buy_x_get_y" ? discount : null;
  return {
    ...fields,
    codeKey: fields.code === null ? null : codeKeyOf(fields.code),
    discountType: discount.type,
    percent: "percent" in discount ? discount.percent : null,
    amountMinor: discount.type === "fixed_amount" ? discount.amountMinor : null,
    tiers: discount.type === "tiered" ? discount.tiers : null,
    scope: appliesTo.scope,
    scopeIds: appliesTo.ids,
    buyScope: buyScope?.scope ?? null,
    buyScopeIds: buyScope?.ids ?? null,
    buyQuantity: bought?.buyQuantity ?? null,
    getQuantity: bought?.getQuantity ?? null,
    maxUsesPerOrder: bought?.maxUsesPerOrder ?? null,
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
    buyScope: row.buyScope === null ? null : { scope: row.buyScope, ids: row.buyScopeIds ?? [] },
    combinesWith: row.combinesWith,
    customerGroupIds: row.customerGroupIds,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    usageLimit: row.usageLimit,
    timesRedeemed: row.timesRedeemed,
    perCustomerLimit: row.perCustomerLimit,
    isActive: row.isActive,
  };
}

// Table constraints ensure that the columns of the discount's type are not null.
function toDiscount(row: DealRow): DealDiscount {
  const { discountType: type, percent } = row;
  switch (type) {
    case "percentage":
      return { type, percent: percent ?? "0" };
    case "fixed_amount":
      return { type, amountMinor: row.amountMinor ?? 0 };
    case "free_delivery":
      return { type };
    case "tiered":
      return { type, tiers: row.tiers ?? [] };
    case "buy_x_get_y":
      return {
        type,
        buyQuantity: row.buyQuantity ?? 1,
        getQuantity: row.getQuantity ?? 1,
        percent: percent ?? "0",
        maxUsesPerOrder: row.maxUsesPerOrder ?? 1,
      };
  }
}
