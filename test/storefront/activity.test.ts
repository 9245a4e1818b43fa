import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness, Settings } from "../../shared/businesses/index.ts";
import { createCategory } from "../../shared/catalogue/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { CartSession } from "../support/worker.ts";
import { type Answer, contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let cookie: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await givenBusiness();
  const caller = shopper(shop);
  ask = async (...request) => {
    const answer = await caller(...request);
    cookie = answer.headers.get("set-cookie") ?? cookie;
    return answer;
  };
});

const dataOf = ({ body }: Answer) => Object(body).data;
const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);

const send = (...events: unknown[]) => ask("POST", "/activity/events", { body: { events } });
const state = async () => dataOf(await ask("GET", "/activity/state"));
const add = (productId: string, quantity = 1, headers = {}) =>
  ask("POST", "/cart/items", { body: { item_id: productId, quantity }, headers });

const view = (productId: string, fields = {}) => ({
  type: "product_view",
  product_id: productId,
  ...fields,
});
const browse = (categoryId: string) => ({ type: "category_view", category_id: categoryId });
const search = { type: "search", query: "tea", result_count: 3 };

const givenSettings = (settings: Partial<Settings>) =>
  env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(JSON.stringify({ ...shop.business.settings, ...settings }), shop.business.id)
    .run();

const givenCategory = (name: string, parentId: string | null = null) =>
  createCategory(contextFor(shop), {
    name,
    slug: null,
    description: "",
    parentId,
    imageUrl: null,
    sortOrder: 0,
    metadata: {},
  });

/** The session's object; its id stands in the cookie's token, readable and signed. */
function session() {
  const payload = cookie.split(".")[1] ?? "";
  return env.CART_SESSION.getByName(
    JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub,
  );
}

/** The events that the session keeps, oldest first. */
const kept = () =>
  runInDurableObject(session(), (_, { storage }) =>
    storage.sql
      .exec("select event from activity_events order by id")
      .toArray()
      .map(({ event }) => JSON.parse(String(event))),
  );

describe("POST /activity/events", () => {
  it("counts what was sent, and answers with intent and messages", async () => {
    const product = await givenProduct(shop, { name: "Cocoa", inventoryType: "tracked" });
    await givenStock(shop, product, 3);
    const answer = await send(
      view(product.id, {
        product_name: "Cocoa",
        category_id: "cat_1",
        price: 12.5,
        page_path: "/cocoa",
      }),
      view(product.id),
      browse("cat_1"),
      search,
      { type: "cart_add", product_id: product.id, quantity: 2 },
      { type: "cart_remove", product_id: product.id, quantity: 1 },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          processed: 6,
          intent: "considering",
          messages: [{ code: `low_stock:${product.id}`, title: "Cocoa: only 3 left." }],
        },
      },
    });
    expect(await state()).toMatchObject({
      activity: {
        viewed_products: [{ product_id: product.id, count: 2 }],
        viewed_categories: [{ category_id: "cat_1", count: 1 }],
        search_count: 1,
      },
    });
  });

  it.each([
    { what: "an unknown type", event: { type: "wave" }, field: "events.0.type" },
    { what: "a view of nothing", event: { type: "product_view" }, field: "events.0.product_id" },
    {
      what: "an add of no pieces",
      event: { type: "cart_add", product_id: "p", quantity: 0 },
      field: "events.0.quantity",
    },
    {
      what: "a price that is no number",
      event: view("p", { price: "12" }),
      field: "events.0.price",
    },
    {
      what: "a name without end",
      event: view("p", { product_name: "x".repeat(501) }),
      field: "events.0.product_name",
    },
    {
      what: "a control character",
      event: { type: "search", query: "a\u0000" },
      field: "events.0.query",
    },
  ])("refuses $what, naming the field, and records nothing", async ({ event, field }) => {
    expect(await ask("POST", "/activity/events", { body: { events: [event] } })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect((await state()).activity).toBeNull();
  });

  it("takes 50 events and refuses 51", async () => {
    expect(await send(...Array(50).fill(search))).toMatchObject({
      body: { data: { processed: 50 } },
    });
    expect(await send(...Array(51).fill(search))).toMatchObject({
      status: 400,
      body: { error: { context: { field: "events" } } },
    });
    expect((await state()).activity.search_count).toBe(50);
  });

  it("keeps the latest 200 products, 100 categories and 200 events", async () => {
    const times = (event: (number: number) => unknown, from: number) =>
      send(...Array.from({ length: 50 }, (_, index) => event(from + index)));
    for (const from of [0, 50, 100, 150, 200]) {
      passes(1);
      await times((number) => view(`prod_${number}`), from);
      await times((number) => browse(`cat_${number}`), from);
    }
    const { activity } = await state();
    expect(activity.viewed_products).toHaveLength(200);
    expect(activity.viewed_products.at(-1)).toEqual({ product_id: "prod_50", count: 1 });
    expect(activity.viewed_categories).toHaveLength(100);
    expect(activity.viewed_categories[0]).toEqual({ category_id: "cat_249", count: 1 });
    expect(await kept()).toHaveLength(200);
  });

  it("tells nothing of products that the business does not sell", async () => {
    const foreign = await givenProduct(await givenNeighbour(shop), { inventoryType: "tracked" });
    const hidden = await givenProduct(shop, { inventoryType: "tracked", isActive: false });
    await send(view(foreign.id), view(hidden.id), view("prod_unknown"));
    passes(31 * minute);
    const views = await send(view(foreign.id), view(hidden.id), view("prod_unknown"));
    expect(dataOf(views)).toEqual({ processed: 3, intent: "baseline", messages: [] });
  });

  it("stays within one query and one object", async () => {
    await send(search);
    expect(roundTrips(await send(search))).toMatchObject({ d1: 0, do: 1 });
    const products = await Promise.all(
      ["Tea", "Cocoa", "Bread"].map((name) => givenProduct(shop, { name })),
    );
    const views = products.map(({ id }) => view(id));
    expect(roundTrips(await send(...views))).toMatchObject({ d1: 1, do: 1 });
    expect(roundTrips(await ask("GET", "/activity/state"))).toMatchObject({ d1: 1, do: 1 });
    const dismissed = await ask("POST", "/activity/messages/dismiss", { body: { code: "x" } });
    expect(roundTrips(dismissed)).toMatchObject({ d1: 1, do: 1 });
  });
});

describe("GET /activity/state", () => {
  it("tells a stranger nothing, and makes no session", async () => {
    const answer = await ask("GET", "/activity/state");
    expect(answer).toMatchObject({ status: 200 });
    expect(dataOf(answer)).toEqual({
      activity: null,
      intent: "baseline",
      messages: [],
      incentive: null,
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    const warm = await ask("GET", "/activity/state");
    expect(roundTrips(warm)).toMatchObject({ d1: 0, do: 0 });
  });

  it("belongs to its session, and outlives an eviction", async () => {
    await send(search);
    await evictDurableObject(session());
    expect((await state()).activity.search_count).toBe(1);
    expect(await shopper(shop)("GET", "/activity/state")).toMatchObject({
      body: { data: { activity: null } },
    });
  });

  it("is empty for a session that only looked into its cart", async () => {
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({
      activity: { viewed_products: [], viewed_categories: [], search_count: 0 },
      intent: "baseline",
    });
  });

  it("follows the intent with the business's incentive", async () => {
    await givenSettings({
      incentives: [
        { intent: "considering", templateId: "tpl_1", agentId: "agent_1" },
        { intent: "ready_to_buy", templateId: "tpl_2", agentId: "agent_1" },
      ],
    });
    const product = await givenProduct(shop);
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
    await send(view(product.id), view(product.id));
    expect(await state()).toMatchObject({
      intent: "considering",
      incentive: { template_id: "tpl_1", agent_id: "agent_1" },
    });
    await add(product.id);
    expect(await state()).toMatchObject({
      intent: "ready_to_buy",
      incentive: { template_id: "tpl_2", agent_id: "agent_1" },
    });
    passes(31 * minute);
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
  });

  it("tells what is missing for free delivery, until it is there", async () => {
    await givenSettings({ freeDeliveryThresholdMinor: 2_500 });
    const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
    await add(product.id, 2);
    expect((await state()).messages).toEqual([
      {
        code: "free_delivery_threshold",
        title: "GHS 5.00 more for free delivery.",
        severity: "info",
      },
    ]);
    await add(product.id);
    expect((await state()).messages).toEqual([]);
  });

  it("greets who comes back to a product after half an hour", async () => {
    const product = await givenProduct(shop);
    await send(view(product.id));
    passes(29 * minute);
    await send(view(product.id));
    expect((await state()).messages).toEqual([]);
    passes(minute);
    await send(view(product.id));
    expect((await state()).messages).toMatchObject([{ code: `back_again:${product.id}` }]);
  });

  it("looks at what of a product's stock is reserved, and at its own threshold", async () => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 6);
    await send(view(product.id));
    expect((await state()).messages).toEqual([]);
    const cart = dataOf(await add(product.id, 2));
    const bought = await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(bought).toMatchObject({ status: 200 });
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });

  it("counts nothing that is left at an archived location", async () => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 3);
    const ctx = contextFor(shop);
    await setStockLevel(
      ctx,
      { itemId: product.id, productId: product.id, locationId: "loc_archived" },
      { quantityOnHand: 90 },
    );
    await send(view(product.id));
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });
});

describe("POST /activity/messages/dismiss", () => {
  const dismiss = (code: string) => ask("POST", "/activity/messages/dismiss", { body: { code } });

  it("sends a message away for the session, and no other", async () => {
    await givenSettings({ freeDeliveryThresholdMinor: 9_000 });
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 3);
    await add(product.id);
    await send(view(product.id));
    const code = `low_stock:${product.id}`;
    const left = [{ code: "free_delivery_threshold" }];
    expect(await dismiss(code)).toMatchObject({
      status: 200,
      body: { data: { dismissed: code, messages: left } },
    });
    await evictDurableObject(session());
    passes(3 * 60 * minute);
    expect(dataOf(await send(view(product.id))).messages).toMatchObject([
      ...left,
      { code: `back_again:${product.id}` },
    ]);
  });

  it("takes a code of nothing, twice even, and stores none that no message has", async () => {
    for (const code of ["nonsense", "nonsense", "back_again:prod_unknown"]) {
      expect(await dismiss(code)).toMatchObject({
        status: 200,
        body: { data: { dismissed: code, messages: [] } },
      });
    }
    const codes = await runInDurableObject(session(), (_, { storage }) =>
      storage.sql.exec("select code from dismissed_messages").toArray(),
    );
    expect(codes).toEqual([{ code: "back_again:prod_unknown" }]);
  });

  it("refuses an empty code", async () => {
    expect(await dismiss("")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "code" } } },
    });
  });
});

describe("what a cart write records", () => {
  it("is an add, or a removal, of as many pieces as changed", async () => {
    const product = await givenProduct(shop);
    const line = dataOf(await add(product.id, 3)).item.id;
    const patch = (quantity: number) => ask("PATCH", `/cart/items/${line}`, { body: { quantity } });
    await patch(5);
    await patch(5);
    await patch(1);
    await ask("DELETE", `/cart/items/${line}`);
    await add(product.id);
    await ask("DELETE", "/cart");
    const pieces = (type: string, quantity: number) => ({
      type,
      productId: product.id,
      quantity,
    });
    expect(await kept()).toEqual([
      pieces("cart_add", 3),
      pieces("cart_add", 2),
      pieces("cart_remove", 4),
      pieces("cart_remove", 1),
      pieces("cart_add", 1),
      pieces("cart_remove", 1),
    ]);
  });

  it("is recorded once for a repeated Idempotency-Key, and not at all for a refused add", async () => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 1);
    const key = { "Idempotency-Key": "key" };
    await add(product.id, 1, key);
    await add(product.id, 1, key);
    expect(await add(product.id, 5)).toMatchObject({ status: 422 });
    expect(await kept()).toHaveLength(1);
  });

  it("is nothing for a checkout, which empties the cart", async () => {
    const product = await givenProduct(shop);
    const cart = dataOf(await add(product.id));
    await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(await kept()).toHaveLength(1);
  });

  it("makes no tables for what was viewed, where nothing was", async () => {
    const product = await givenProduct(shop);
    await add(product.id);
    const tables = () =>
      runInDurableObject(session(), (_, { storage }) =>
        storage.sql
          .exec(
            "select name from sqlite_master where name in ('activity_products', 'dismissed_messages')",
          )
          .toArray(),
      );
    expect(await tables()).toEqual([]);
    expect(await send(view(product.id))).toMatchObject({ status: 200 });
    expect(await tables()).toHaveLength(2);
    expect(await kept()).toHaveLength(2);
  });

  it("is undone together with a write that could not be stored", async () => {
    const product = await givenProduct(shop);
    await add(product.id);
    await runInDurableObject(session(), async (instance, { storage }) => {
      storage.sql.exec(
        "create trigger outage before insert on activity_events begin select raise(abort, 'no'); end",
      );
      if (!(instance instanceof CartSession)) throw new Error("That is no session.");
      const call = { business: shop.business, requestId: "test", idempotent: null };
      await expect(instance.clear(call)).rejects.toThrow("no");
    });
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(1);
    expect(await kept()).toHaveLength(1);
  });

  it("costs a cart write no round trip", async () => {
    const product = await givenProduct(shop);
    await add(product.id);
    expect(roundTrips(await add(product.id))).toMatchObject({ d1: 0, do: 1 });
  });
});

describe("GET /activity/recommendations", () => {
  const recommended = async (query = "") =>
    dataOf(await ask("GET", `/activity/recommendations${query}`)).recommendations;

  const sold = (productId: string, pieces: number) =>
    contextFor(shop)
      .db.$client.prepare("update products set popularity = ? where id = ?")
      .bind(pieces, productId)
      .all();

  it("shows a stranger what others buy, most of it first, and makes no session", async () => {
    const [tea, bread] = [
      await givenProduct(shop, { name: "Tea" }),
      await givenProduct(shop, { name: "Bread" }),
    ];
    await sold(tea.id, 9);
    const answer = await ask("GET", "/activity/recommendations");
    expect(dataOf(answer)).toEqual({
      recommendations: [
        { product: { id: tea.id, name: "Tea" }, reason: "popular" },
        { product: { id: bread.id, name: "Bread" }, reason: "popular" },
      ],
      intent: "baseline",
      incentive: null,
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    const warm = await ask("GET", "/activity/recommendations");
    expect(roundTrips(warm)).toMatchObject({ d1: 1, do: 0 });
  });

  it("puts the viewed categories first, with what is below them", async () => {
    const drinks = await givenCategory("Drinks");
    const teas = await givenCategory("Teas", drinks.id);
    const cola = await givenProduct(shop, { categoryId: drinks.id });
    const green = await givenProduct(shop, { categoryId: teas.id });
    const bread = await givenProduct(shop);
    await sold(bread.id, 90);
    await sold(green.id, 9);
    await send(browse(drinks.id));
    const reason = `from_category:${drinks.id}`;
    expect(await recommended()).toMatchObject([
      { product: { id: green.id }, reason },
      { product: { id: cola.id }, reason },
      { product: { id: bread.id }, reason: "popular" },
    ]);
    expect(await recommended("?limit=1")).toMatchObject([{ product: { id: green.id } }]);
  });

  it("takes the categories of viewed products too", async () => {
    const teas = await givenCategory("Teas");
    const [green, black] = [
      await givenProduct(shop, { categoryId: teas.id }),
      await givenProduct(shop, { categoryId: teas.id }),
    ];
    await send(view(green.id, { category_id: teas.id }));
    const found = await recommended();
    expect(found.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill(`from_category:${teas.id}`),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ product: { id: black.id, name: "Tea" } }),
    );
  });

  it("never shows an inactive product, one in the cart, or another business's", async () => {
    const teas = await givenCategory("Teas");
    const mine = await givenProduct(shop, { categoryId: teas.id });
    await givenProduct(shop, { categoryId: teas.id, isActive: false });
    await givenProduct(await givenNeighbour(shop));
    await send(browse(teas.id), browse("cat_of_another"));
    expect(await recommended()).toHaveLength(1);
    await add(mine.id);
    expect(await recommended()).toEqual([]);
  });

  it.each(["0", "51", "x"])("refuses a limit of %s", async (limit) => {
    expect(await ask("GET", `/activity/recommendations?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "limit" } } },
    });
  });

  it("costs one query and one object, however much was seen", async () => {
    await send(...Array.from({ length: 30 }, (_, index) => browse(`cat_${index}`)));
    const answer = await ask("GET", "/activity/recommendations?limit=50");
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
  });
});
