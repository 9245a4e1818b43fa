import { asc, type SQL, sql } from "drizzle-orm";
import {
  type CatalogueReader,
  catalogueVersionQuery,
  categoryAndAncestorIds,
  type ProductGroupFilter,
  unknownTargetIds,
} from "../catalogue/index.ts";
import type { DealCoverage } from "../pricing/index.ts";
import {
  type AppliesTo,
  codeKeyOf,
  type Deal,
  type DealScope,
  type DealWithCoverage,
} from "./deal.ts";
import { type DealRow, toDeal } from "./deal-repo.ts";
import { deals, dealTargets } from "./tables.ts";

/** More automatic deals than any business runs at once; the oldest ones apply. */
const maxAutomaticDeals = 500;

/** The deals that shoppers of a business can use; each read is one round trip. */
export function offerRepo({ db, business }: CatalogueReader) {
  /**
   * Query for the automatic deals that have not ended, and for the deal of a code even if it has.
   */
  const offerQuery = (couponCode: string | null, now: number) =>
    db
      .select()
      .from(deals)
      .where(sql`${deals.id} in (${offeredDealIdsQuery(business, couponCode, now)})`)
      .orderBy(asc(deals.id));

  /**
   * Query for the deals that are usable now and target one of a scope's `ids`. The key of
   * deal_targets skips ended deals, and the table holds no inactive or exhausted ones.
   */
  const usableDealsQuery = (scope: DealScope, ids: SQL, now: number) =>
    db
      .select()
      .from(deals)
      .where(
        sql`${deals.id} in (select distinct target.deal_id from ${dealTargets} as target
          where target.business_id = ${business.id} and target.scope = ${scope}
            and target.target_id in (${ids}) and target.ends_at > ${now}
            and coalesce(target.starts_at <= ${now}, 1)
          order by target.deal_id limit ${maxAutomaticDeals})`,
      )
      .orderBy(asc(deals.id));

  return {
    offerQuery,
    usableDealsQuery,

    /** Reads the deals of `offerQuery` with the catalogue version. */
    async findOffer(couponCode: string | null, now: number) {
      const [versions, rows] = await db.batch([
        catalogueVersionQuery(db, business.id),
        offerQuery(couponCode, now),
      ]);
      return { version: versions[0]?.version ?? 0, rows };
    },

    /**
     * Lists deals usable now on a category's products, including those of its ancestors; null for
     * an unknown category.
     */
    async listForCategory(categoryId: string, now: number): Promise<readonly Deal[] | null> {
      const categoryIds = categoryAndAncestorIds(business, categoryId);
      const [knownIds, rows] = await db.batch([
        db.select({ id: sql<string>`category.id` }).from(sql`(${categoryIds}) as category`),
        usableDealsQuery("category", categoryIds, now),
      ]);
      return knownIds.length === 0 ? null : rows.map(toDeal);
    },

    /** Lists deals usable now on a collection's products; null for an unknown collection. */
    async listForCollection(collectionId: string, now: number): Promise<readonly Deal[] | null> {
      const unknown = unknownTargetIds(business, "collection", [collectionId]);
      const [unknownIds, rows] = await db.batch([
        db.select({ id: sql<string>`missing.id` }).from(sql`(${unknown}) as missing`),
        usableDealsQuery("collection", sql`select ${collectionId}`, now),
      ]);
      return unknownIds.length > 0 ? null : rows.map(toDeal);
    },
  };
}

/** Query of the ids of the deals that may apply to a cart with this code. */
export const offeredDealIdsQuery = (
  business: { id: string },
  couponCode: string | null,
  now: number,
) => sql`
  select id from (select deal.id from ${deals} as deal
    where deal.business_id = ${business.id} and deal.archived_at is null
      and deal.code_key is null and coalesce(deal.ends_at > ${now}, 1)
    order by deal.id limit ${maxAutomaticDeals})
  union all
  select deal.id from ${deals} as deal
  where deal.business_id = ${business.id} and deal.archived_at is null
    and deal.code_key = ${couponCode === null ? null : codeKeyOf(couponCode)}`;

export function toDealWithCoverage(row: DealRow): DealWithCoverage {
  const deal = toDeal(row);
  return { ...deal, coverage: coverageOf(deal.appliesTo) };
}

function coverageOf({ scope, ids }: AppliesTo): DealCoverage {
  switch (scope) {
    case "order":
      return { type: "order" };
    case "product":
      return { type: "products", ids: new Set(ids) };
    case "category":
    case "collection":
      return { type: "groups", ids: new Set(ids) };
  }
}

/**
 * Which product groups have to be read for deals. A scope that no current deal uses is skipped;
 * creating or restoring a deal raises the catalogue version.
 */
export const groupsTargetedByDeals = ({
  business,
  now,
}: Pick<CatalogueReader, "business"> & { now: () => number }): ProductGroupFilter => {
  const at = now();
  const hasDeal = (scope: DealScope, endsAt: SQL) => sql`exists (select 1 from ${deals} as deal
    where deal.business_id = ${business.id} and deal.scope = ${scope} and deal.archived_at is null
      and deal.ends_at ${endsAt})`;
  const isTargeted = (scope: DealScope) =>
    sql`(${hasDeal(scope, sql`is null`)} or ${hasDeal(scope, sql`> ${at}`)})`;
  return { categories: isTargeted("category"), collections: isTargeted("collection") };
};
