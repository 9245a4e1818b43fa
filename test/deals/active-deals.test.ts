import { type SQL, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { categoryAndAncestorIds } from "../../shared/catalogue/index.ts";
import { offerRepo } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import { createDealGroups, type DealGroups } from "./create-groups.ts";

let shop: CreatedBusiness;
let groups: DealGroups;
let now: number;

beforeEach(async () => {
  shop = await createBusiness();
  groups = await createDealGroups(shop);
  now = Date.now();
});

describe("active deals of a category and of a collection", () => {
  /**
   * Creates `count` deals each that have ended, are inactive, exhausted or archived, or target
   * something else.
   */
  const createOtherDeals = (count: number) =>
    selectRows(
      shop,
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?2),
       kinds (kind, ends_at, usage_limit, is_active, archived_at, target) as (values
         ('over', 1000, null, 1, null, null), ('off', null, null, 0, null, null),
         ('used', null, 1, 1, null, null), ('gone', null, null, 1, 1000, null),
         ('else', null, null, 1, null, 'another'))
       insert into deals (id, business_id, name, description, discount_type, percent, scope, scope_ids,
         ends_at, usage_limit, times_redeemed, is_active, archived_at, created_at, updated_at)
       select ?1 || kind || n || scope.key, ?1, kind, '', 'percentage', '10', scope.key,
         json_array(coalesce(target, scope.value)), ends_at, usage_limit, coalesce(usage_limit, 0),
         is_active, archived_at, 0, 0 from numbers, kinds, json_each(?3) as scope`,
      shop.business.id,
      count,
      JSON.stringify({ category: groups.category, collection: groups.collection }),
    );

  it("cost the same with many other deals", async () => {
    const { category: own, parentCategory: above, collection: list } = groups;
    for (const id of [own, above])
      await createDeal(shop, { appliesTo: { scope: "category", ids: [id] } });
    await createDeal(shop, { appliesTo: { scope: "collection", ids: [list] } });
    const read = async (scope: "category" | "collection") => {
      let count: number | undefined;
      const { rowsRead } = await measureD1Usage(async () => {
        const group = { scope, id: groups[scope] };
        count = (await offerRepo(contextFor(shop)).listForGroup(group, now)).deals?.length;
      });
      return [rowsRead, count];
    };
    const costs = async () => [await read("category"), await read("collection")];
    const alone = await costs();
    expect(alone.map(([, count]) => count)).toEqual([2, 1]);
    await createOtherDeals(100);
    expect(await costs()).toEqual(alone);
  });

  it("are the first 500", async () => {
    await selectRows(
      shop,
      `with recursive numbers (n) as (select 100 union all select n + 1 from numbers where n < 601)
       insert into deals (id, business_id, name, description, discount_type, percent, scope, scope_ids,
         ends_at, is_active, created_at, updated_at)
       select ?1 || n, ?1, 'D', '', 'percentage', '10', 'category', json_array(?2, ?3), ?4 - n, 1, 0, 0
       from numbers`,
      shop.business.id,
      groups.category,
      groups.parentCategory,
      now + 10_000,
    );
    const group = { scope: "category", id: groups.category } as const;
    const { deals } = await offerRepo(contextFor(shop)).listForGroup(group, now);
    const first = Array.from({ length: 500 }, (_, n) => `${shop.business.id}${100 + n}`);
    expect(deals?.map(({ id }) => id)).toEqual(first);
  });

  it("are read by the primary key of deal_targets", async () => {
    const { business } = contextFor(shop);
    const planOf = async (scope: "category" | "collection", ids: SQL) => {
      const query = offerRepo(contextFor(shop)).usableDealsQuery(scope, ids, now).toSQL();
      const rows = await selectRows(shop, `explain query plan ${query.sql}`, ...query.params);
      return rows.map(({ detail }) => String(detail));
    };
    const plans = [
      await planOf("category", categoryAndAncestorIds(business, groups.category)),
      await planOf("collection", sql`select ${groups.collection}`),
    ];
    for (const plan of plans) {
      expect(plan).toContain("SEARCH deals USING INDEX sqlite_autoindex_deals_1 (id=?)");
      expect(plan).toContain(
        "SEARCH target USING PRIMARY KEY (business_id=? AND scope=? AND target_id=? AND ends_at>?)",
      );
      expect(plan.filter((step) => /^SCAN (?!above|CONSTANT)/.test(step))).toEqual([]);
    }
  });

  it("are recomputed by deal id", async () => {
    const query = "explain query plan select * from deal_targets_due where deal_id = 'x'";
    expect((await selectRows(shop, query)).map(({ detail }) => detail)).toEqual([
      "SEARCH deal USING INDEX sqlite_autoindex_deals_1 (id=?)",
      "SCAN target VIRTUAL TABLE INDEX 1:",
    ]);
  });
});
