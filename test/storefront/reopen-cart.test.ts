import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, readStockQuantities } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { type ApiClient, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let bread: Product;
let ask: ApiClient;

beforeEach(async () => {
  ({ shop, product: bread, shopper: ask } = await createShopWithStock());
});

const reopen = (id: string, { caller = ask, token }: { caller?: ApiClient; token?: string } = {}) =>
  caller("POST", `/orders/${id}/reopen-cart${token === undefined ? "" : `?token=${token}`}`);

const add = (item: Product, fields: object = {}) =>
  ask("POST", "/cart/items", { body: { item_id: item.id, ...fields } });

const loadStatus = async (id: string) =>
  dataOf(await merchant(shop)("GET", `/orders/${id}`)).status;

const invalidState = ruleViolation("INVALID_STATE");

describe("POST /orders/{order_id}/reopen-cart", () => {
  it("cancels an unpaid order and puts its lines into the cart, beside those that are there", async () => {
    const order = await createOrder(shop, bread.id, { payWith: "2", quantity: 3, ask });
    const cake = await createProduct(shop, { defaultPriceMinor: 900 });
    const cart = dataOf(await add(cake));
    const answer = await reopen(order.id); // which also reads the new product
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          id: cart.id,
          items: [
            { item_id: cake.id, quantity: 1 },
            { item_id: bread.id, quantity: 3, unit_price: "25.00" },
          ],
          pricing: { subtotal: "84.00" },
        },
      },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(dataOf(await ask("GET", "/cart"))).toEqual(dataOf(answer));
    expect(await loadStatus(order.id)).toBe("cancelled");
    expect(await readStockQuantities(shop, bread.id)).toEqual([10, 0]);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.cancelled"]);
  });

  it("changes nothing when it is repeated after changes of the cart", async () => {
    const order = await createOrder(shop, bread.id, { payWith: "cash", ask });
    const first = await reopen(order.id);
    expect((await reopen(order.id)).body).toEqual(first.body);
    await ask("POST", "/cart/items", { body: { item_id: bread.id } });
    expect(dataOf(await reopen(order.id))).toMatchObject({ item_count: 3 });
    await ask("DELETE", "/cart");
    expect(dataOf(await reopen(order.id))).toMatchObject({ items: [] });
  });

  it("adds a line that was ordered from this very cart only when it is gone", async () => {
    const cart = dataOf(await add(bread, { quantity: 2 }));
    const cake = await createProduct(shop, { defaultPriceMinor: 900 });
    await add(cake);
    const body = {
      cart_id: cart.id,
      customer: { phone: "0241234567" },
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
    };
    const declined = await ask("POST", "/checkout", { body });
    const { order_id } = Object(declined.body).error.context;
    const { items } = dataOf(await ask("GET", "/cart"));
    await ask("DELETE", `/cart/items/${items[1].id}`);
    const answer = await reopen(order_id);
    expect(dataOf(answer)).toMatchObject({
      id: cart.id,
      items: [
        { id: items[0].id, item_id: bread.id, quantity: 2 },
        { item_id: cake.id, quantity: 1 },
      ],
    });
    const again = await ask("POST", "/checkout", { body: { ...body, payment_method: "cash" } });
    expect(again.status).toBe(200);
  });

  it("takes a token in any browser, with the line's options and location", async () => {
    const location = shop.business.locations[0]?.id;
    const order = await createOrder(shop, bread.id, { payWith: "cash", ask });
    await ask("POST", "/cart/items", {
      body: { item_id: bread.id, location_id: location, special_instructions: "Sliced" },
    });
    const other = await createOrder(shop, bread.id, { payWith: "cash", quantity: 1, ask });
    const otherShopper = shopper(shop);
    expect(
      dataOf(await reopen(other.id, { caller: otherShopper, token: other.token })),
    ).toMatchObject({
      items: [
        { item_id: bread.id, location_id: location, special_instructions: "Sliced" },
        { item_id: bread.id, location_id: null },
      ],
    });
    expect(await loadStatus(order.id)).toBe("pending");
  });

  it("is 404 for another session, and for a wrong token", async () => {
    const order = await createOrder(shop, bread.id, { payWith: "2", ask });
    expect(await reopen(order.id, { caller: shopper(shop) })).toMatchObject({ status: 404 });
    expect(await reopen(order.id, { token: "bt_wrong" })).toMatchObject({ status: 404 });
    expect(await loadStatus(order.id)).toBe("pending");
  });

  it("is refused for a paid, a cancelled and an accepted order", async () => {
    const paid = await createOrder(shop, bread.id, { ask });
    expect(await reopen(paid.id)).toMatchObject(invalidState);
    const cancelled = await createOrder(shop, bread.id, { payWith: "cash", ask });
    await ask("POST", `/orders/${cancelled.id}/cancel?token=${cancelled.token}`, { body: {} });
    expect(await reopen(cancelled.id)).toMatchObject(invalidState);
    const accepted = await createOrder(shop, bread.id, { payWith: "cash", ask });
    await merchant(shop)("POST", `/orders/${accepted.id}/status`, {
      body: { status: "confirmed" },
    });
    expect(await reopen(accepted.id)).toMatchObject(invalidState);
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ items: [] });
    expect((await add(bread)).status).toBe(200);
  });

  it("keeps an order whose money has arrived", async () => {
    const order = await createOrder(shop, bread.id, { payWith: "2", ask });
    await selectRows(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ?",
      order.id,
    );
    expect(await reopen(order.id)).toMatchObject(invalidState);
    expect(await loadStatus(order.id)).toBe("confirmed");
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ items: [] });
  });

  it("fills the carts of two browsers at once with the order's lines only once", async () => {
    const order = await createOrder(shop, bread.id, { payWith: "cash", ask });
    const other = shopper(shop);
    const answers = await Promise.all([
      reopen(order.id),
      reopen(order.id, { caller: other, token: order.token }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const carts = await Promise.all([ask("GET", "/cart"), other("GET", "/cart")]);
    const counts = carts.map((cart) => dataOf(cart).item_count);
    expect(counts.sort()).toEqual([0, 2]);
  });
});
