import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type PlacedOrder, readStockQuantities } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { postProduct } from "./create-product.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ApiClient;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const changeOrders = (ids: readonly string[], status: string, headers = {}) =>
  ask("POST", "/orders/bulk-status", { body: { order_ids: ids, status }, headers });

const createOrders = (count: number): Promise<PlacedOrder[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      createOrder(shop, product.id, { payWith: "cash", quantity: 1, ask: shopper(shop) }),
    ),
  );

const auditsOf = async (action: string) =>
  (await listAuditActions(shop)).filter((one) => one === action).length;

describe("POST /orders/bulk-status", () => {
  it("changes each order that may have the status, and says why the others keep theirs", async () => {
    const [done, ...open] = (await createOrders(3)).map(({ id }) => id);
    if (done === undefined) throw new Error("No order was created.");
    await changeOrders([done], "completed");
    const other = merchant(await createBusinessOnSameShard(shop));
    const { body } = await other("POST", "/orders/bulk-status", {
      body: { order_ids: open, status: "completed" },
    });
    expect(Object(body).data.results).toMatchObject(
      open.map(() => ({ status: null, error: { code: "NOT_FOUND" } })),
    );

    const answer = await changeOrders([...open, done, "ord_unknown", done], "preparing");
    expect(dataOf(answer).results).toEqual([
      ...open.map((order_id) => ({ order_id, status: "preparing", error: null })),
      {
        order_id: done,
        status: "completed",
        error: {
          code: "INVALID_STATE",
          message: "An order that is completed cannot become preparing.",
        },
      },
      {
        order_id: "ord_unknown",
        status: null,
        error: { code: "NOT_FOUND", message: "No such order." },
      },
    ]);
    const history = dataOf(await ask("GET", `/orders/${open[0]}`)).status_history;
    expect(history.at(-1)).toMatchObject({ status: "preparing", by: "business" });
    expect((await listOutboxEventTypes(shop)).toSorted()).toEqual([
      "order.completed",
      ...Array.from({ length: 3 }, () => "order.created"),
      ...open.map(() => "order.updated"),
    ]);
    expect(await auditsOf("order.status_changed")).toBe(3);
    const entries = dataOf(await ask("GET", `/audit?entity=${open[1]}`)).items;
    expect(entries[0]).toMatchObject({
      action: "order.status_changed",
      before: { status: "pending" },
      after: { status: "preparing" },
    });
  });

  it("takes what several orders hold of one item out of stock", async () => {
    const ids = (await createOrders(3)).map(({ id }) => id);
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 3]);
    await changeOrders(ids, "completed");
    expect(await readStockQuantities(shop, product.id)).toEqual([7, 0]);
    const fulfilled = await selectRows(
      shop,
      "select order_id, on_hand_delta from stock_movements where reason = 'fulfil'",
    );
    expect(fulfilled.map(({ order_id: id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it("takes as many round trips for many orders as for one", async () => {
    const [first = "", ...others] = (await createOrders(4)).map(({ id }) => id);
    await ask("GET", "/orders"); // caches the key
    for (const ids of [[first], others]) {
      const made = roundTrips(await changeOrders(ids, "completed"));
      expect(made).toMatchObject({ d1: 2, do: 0 }); // a new second may need a lease
    }
  });

  it("changes the orders once when the first response was not stored", async () => {
    const ids = (await createOrders(2)).map(({ id }) => id);
    const key = { "Idempotency-Key": "bulk" };
    const first = await changeOrders(ids, "ready", key);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect((await changeOrders(ids, "ready", key)).body).toEqual(first.body);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await changeOrders(ids, "completed", key)).toMatchObject({ status: 409 });
    expect(await auditsOf("order.status_changed")).toBe(2);
  });

  it("completes each order once under concurrent requests", async () => {
    const ids = (await createOrders(2)).map(({ id }) => id);
    const answers = await Promise.all([
      changeOrders(ids, "completed"),
      changeOrders(ids.toReversed(), "completed"),
      ask("POST", `/orders/${ids[0]}/status`, { body: { status: "completed" } }),
    ]);
    expect(answers.map(({ status }) => status)).not.toContain(500);
    expect(await readStockQuantities(shop, product.id)).toEqual([8, 0]);
    expect(await auditsOf("order.status_changed")).toBe(2);
  });

  it.each([
    ["a status that refunds", { order_ids: ["ord_1"], status: "cancelled" }, "status"],
    ["the first status", { order_ids: ["ord_1"], status: "pending" }, "status"],
    ["no order", { order_ids: [], status: "ready" }, "order_ids"],
    ["101 orders", { order_ids: Array(101).fill("ord_1"), status: "ready" }, "order_ids"],
  ])("rejects %s", async (_case, body, field) => {
    expect(await ask("POST", "/orders/bulk-status", { body })).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });
});

describe("POST /products/bulk-status", () => {
  const changeProducts = (ids: readonly string[], status: string) =>
    ask("POST", "/products/bulk-status", { body: { product_ids: ids, status } });

  it("deactivates, activates and archives products at once", async () => {
    const { id: cup } = await postProduct(ask, { name: "Cup", default_price: "3" });
    const ids = [product.id, cup];
    const countActive = async () =>
      dataOf(await ask("GET", "/products?status=active")).items.length;
    await ask("GET", "/products"); // caches the key
    const answer = await changeProducts([...ids, "prod_unknown"], "inactive");
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(answer).results).toEqual([
      ...ids.map((product_id) => ({ product_id, status: "inactive", error: null })),
      {
        product_id: "prod_unknown",
        status: null,
        error: { code: "NOT_FOUND", message: "No such product." },
      },
    ]);
    expect(await countActive()).toBe(0);
    await changeProducts(ids, "active");
    await changeProducts(ids, "active");
    expect(await countActive()).toBe(2);
    expect(await auditsOf("product.updated")).toBe(4);

    await changeProducts([cup], "archived");
    expect(dataOf(await changeProducts([cup], "archived")).results).toMatchObject([
      { status: "archived", error: null },
    ]);
    expect(dataOf(await changeProducts([cup], "active")).results).toMatchObject([
      { status: null, error: { code: "NOT_FOUND" } },
    ]);
    expect(await auditsOf("product.archived")).toBe(1);
    expect(await countActive()).toBe(1);
  });

  it("changes nothing of another business", async () => {
    const other = merchant(await createBusinessOnSameShard(shop));
    const body = { product_ids: [product.id], status: "archived" };
    const { body: answer } = await other("POST", "/products/bulk-status", { body });
    expect(Object(answer).data.results).toMatchObject([{ status: null }]);
    expect(dataOf(await ask("GET", `/products/${product.id}`))).toMatchObject({ is_active: true });
  });
});
