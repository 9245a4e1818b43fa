import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { CartSession } from "../support/worker.ts";
import { createBusinessOnSameShard, dataOf, roundTrips, testAddress } from "../support/world.ts";
import {
  advanceTime,
  categoryView,
  productView,
  search,
  setUpActivitySession,
} from "./create-activity-session.ts";

const { shop, ask, session, send, state, add, findStoredEvents } = setUpActivitySession();

describe("POST /activity/events", () => {
  it("counts the events and returns intent and messages", async () => {
    const product = await createProduct(shop(), { name: "Cocoa", inventoryType: "tracked" });
    await setStock(shop(), product, 3);
    const answer = await send(
      productView(product.id, {
        product_name: "Cocoa",
        category_id: "cat_1",
        price: 12.5,
        page_path: "/cocoa",
      }),
      productView(product.id),
      categoryView("cat_1"),
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
    {
      what: "a view without a product",
      event: { type: "product_view" },
      field: "events.0.product_id",
    },
    {
      what: "an add with quantity 0",
      event: { type: "cart_add", product_id: "p", quantity: 0 },
      field: "events.0.quantity",
    },
    {
      what: "a price that is not a number",
      event: productView("p", { price: "12" }),
      field: "events.0.price",
    },
    {
      what: "a name that is too long",
      event: productView("p", { product_name: "x".repeat(501) }),
      field: "events.0.product_name",
    },
    {
      what: "a control character",
      event: { type: "search", query: "a\u0000" },
      field: "events.0.query",
    },
  ])("rejects $what with its field and records nothing", async ({ event, field }) => {
    expect(await ask("POST", "/activity/events", { body: { events: [event] } })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect((await state()).activity).toBeNull();
  });

  it("accepts 50 events and rejects 51", async () => {
    expect(await send(...Array(50).fill(search))).toMatchObject({
      body: { data: { processed: 50 } },
    });
    expect(await send(...Array(51).fill(search))).toMatchObject({
      status: 400,
      body: { error: { context: { field: "events" } } },
    });
    expect((await state()).activity.search_count).toBe(50);
  });

  it("stores the latest 200 products, 100 categories and 200 events", async () => {
    const times = (event: (number: number) => unknown, from: number) =>
      send(...Array.from({ length: 50 }, (_, index) => event(from + index)));
    for (const from of [0, 50, 100, 150, 200]) {
      advanceTime(1);
      await times((number) => productView(`prod_${number}`), from);
      await times((number) => categoryView(`cat_${number}`), from);
    }
    const { activity } = await state();
    expect(activity.viewed_products).toHaveLength(200);
    expect(activity.viewed_products.at(-1)).toEqual({ product_id: "prod_50", count: 1 });
    expect(activity.viewed_categories).toHaveLength(100);
    expect(activity.viewed_categories[0]).toEqual({ category_id: "cat_249", count: 1 });
    expect(await findStoredEvents()).toHaveLength(200);
  });

  it("returns no messages for products that the business does not sell", async () => {
    const foreign = await createProduct(await createBusinessOnSameShard(shop()), {
      inventoryType: "tracked",
    });
    const hidden = await createProduct(shop(), { inventoryType: "tracked", isActive: false });
    await send(productView(foreign.id), productView(hidden.id), productView("prod_unknown"));
    advanceTime(31 * minute);
    const views = await send(
      productView(foreign.id),
      productView(hidden.id),
      productView("prod_unknown"),
    );
    expect(dataOf(views)).toEqual({ processed: 3, intent: "baseline", messages: [] });
  });

  it("needs at most one query and one object call", async () => {
    await send(search);
    expect(roundTrips(await send(search))).toMatchObject({ d1: 0, do: 1 });
    const products = await Promise.all(
      ["Tea", "Cocoa", "Bread"].map((name) => createProduct(shop(), { name })),
    );
    const views = products.map(({ id }) => productView(id));
    expect(roundTrips(await send(...views))).toMatchObject({ d1: 1, do: 1 });
    expect(roundTrips(await ask("GET", "/activity/state"))).toMatchObject({ d1: 1, do: 1 });
    const dismissed = await ask("POST", "/activity/messages/dismiss", { body: { code: "x" } });
    expect(roundTrips(dismissed)).toMatchObject({ d1: 1, do: 1 });
  });
});

describe("activity of cart writes", () => {
  it("records an add or a removal with the changed quantity", async () => {
    const product = await createProduct(shop());
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
    expect(await findStoredEvents()).toEqual([
      pieces("cart_add", 3),
      pieces("cart_add", 2),
      pieces("cart_remove", 4),
      pieces("cart_remove", 1),
      pieces("cart_add", 1),
      pieces("cart_remove", 1),
    ]);
  });

  it("records a repeated Idempotency-Key once and a rejected add never", async () => {
    const product = await createProduct(shop(), { inventoryType: "tracked" });
    await setStock(shop(), product, 1);
    const key = { "Idempotency-Key": "key" };
    await add(product.id, 1, key);
    await add(product.id, 1, key);
    expect(await add(product.id, 5)).toMatchObject({ status: 422 });
    expect(await findStoredEvents()).toHaveLength(1);
  });

  it("records nothing for a checkout", async () => {
    const product = await createProduct(shop());
    const cart = dataOf(await add(product.id));
    await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(await findStoredEvents()).toHaveLength(1);
  });

  it("creates no view tables without views", async () => {
    const product = await createProduct(shop());
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
    expect(await send(productView(product.id))).toMatchObject({ status: 200 });
    expect(await tables()).toHaveLength(2);
    expect(await findStoredEvents()).toHaveLength(2);
  });

  it("is rolled back with a failed write", async () => {
    const product = await createProduct(shop());
    await add(product.id);
    await runInDurableObject(session(), async (instance, { storage }) => {
      storage.sql.exec(
        "create trigger outage before insert on activity_events begin select raise(abort, 'no'); end",
      );
      if (!(instance instanceof CartSession)) throw new Error("That is no session.");
      const call = {
        business: shop().business,
        requestId: "test",
        network: "10.0.0.1",
        address: testAddress,
        idempotent: null,
      };
      await expect(instance.run(0, "clearCart", call, null)).rejects.toThrow("no");
    });
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(1);
    expect(await findStoredEvents()).toHaveLength(1);
  });

  it("adds no round trip to a cart write", async () => {
    const product = await createProduct(shop());
    await add(product.id);
    expect(roundTrips(await add(product.id))).toMatchObject({ d1: 0, do: 1 });
  });
});
