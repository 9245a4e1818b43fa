import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { groupsInDeals } from "../../shared/deals/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { dataOf } from "../support/orders.ts";
import { paidFor } from "../support/rows-read.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";

const few = 20;
const many = 10 * few;

/**
 * A shop with so many products, all of them in each group that a code is for, and as many more groups
 * of each kind in which none of them is: collections that begin with the same tag, categories beside.
 */
async function givenShop(count: number): Promise<CreatedBusiness> {
  const shop = await givenBusiness();
  const write = (query: string) => rowsOf(shop, query, shop.business.id, count);
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
) => givenDeal(shop, { appliesTo: { scope, ids: [shop.business.id + name] }, ...more });

type Ask = ReturnType<typeof shopper>;

const add = (ask: Ask, { business }: CreatedBusiness, item_id = `${business.id}p7`) =>
  ask("POST", "/cart/items", { body: { item_id, quantity: 1 } });

/** What an answer has taken off, and what it has read: in all, and of groups alone. */
async function costOf(ask: () => Promise<Answer>) {
  const answers: Answer[] = [];
  const { rowsRead, readBy } = await paidFor(async () => {
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

it("a cart's cold read costs the same whatever else is in the groups that deals are for", async () => {
  const costs = async (count: number) => {
    const shop = await givenShop(count);
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

it("nothing is read of groups where no deal is for any", async () => {
  const shop = await givenShop(few);
  const bare = await givenBusiness();
  const { id } = await givenProduct(bare);
  await givenDeal(shop);
  await givenDeal(bare);
  const { discount, ofGroups } = await costOf(() => add(shopper(shop), shop));
  expect(discount).toBe("1.00");
  expect(ofGroups).toBe((await costOf(() => add(shopper(bare), bare, id))).ofGroups);
});

it("that no deal is for any is found out by an index, however many are over", async () => {
  const [never, over] = [await givenShop(few), await givenShop(few)];
  for (const endsAt of [1_000, 2_000, 3_000]) await dealFor(over, "collection", "list", { endsAt });
  const { ofGroups } = await costOf(() => add(shopper(never), never));
  expect(await costOf(() => add(shopper(over), over))).toMatchObject({
    discount: "0.00",
    ofGroups,
  });

  const { db, business } = contextFor(over);
  const { collections } = groupsInDeals({ business, now: () => 1 });
  const { sql: text, params } = db.select({ isAsked: collections }).from(sql`(select 1)`).toSQL();
  const plan = await rowsOf(over, `explain query plan ${text}`, ...params);
  const searched = plan.filter(({ detail }) => String(detail).startsWith("SEARCH "));
  expect(searched.map(({ detail }) => String(detail).replace(/^.* INDEX /, ""))).toEqual([
    "deals_by_scope (business_id=? AND scope=? AND ends_at=?)",
    "deals_by_scope (business_id=? AND scope=? AND ends_at>?)",
  ]);
});
