import { asc, type SQL, sql } from "drizzle-orm";
import {
  type CatalogueReader,
  catalogueVersionQuery,
  categoryAndAncestorIds,
  type ProductGroupFilter,
  unknownTargetIds,
} from "../catalogue/index.ts";
import { integerLiteral, isRowOfBusiness } from "../database/index.ts";
import type { DealCoverage } from "../pricing/index.ts";
import { codeKeyOf, type Deal, type DealWithCoverage } from "./deal.ts";
import { type DealRow, toDeal } from "./deal-repo.ts";
import type { AppliesTo, DealScope } from "./deal-scope.ts";
import { type DealUser, groupIdsOfUser } from "./redemptions/deal-user-query.ts";
import { deals, dealTargets } from "./tables.ts";

/**
 * The maximum number of automatic deals that are read. When a business has more, the oldest ones
 * apply.
 */
const maxAutomaticDeals = 500;

/** Covers the time for which deals of a group are cached. */
const startsSoonMs = 10_000;

/** A category or a collection whose products a deal may be for. */
export type DealGroup = Readonly<{ scope: "category" | "collection"; id: string }>;

/** The deals that shoppers of a business can use; each read is one round trip. */
export function offerRepo({ db, business }: CatalogueReader) {
  /**
   * Selects the automatic deals that have not ended, and the deals of coupon codes, which may have
   * ended.
   */
  const offerQuery = (couponCodes: readonly string[], now: number) =>
    db
      .select()
      .from(deals)
      .where(sql`${deals.id} in (${offeredDealIdsQuery(business, couponCodes, now)})`)
      .orderBy(asc(deals.id));

  /**
   * Selects the deals that are usable now or start soon and have one of `ids` as target. The key of
   * deal_targets skips ended deals. Inactive and exhausted deals are not in the table. Deals of
   * customer groups are left out, because lists of deals are the same for everybody.
   */
  const usableDealsQuery = (scope: DealScope, ids: SQL, now: number) =>
    db
      .select()
      .from(deals)
      .where(
        sql`${deals.id} in (select distinct target.deal_id from ${dealTargets} as target
          where target.business_id = ${business.id} and target.scope = ${scope}
            and target.target_id in (${ids}) and target.ends_at > ${now}
            and coalesce(target.starts_at <= ${now + startsSoonMs}, 1)
          order by target.deal_id limit ${integerLiteral(maxAutomaticDeals)})
          and ${deals.customerGroupIds} is null`,
      )
      .orderBy(asc(deals.id));

  return {
    offerQuery,
    usableDealsQuery,

    /** Reads the deals of `offerQuery` with the catalogue version. */
    async findOffer(couponCodes: readonly string[], now: number) {
      const [versions, rows] = await db.batch([
        catalogueVersionQuery(db, business.id),
        offerQuery(couponCodes, now),
      ]);
      return { version: versions[0]?.version ?? 0, rows };
    },

    /**
     * Lists the deals on a group's products that are usable now or within seconds, with the catalogue
     * version. A category has the deals of its ancestors too. Null for an unknown group.
     */
    async listForGroup(
      { scope, id }: DealGroup,
      now: number,
    ): Promise<Readonly<{ version: number; deals: readonly Deal[] | null }>> {
      const ids = scope === "category" ? categoryAndAncestorIds(business, id) : sql`select ${id}`;
      const unknown = unknownTargetIds(business, scope, [id]);
      const [versions, unknownIds, rows] = await db.batch([
        catalogueVersionQuery(db, business.id),
        db.select({ id: sql<string>`missing.id` }).from(sql`(${unknown}) as missing`),
        usableDealsQuery(scope, ids, now),
      ]);
      const deals = unknownIds.length > 0 ? null : rows.map(toDeal);
      return { version: versions[0]?.version ?? 0, deals };
    },
  };
}

/** Selects the ids of the deals that may apply to a cart with these coupon codes. */
export const offeredDealIdsQuery = (
  business: { id: string },
  couponCodes: readonly string[],
  now: number,
) => sql`
  select id from (select deal.id from ${deals} as deal
    where deal.business_id = ${business.id} and deal.archived_at is null
      and deal.code_key is null and coalesce(deal.ends_at > ${now}, 1)
    order by deal.id limit ${integerLiteral(maxAutomaticDeals)})
  union all
  select deal.id from ${deals} as deal
  where deal.business_id = ${business.id} and deal.archived_at is null
    and deal.code_key in (select value from json_each(${JSON.stringify(couponCodes.map(codeKeyOf))}))`;

/** The deals that may apply to a cart: the automatic ones, and those of its coupons. */
export type OfferedDeals = Readonly<{
  automatic: readonly DealWithCoverage[];
  coupons: readonly DealWithCoverage[];
}>;

type OfferCheck = Readonly<{
  couponCodes: readonly string[];
  user: DealUser;
  at: number;
}>;

/**
 * The condition that a cart is offered the same deals as when they were read, all unchanged. A deal
 * that was created since fails it, and so does another customer group of the user. Uses are not
 * compared, because redeeming counts them.
 */
export function offerUnchanged(
  business: { id: string },
  { automatic, coupons }: OfferedDeals,
  { couponCodes, user, at }: OfferCheck,
): SQL {
  const isCurrent = ({ endsAt }: DealWithCoverage) => endsAt === null || endsAt > at;
  const expected = [...automatic.filter(isCurrent), ...coupons].map(({ id, updatedAt }) => [
    id,
    updatedAt,
  ]);
  return sql`(select count(*) from ${deals} where deals.id in (${offeredDealIdsQuery(business, couponCodes, at)})
      and ${isOpenTo(business, user)}) = ${expected.length}
    and (select count(*) from json_each(${JSON.stringify(expected)}) as expected
      cross join ${deals} on ${deals.id} = expected.value ->> 0
      where ${isRowOfBusiness(deals.businessId, business)} and ${deals.archivedAt} is null
        and ${deals.updatedAt} = expected.value ->> 1) = ${expected.length}`;
}

/** The condition that a deal is for everybody, or for a customer group of the user. */
const isOpenTo = (business: { id: string }, user: DealUser): SQL =>
  sql`(deals.customer_group_ids is null or exists (
    select 1 from json_each(deals.customer_group_ids) as allowed
    where allowed.value in (${groupIdsOfUser(business, user)})))`;

export function toDealWithCoverage(row: DealRow): DealWithCoverage {
  const deal = toDeal(row);
  return {
    ...deal,
    coverage: coverageOf(deal.appliesTo),
    ...(deal.buyScope && { buyCoverage: coverageOf(deal.buyScope) }),
    updatedAt: row.updatedAt,
  };
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
 * Which kinds of product groups must be read for deals. A kind that no current deal targets is
 * skipped. Creating or restoring a deal raises the catalogue version, so that the kind is read
 * again.
 */
export const groupsTargetedByDeals = ({
  business,
  now,
}: Pick<CatalogueReader, "business"> & { now: () => number }): ProductGroupFilter => {
  const at = now();
  const hasDeal = (condition: SQL, endsAt: SQL) => sql`exists (select 1 from ${deals} as deal
    where deal.business_id = ${business.id} and ${condition} and deal.archived_at is null
      and deal.ends_at ${endsAt})`;
  const hasCurrentDeal = (condition: SQL) =>
    sql`(${hasDeal(condition, sql`is null`)} or ${hasDeal(condition, sql`> ${at}`)})`;
  // Each column has an index of its own.
  const isTargeted = (scope: DealScope) =>
    sql`(${hasCurrentDeal(sql`deal.scope = ${scope}`)} or ${hasCurrentDeal(sql`deal.buy_scope = ${scope}`)})`;
  return { categories: isTargeted("category"), collections: isTargeted("collection") };
};
