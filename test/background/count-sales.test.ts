import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { boughtWithQuery } from "../../shared/catalogue/index.ts";
import { countSales } from "../../shared/orders/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let tea: string;
let cup: string;
let bread: string;

beforeEach(async () => {
  shop = await givenBusiness();
  [tea, cup, bread] = [await named("Tea"), await named("Cup"), await named("Bread")];
});

const named = async (name: string) => (await givenProduct(shop, { name })).id;

/** An order of pieces of several products; cash waits for the merchant, mobile money confirms it. */
async function sold(
  pieces: Readonly<Record<string, number>>,
  { isPaid = true }: { isPaid?: boolean } = {},
): Promise<string> {
  const ask = shopper(shop);
  let cart = { id: "" };
  for (const [item_id, quantity] of Object.entries(pieces)) {
    cart = dataOf(await ask("POST", "/cart/items", { body: { item_id, quantity } }));
  }
  const paid = isPaid
    ? {
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
      }
    : { payment_method: "cash" };
  const answer = await ask("POST", "/checkout", {
    body: { cart_id: cart.id, customer: { phone: "0241234567" }, ...paid },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return dataOf(answer).order_id;
}

const popularity = async (): Promise<unknown[]> =>
  (
    await rowsOf(
      shop,
      "select popularity from products where business_id = ? order by id",
      shop.business.id,
    )
  ).map((row) => row.popularity);

const pairs = () =>
  rowsOf(
    shop,
    "select product_id, other_id, orders from bought_together where business_id = ? order by product_id, other_id",
    shop.business.id,
  );

const pair = (product_id: string, other_id: string, orders: number) => ({
  product_id,
  other_id,
  orders,
});

describe("the count of what was sold", () => {
  it("counts pieces and pairs, once for each order however often it runs", async () => {
    await sold({ [tea]: 3, [cup]: 1 });
    await sold({ [tea]: 2, [cup]: 1, [bread]: 5 });
    await Promise.all([tick(), tick()]);
    await tick();
    expect(await popularity()).toEqual([5, 2, 5]);
    expect(await pairs()).toEqual([
      pair(tea, cup, 2),
      pair(tea, bread, 1),
      pair(cup, tea, 2),
      pair(cup, bread, 1),
      pair(bread, tea, 1),
      pair(bread, cup, 1),
    ]);
  });

  it("counts no order that is pending or cancelled, and a confirmed one from then on", async () => {
    const order = await sold({ [tea]: 4 }, { isPaid: false });
    await tick();
    expect(await popularity()).toEqual([0, 0, 0]);
    const status = (to: string) =>
      merchant(shop)("POST", `/orders/${order}/status`, { body: { status: to } });
    await status("confirmed");
    await tick();
    expect(await popularity()).toEqual([4, 0, 0]);
    await status("completed");
    await tick();
    expect(await popularity()).toEqual([4, 0, 0]);
  });

  it("counts so many orders at a time, the oldest first, and goes on with the rest", async () => {
    await tick();
    for (const [index, product] of [tea, cup, bread].entries()) {
      vi.setSystemTime(Date.parse("2033-01-01T00:00:00Z") + index);
      await sold({ [product]: 1 });
    }
    const { db } = contextFor(shop);
    expect(await countSales(db, { now: Date.now(), limit: 2 })).toBe(2);
    expect(await popularity()).toEqual([1, 1, 0]);
    expect(await countSales(db, { now: Date.now(), limit: 2 })).toBe(1);
    expect(await popularity()).toEqual([1, 1, 1]);
  });

  it("moves the list by popularity, also for whoever had it before", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const ask = shopper(shop);
    const first = async () =>
      dataOf(await ask("GET", "/catalogue/products?sort_by=popularity&sort_order=desc")).items[0]
        .name;
    await sold({ [cup]: 1 });
    await tick();
    vi.setSystemTime(start + 6_000);
    await first();
    expect(await first()).toBe("Cup");
    await sold({ [tea]: 9 });
    await tick();
    vi.setSystemTime(start + 12_000);
    await first();
    vi.setSystemTime(start + 18_000);
    expect(await first()).toBe("Tea");
  });

  it("leaves what else isolates remember of the catalogue as it is", async () => {
    const version = () =>
      rowsOf(
        shop,
        "select version from catalogue_versions where business_id = ?",
        shop.business.id,
      );
    const before = await version();
    await sold({ [tea]: 2, [cup]: 1 });
    await tick();
    expect(await popularity()).toEqual([2, 1, 0]);
    expect(await version()).toEqual(before);
  });

  it("finds what is to be counted by its index, and reads no table whole", async () => {
    const plan = await rowsOf(
      shop,
      `explain query plan select id from orders where counted_at is null
        and status not in ('pending', 'cancelled') order by created_at limit 9`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual(["SCAN orders USING INDEX orders_uncounted"]);
  });
});

describe("GET /activity/recommendations", () => {
  const recommended = async (ask: ReturnType<typeof shopper>) =>
    dataOf(await ask("GET", "/activity/recommendations")).recommendations;

  it("shows first what others bought with what is in the cart, then with what was viewed", async () => {
    await sold({ [tea]: 1, [cup]: 1 });
    await sold({ [tea]: 1, [cup]: 1 });
    await sold({ [tea]: 1, [bread]: 1 });
    const gone = await named("Gone");
    await sold({ [tea]: 1, [gone]: 1 });
    await tick();
    await merchant(shop)("PATCH", `/products/${gone}`, { body: { is_active: false } });
    const ask = shopper(shop);
    await ask("POST", "/cart/items", { body: { item_id: tea } });
    expect(await recommended(ask)).toEqual([
      { product: { id: cup, name: "Cup" }, reason: `bought_with:${tea}` },
      { product: { id: bread, name: "Bread" }, reason: `bought_with:${tea}` },
    ]);
    const other = shopper(shop);
    await other("POST", "/activity/events", {
      body: { events: [{ type: "product_view", product_id: bread }] },
    });
    expect(await recommended(other)).toMatchObject([
      { product: { id: tea }, reason: `bought_with:${bread}` },
      { product: { id: cup }, reason: "popular" },
      { product: { id: bread }, reason: "popular" },
    ]);
    const warm = await other("GET", "/activity/recommendations");
    expect(roundTrips(warm)).toMatchObject({ d1: 1, do: 1 });
  });

  it("knows nothing of what another business sold", async () => {
    const own = shop;
    await sold({ [tea]: 1, [cup]: 1 });
    shop = await givenBusiness();
    const [theirs, cheese] = [await named("Theirs"), await named("Cheese")];
    await sold({ [theirs]: 1, [cheese]: 1 });
    await tick();
    const ask = shopper(own);
    await ask("POST", "/activity/events", {
      body: { events: [{ type: "product_view", product_id: theirs }] },
    });
    const found = await recommended(ask);
    expect(found.map(({ reason }: { reason: string }) => reason)).toEqual(Array(3).fill("popular"));
  });

  it("finds the pairs by their index", async () => {
    const wanted = { productIds: [tea], except: [], limit: 10 };
    const { sql, params } = boughtWithQuery(contextFor(shop), wanted).toSQL();
    const { results } = await contextFor(shop)
      .db.$client.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const steps = results.map(({ detail }) => detail);
    expect(steps.filter((step) => /^SCAN (?!asked|json_each|found)/.test(step))).toEqual([]);
    expect(steps.join("\n")).toMatch(/bought_together_most \(business_id=\? AND product_id=\?\)/);
  });
});
