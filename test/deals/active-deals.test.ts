import { type SQL, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { categoriesAbove } from "../../shared/catalogue/index.ts";
import { offerRepo } from "../../shared/deals/index.ts";
import { givenDeal } from "../support/deals.ts";
import { paidFor } from "../support/rows-read.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { type Groups, givenGroups } from "./given.ts";

let shop: CreatedBusiness;
let groups: Groups;
let now: number;

beforeEach(async () => {
  shop = await givenBusiness();
  groups = await givenGroups(shop);
  now = Date.now();
});

describe("the active deals of a category and of a collection", () => {
  const paths = () => [
    `/catalogue/categories/${groups.own}/deals`,
    `/catalogue/collections/${groups.list}/deals`,
  ];

  /** So many deals each that are over, off, used up, archived, and for something else. */
  const givenOthers = (count: number) =>
    rowsOf(
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
      JSON.stringify({ category: groups.own, collection: groups.list }),
    );

  it("cost the same however many others there are", async () => {
    const { own, above, list } = groups;
    for (const id of [own, above])
      await givenDeal(shop, { appliesTo: { scope: "category", ids: [id] } });
    await givenDeal(shop, { appliesTo: { scope: "collection", ids: [list] } });
    const read = async (path: string) => {
      const ask = shopper(shop);
      await ask("GET", path);
      const found: unknown[] = [];
      const { rowsRead } = await paidFor(async () => {
        const answer = await ask("GET", path);
        found.push(roundTrips(answer).d1, Object(answer.body).data.length);
      });
      return [rowsRead, ...found];
    };
    const costs = async () => [await read(paths()[0] ?? ""), await read(paths()[1] ?? "")];
    const alone = await costs();
    expect(alone.map(([, ...rest]) => rest)).toEqual([
      [1, 2],
      [1, 1],
    ]);
    await givenOthers(100);
    expect(await costs()).toEqual(alone);
  });

  it("are the first 500, though an older one ends later", async () => {
    await rowsOf(
      shop,
      `with recursive numbers (n) as (select 100 union all select n + 1 from numbers where n < 601)
       insert into deals (id, business_id, name, description, discount_type, percent, scope, scope_ids,
         ends_at, is_active, created_at, updated_at)
       select ?1 || n, ?1, 'D', '', 'percentage', '10', 'category', json_array(?2, ?3), ?4 - n, 1, 0, 0
       from numbers`,
      shop.business.id,
      groups.own,
      groups.above,
      now + 10_000,
    );
    const found = await offerRepo(contextFor(shop)).ofCategory(groups.own, now);
    const first = Array.from({ length: 500 }, (_, n) => `${shop.business.id}${100 + n}`);
    expect(found?.map(({ id }) => id)).toEqual(first);
  });

  it("are read along the key of the targets and the ids that it gives", async () => {
    const { business } = contextFor(shop);
    const planOf = async (scope: "category" | "collection", ids: SQL) => {
      const query = offerRepo(contextFor(shop)).usableQuery(scope, ids, now).toSQL();
      const rows = await rowsOf(shop, `explain query plan ${query.sql}`, ...query.params);
      return rows.map(({ detail }) => String(detail));
    };
    const plans = [
      await planOf("category", categoriesAbove(business, groups.own)),
      await planOf("collection", sql`select ${groups.list}`),
    ];
    for (const plan of plans) {
      expect(plan).toContain("SEARCH deals USING INDEX sqlite_autoindex_deals_1 (id=?)");
      expect(plan).toContain(
        "SEARCH one USING PRIMARY KEY (business_id=? AND scope=? AND target_id=? AND ends_at>?)",
      );
      expect(plan.filter((step) => /^SCAN (?!above|CONSTANT)/.test(step))).toEqual([]);
    }
  });

  it("are found out anew by the deal's own id", async () => {
    const query = "explain query plan select * from deal_targets_due where deal_id = 'x'";
    expect((await rowsOf(shop, query)).map(({ detail }) => detail)).toEqual([
      "SEARCH deal USING INDEX sqlite_autoindex_deals_1 (id=?)",
      "SCAN target VIRTUAL TABLE INDEX 1:",
    ]);
  });
});
