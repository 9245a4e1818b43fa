import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { groupsTargetedByDeals } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiResponse,
  contextFor,
  createBusiness,
  dataOf,
  roundTrips,
  shopper,
} from "../support/world.ts";

const few = 20;
const many = 10 * few;

/**
 * Creates a shop with `count` products that are in every targeted group, and `count` more groups of
 * each kind without any of them.
 */
async function createGroupedShop(count: number): Promise<CreatedBusiness> {
  const shop = await createBusiness();
  const write = (query: string) => selectRows(shop, query, shop.business.id, count);
  const numbers = "numbers (n) as (select 1 union all select n + 1 from numbers where n < ?2)";
  await write(`with recursive ${numbers},
    named (name, parent) as (values ('above', null), ('own', 'above')
      union all select 'beside' || n, 'above' from numbers)
    insert into categories (id, business_id, name, slug, description, parent_id, sort_order, metadata,
      created_at, updated_at)
    select ?1 || name, ?1, name, name, '', ?1 || parent, 0, '{}', 0, 0 from named`);
  await write(`with recursive ${numbers},
    named (name, rule) as (values ('list', null), ('tag', '{"tags":["new"]}'),
        ('tags', '{"tags":["new","red"]}')
      union all select 'other' || n, json_object('tags', json_array('t' || n)) from numbers
      union all select 'both' || n, json_object('tags', json_array('new', 't' || n)) from numbers)
    insert into collections (id, business_id, name, slug, description, sort_order, metadata, rule,
      created_at, updated_at)
    select ?1 || name, ?1, name, name, '', 0, '{}', rule, 0, 0 from named`);
  await write(`with recursive ${numbers}
    insert into products (id, business_id, name, slug, description, category_id,
      default_price_minor, product_type, inventory_type, is_active, is_featured, tags, properties,
      images, variant_axes, add_ons, created_at, updated_at)
    select ?1 || 'p' || n, ?1, 'P', 'p' || n, '', ?1 || 'own', 1000, 'product', 'none', 1, 0,
      '["new","red"]', '{}', '[]', '[]', '[]', n, 0 from numbers`);
  await write(`insert into collection_products (collection_id, product_id, position)
    select ?1 || 'list', id, created_at from products where business_id = ?1 and ?2`);
  return shop;
}

const dealFor = (
  shop: CreatedBusiness,
  scope: "collection" | "category",
  name: string,
  more = {},
) => createDeal(shop, { appliesTo: { scope, ids: [shop.business.id + name] }, ...more });

type ShopperRequest = ReturnType<typeof shopper>;

const add = (ask: ShopperRequest, { business }: CreatedBusiness, item_id = `${business.id}p7`) =>
  ask("POST", "/cart/items", { body: { item_id, quantity: 1 } });

/** The discount of a response, and the rows read in total and for groups. */
async function costOf(ask: () => Promise<ApiResponse>) {
  const answers: ApiResponse[] = [];
  const { rowsRead, rowsReadBySql: readBy } = await measureD1Usage(async () => {
    answers.push(await ask());
  });
  const ofGroups = [...readBy]
    .filter(([text]) => text.includes("of_collections"))
    .reduce((sum, [, rows]) => sum + rows, 0);
  const [answer] = answers;
  return {
    discount: answer && dataOf(answer).pricing.discount_total,
    d1: answer && roundTrips(answer).d1,
    ...{ rowsRead, ofGroups },
  };
}

it("costs the same for other products in the targeted groups", async () => {
  const costs = async (count: number) => {
    const shop = await createGroupedShop(count);
    for (const name of ["list", "tag", "tags"])
      await dealFor(shop, "collection", name, { code: name });
    await dealFor(shop, "category", "above", { code: "above" });
    const ask = shopper(shop);
    const read = [await costOf(() => add(ask, shop))];
    for (const coupon_code of ["list", "tag", "tags", "above"]) {
      const apply = () => ask("POST", "/cart/coupons", { body: { coupon_code } });
      read.push(await costOf(apply));
    }
    return read;
  };
  const ofFew = await costs(few);
  expect(await costs(many)).toEqual(ofFew);
  const [first, ...coupons] = ofFew;
  expect(first?.d1).toBeLessThanOrEqual(2);
  expect(coupons.map(({ discount }) => discount)).toEqual(["1.00", "1.00", "1.00", "1.00"]);
});

it("reads no groups when no deal targets one", async () => {
  const shop = await createGroupedShop(few);
  const bare = await createBusiness();
  const { id } = await createProduct(bare);
  await createDeal(shop);
  await createDeal(bare);
  const { discount, ofGroups } = await costOf(() => add(shopper(shop), shop));
  expect(discount).toBe("1.00");
  expect(ofGroups).toBe((await costOf(() => add(shopper(bare), bare, id))).ofGroups);
});

it("uses an index to find that no current deal targets a group", async () => {
  const [never, over] = [await createGroupedShop(few), await createGroupedShop(few)];
  for (const endsAt of [1_000, 2_000, 3_000]) await dealFor(over, "collection", "list", { endsAt });
  const { ofGroups } = await costOf(() => add(shopper(never), never));
  expect(await costOf(() => add(shopper(over), over))).toMatchObject({
    discount: "0.00",
    ofGroups,
  });

  const { db, business } = contextFor(over);
  const { collections } = groupsTargetedByDeals({ business, now: () => 1 });
  const { sql: text, params } = db.select({ isAsked: collections }).from(sql`(select 1)`).toSQL();
  const plan = await selectRows(over, `explain query plan ${text}`, ...params);
  const searched = plan.filter(({ detail }) => String(detail).startsWith("SEARCH "));
  expect(searched.map(({ detail }) => String(detail).replace(/^.* INDEX /, ""))).toEqual([
    "deals_by_scope (business_id=? AND scope=? AND ends_at=?)",
    "deals_by_scope (business_id=? AND scope=? AND ends_at>?)",
    "deals_by_buy_scope (business_id=? AND buy_scope=? AND ends_at=?)",
    "deals_by_buy_scope (business_id=? AND buy_scope=? AND ends_at>?)",
  ]);
});
