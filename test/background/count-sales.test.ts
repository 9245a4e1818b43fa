import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { productPopularity } from "../../shared/catalogue/index.ts";
import { countSales } from "../../shared/orders/index.ts";
import { createProduct } from "../support/create-product.ts";
import { runAllJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let tea: string;
let cup: string;
let bread: string;

beforeEach(async () => {
  shop = await createBusiness();
  [tea, cup, bread] = [
    await createProductNamed("Tea"),
    await createProductNamed("Cup"),
    await createProductNamed("Bread"),
  ];
});

const createProductNamed = async (name: string) => (await createProduct(shop, { name })).id;

/** Orders quantities of products; a cash order stays pending, a mobile-money order is confirmed. */
async function placeOrder(
  quantities: Readonly<Record<string, number>>,
  { isPaid = true }: { isPaid?: boolean } = {},
): Promise<string> {
  const ask = shopper(shop);
  let cart = { id: "" };
  for (const [item_id, quantity] of Object.entries(quantities)) {
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

const loadPopularity = async (): Promise<unknown[]> =>
  (
    await selectRows(
      shop,
      "select popularity from products where business_id = ? order by id",
      shop.business.id,
    )
  ).map((row) => row.popularity);

const loadPairs = () =>
  selectRows(
    shop,
    "select product_id, other_id, orders from bought_together where business_id = ? order by product_id, other_id",
    shop.business.id,
  );

const pair = (product_id: string, other_id: string, orders: number) => ({
  product_id,
  other_id,
  orders,
});

describe("countSales", () => {
  it("counts quantities and pairs once per order, however often it runs", async () => {
    await placeOrder({ [tea]: 3, [cup]: 1 });
    await placeOrder({ [tea]: 2, [cup]: 1, [bread]: 5 });
    await Promise.all([runAllJobs(), runAllJobs()]);
    await runAllJobs();
    expect(await loadPopularity()).toEqual([5, 2, 5]);
    expect(await loadPairs()).toEqual([
      pair(tea, cup, 2),
      pair(tea, bread, 1),
      pair(cup, tea, 2),
      pair(cup, bread, 1),
      pair(bread, tea, 1),
      pair(bread, cup, 1),
    ]);
  });

  it("skips pending and cancelled orders and counts an order once it is confirmed", async () => {
    const order = await placeOrder({ [tea]: 4 }, { isPaid: false });
    await runAllJobs();
    expect(await loadPopularity()).toEqual([0, 0, 0]);
    const status = (to: string) =>
      merchant(shop)("POST", `/orders/${order}/status`, { body: { status: to } });
    await status("confirmed");
    await runAllJobs();
    expect(await loadPopularity()).toEqual([4, 0, 0]);
    await status("completed");
    await runAllJobs();
    expect(await loadPopularity()).toEqual([4, 0, 0]);
  });

  it("counts a limited number of orders per run, the oldest first", async () => {
    await runAllJobs();
    for (const [index, product] of [tea, cup, bread].entries()) {
      vi.setSystemTime(Date.parse("2033-01-01T00:00:00Z") + index);
      await placeOrder({ [product]: 1 });
    }
    const { db } = contextFor(shop);
    expect(await countSales(db, { now: Date.now(), limit: 2 })).toBe(2);
    expect(await loadPopularity()).toEqual([1, 1, 0]);
    expect(await countSales(db, { now: Date.now(), limit: 2 })).toBe(1);
    expect(await loadPopularity()).toEqual([1, 1, 1]);
  });

  it("updates the list sorted by popularity, also where it was cached", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const ask = shopper(shop);
    const first = async () =>
      dataOf(await ask("GET", "/catalogue/products?sort_by=popularity&sort_order=desc")).items[0]
        .name;
    await placeOrder({ [cup]: 1 });
    await runAllJobs();
    vi.setSystemTime(start + 6_000);
    await first();
    expect(await first()).toBe("Cup");
    await placeOrder({ [tea]: 9 });
    await runAllJobs();
    vi.setSystemTime(start + 12_000);
    await first();
    vi.setSystemTime(start + 18_000);
    expect(await first()).toBe("Tea");
  });

  it("does not raise the catalogue version", async () => {
    const version = () =>
      selectRows(
        shop,
        "select version from catalogue_versions where business_id = ?",
        shop.business.id,
      );
    const before = await version();
    await placeOrder({ [tea]: 2, [cup]: 1 });
    await runAllJobs();
    expect(await loadPopularity()).toEqual([2, 1, 0]);
    expect(await version()).toEqual(before);
  });

  it("finds uncounted orders by an index", async () => {
    const plan = await selectRows(
      shop,
      `explain query plan select id from orders where counted_at is null
        and status not in ('pending', 'cancelled') order by created_at limit 9`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual(["SCAN orders USING INDEX orders_uncounted"]);
  });
});

describe("GET /activity/recommendations", () => {
  const loadRecommendations = async (ask: ReturnType<typeof shopper>) =>
    dataOf(await ask("GET", "/activity/recommendations")).recommendations;

  it("lists products bought with those in the cart, then with those viewed", async () => {
    await placeOrder({ [tea]: 1, [cup]: 1 });
    await placeOrder({ [tea]: 1, [cup]: 1 });
    await placeOrder({ [tea]: 1, [bread]: 1 });
    const gone = await createProductNamed("Gone");
    await placeOrder({ [tea]: 1, [gone]: 1 });
    await runAllJobs();
    await merchant(shop)("PATCH", `/products/${gone}`, { body: { is_active: false } });
    const ask = shopper(shop);
    await ask("POST", "/cart/items", { body: { item_id: tea } });
    expect(await loadRecommendations(ask)).toEqual([
      { product: { id: cup, name: "Cup" }, reason: `bought_with:${tea}` },
      { product: { id: bread, name: "Bread" }, reason: `bought_with:${tea}` },
    ]);
    const other = shopper(shop);
    await other("POST", "/activity/events", {
      body: { events: [{ type: "product_view", product_id: bread }] },
    });
    expect(await loadRecommendations(other)).toMatchObject([
      { product: { id: tea }, reason: `bought_with:${bread}` },
      { product: { id: cup }, reason: "popular" },
      { product: { id: bread }, reason: "popular" },
    ]);
    const warm = await other("GET", "/activity/recommendations");
    expect(roundTrips(warm)).toMatchObject({ d1: 1, do: 1 });
  });

  it("ignores the sales of another business", async () => {
    const own = shop;
    await placeOrder({ [tea]: 1, [cup]: 1 });
    shop = await createBusiness();
    const [theirs, cheese] = [
      await createProductNamed("Theirs"),
      await createProductNamed("Cheese"),
    ];
    await placeOrder({ [theirs]: 1, [cheese]: 1 });
    await runAllJobs();
    const ask = shopper(own);
    await ask("POST", "/activity/events", {
      body: { events: [{ type: "product_view", product_id: theirs }] },
    });
    const found = await loadRecommendations(ask);
    expect(found.map(({ reason }: { reason: string }) => reason)).toEqual(Array(3).fill("popular"));
  });

  it("finds pairs by an index", async () => {
    const wanted = { productIds: [tea], except: [], limit: 10 };
    const { sql, params } = productPopularity.boughtTogetherQuery(contextFor(shop), wanted).toSQL();
    const { results } = await contextFor(shop)
      .db.$client.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const steps = results.map(({ detail }) => detail);
    expect(steps.filter((step) => /^SCAN (?!requested|json_each|found)/.test(step))).toEqual([]);
    expect(steps.join("\n")).toMatch(/bought_together_most \(business_id=\? AND product_id=\?\)/);
  });
});
