import { asc, type SQL, sql } from "drizzle-orm";
import {
  type CatalogueReader,
  categoriesAbove,
  type GroupsAsked,
  strangersAmong,
  versionQuery,
} from "../catalogue/index.ts";
import type { Coverage } from "../pricing/index.ts";
import { type AppliesTo, codeKeyOf, type Deal, type DealScope, type LiveDeal } from "./deal.ts";
import { type DealRow, dealFromRow } from "./deal-repo.ts";
import { deals, dealTargets } from "./tables.ts";

/** Far more automatic deals than anybody runs at once; the oldest count. */
const maxAutomatic = 500;

/** A business's deals as shoppers meet them, each read one round trip. */
export function offerRepo({ db, business }: CatalogueReader) {
  /** The automatic deals that are not over, and the deal of a code, over or not; each by the index. */
  const offerQuery = (couponCode: string | null, now: number) =>
    db
      .select()
      .from(deals)
      .where(sql`${deals.id} in (${offeredIds(business, couponCode, now)})`)
      .orderBy(asc(deals.id));

  /**
   * The deals that may be used now and are for one of a scope's `ids`. What is over is passed by along
   * the key of the targets, where what is off or used up has no place.
   */
  const usableQuery = (scope: DealScope, ids: SQL, now: number) =>
    db
      .select()
      .from(deals)
      .where(
        sql`${deals.id} in (select distinct one.deal_id from ${dealTargets} as one
          where one.business_id = ${business.id} and one.scope = ${scope}
            and one.target_id in (${ids}) and one.ends_at > ${now}
            and coalesce(one.starts_at <= ${now}, 1)
          order by one.deal_id limit ${maxAutomatic})`,
      )
      .orderBy(asc(deals.id));

  return {
    offerQuery,
    usableQuery,

    /** As `offerQuery`, with the version of the catalogue that it was read at. */
    async findOffer(couponCode: string | null, now: number) {
      const [known, rows] = await db.batch([
        versionQuery(db, business.id),
        offerQuery(couponCode, now),
      ]);
      return { version: known[0]?.version ?? 0, rows };
    },

    /** Deals that may be used now on a category's products: its own and those of what it stands below; null for an unknown one. */
    async ofCategory(categoryId: string, now: number): Promise<readonly Deal[] | null> {
      const above = categoriesAbove(business, categoryId);
      const [known, rows] = await db.batch([
        db.select({ id: sql<string>`above.id` }).from(sql`(${above}) as above`),
        usableQuery("category", above, now),
      ]);
      return known.length === 0 ? null : rows.map(dealFromRow);
    },

    /** Deals that may be used now on a collection's products; null for an unknown one. */
    async ofCollection(collectionId: string, now: number): Promise<readonly Deal[] | null> {
      const unknown = strangersAmong(business, "collection", [collectionId]);
      const [strangers, rows] = await db.batch([
        db.select({ id: sql<string>`one.id` }).from(sql`(${unknown}) as one`),
        usableQuery("collection", sql`select ${collectionId}`, now),
      ]);
      return strangers.length > 0 ? null : rows.map(dealFromRow);
    },
  };
}

/** A query of the ids of what a cart with a code may have. */
export const offeredIds = (business: { id: string }, couponCode: string | null, now: number) => sql`
  select id from (select one.id from ${deals} as one
    where one.business_id = ${business.id} and one.archived_at is null
      and one.code_key is null and coalesce(one.ends_at > ${now}, 1)
    order by one.id limit ${maxAutomatic})
  union all
  select one.id from ${deals} as one
  where one.business_id = ${business.id} and one.archived_at is null
    and one.code_key = ${couponCode === null ? null : codeKeyOf(couponCode)}`;

export function liveDealFromRow(row: DealRow): LiveDeal {
  const deal = dealFromRow(row);
  return { ...deal, coverage: coverageOf(deal.appliesTo) };
}

function coverageOf({ scope, ids }: AppliesTo): Coverage {
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
 * The groups of products that deals may be for: of a scope that no deal has which is not over, none is
 * read. A deal that comes, or comes back, raises the catalogue's version.
 */
export const groupsInDeals = ({
  business,
  now,
}: Pick<CatalogueReader, "business"> & { now: () => number }): GroupsAsked => {
  const at = now();
  const hasDeal = (scope: DealScope, isLeft: SQL) => sql`exists (select 1 from ${deals} as one
    where one.business_id = ${business.id} and one.scope = ${scope} and one.archived_at is null
      and one.ends_at ${isLeft})`;
  const isAsked = (scope: DealScope) =>
    sql`(${hasDeal(scope, sql`is null`)} or ${hasDeal(scope, sql`> ${at}`)})`;
  return { categories: isAsked("category"), collections: isAsked("collection") };
};
