import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  EarlierStands,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { type Dies, never } from "../support/faults.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan, nothingRead } from "./given.ts";

const most = 3; // architecture.md, Speed

type Method = "cash" | "mobile_money";

let shop: CreatedBusiness;
let productId: string;
let cartId: string;

/** One piece: two orders of a cart that stand together would need two. */
beforeEach(async () => {
  shop = await givenBusiness();
  const product = await givenProduct(shop, { inventoryType: "tracked" });
  productId = product.id;
  cartId = checkoutContextFor(shop).newId("cart");
  await givenStock(shop, product, 1);
});

/** The plan of a checkout that knows of no other of its cart. */
async function planned(method: Method): Promise<Checkout> {
  const ctx = checkoutContextFor(shop);
  return givenPlan(ctx, await givenCart(ctx, givenItem(productId), cartId), {
    paymentMethod: method,
  });
}

type Call = Readonly<{ isFirst?: boolean; dies?: Dies }>;

/** Runs it in a call of its own, as the first run of its plan or as one that goes on. */
async function ran(checkout: Checkout, { isFirst = true, dies = never }: Call = {}) {
  const meter = createMeter();
  const ctx: CheckoutContext = checkoutContextFor(shop, { meter, dies });
  const run = runCheckout(ctx, checkout, () => {}, isFirst ? nothingRead : null);
  const [outcome] = await Promise.allSettled([run]);
  return { outcome, d1: meter.d1 };
}

const orders = () =>
  rowsOf(
    shop,
    "select status, cart_turn from orders where business_id = ? and cart_id = ? order by cart_turn",
    shop.business.id,
    cartId,
  );

const reserved = async () =>
  (await rowsOf(shop, "select quantity_reserved from stock_levels where item_id = ?", productId))[0]
    ?.quantity_reserved;

describe("of two checkouts of a cart that know nothing of each other", () => {
  it("the second by cash takes the place of the first, within its round trips", async () => {
    const [one, other] = [await planned("cash"), await planned("cash")];
    await ran(one);
    const { outcome, d1 } = await ran(other);
    expect(outcome.status).toBe("fulfilled");
    expect(d1).toBe(most);
    expect(await orders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
    expect(await reserved()).toBe(1);
  });

  it("the second by mobile money is tried again, and takes its place then", async () => {
    const [one, other] = [await planned("cash"), await planned("mobile_money")];
    await ran(one);
    const first = await ran(other);
    expect(first.outcome).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE" } });
    expect(first.d1).toBeLessThanOrEqual(most);
    expect(await orders()).toEqual([{ status: "pending", cart_turn: 1 }]);
    const again = await ran(other, { isFirst: false });
    expect(again.outcome.status).toBe("fulfilled");
    expect(again.d1).toBeLessThanOrEqual(most);
    expect(await orders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "confirmed", cart_turn: 2 },
    ]);
  });

  it("the second finds the sale of the first, where that is paid", async () => {
    const [one, other] = [await planned("mobile_money"), await planned("cash")];
    await ran(one);
    const { outcome } = await ran(other);
    expect(outcome).toMatchObject({ reason: { orderId: one.plan.orderId } });
    expect(Object(outcome).reason).toBeInstanceOf(EarlierStands);
    expect(await orders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
  });

  it("one is placed where both are sent at once, and the other in its place", async () => {
    const both = [await planned("cash"), await planned("cash")];
    await Promise.all(both.map((one) => ran(one)));
    expect(await orders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
    expect(await reserved()).toBe(1);
  });

  it("the second goes on behind a first that was cancelled", async () => {
    const [one, other] = [await planned("cash"), await planned("cash")];
    await ran(one);
    const ctx = checkoutContextFor(shop);
    const cancellation = { reason: null, by: "business", requestKey: null } as const;
    await cancelOrder(ctx, await orderRepo(ctx).get(one.plan.orderId), cancellation);
    await ran(other);
    expect(await orders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
  });
});

it("a checkout whose own batch arrived goes on with that, within its round trips", async () => {
  const one = await planned("mobile_money");
  await ran(one);
  const { outcome, d1 } = await ran(one);
  expect(outcome.status).toBe("fulfilled");
  expect(d1).toBeLessThanOrEqual(most);
  expect(await orders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
});

it("a checkout that goes on as its own batch arrives is tried again, within its round trips", async () => {
  const one = await planned("mobile_money");
  let effects = 0;
  const dies: Dies = async (effect) => {
    effects += 1;
    const isPlacing = effects === 2; // behind the look for an order of an earlier run
    if (isPlacing) await effect();
    return effect();
  };
  const { outcome, d1 } = await ran(one, { isFirst: false, dies });
  expect(outcome).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE" } });
  expect(d1).toBeLessThanOrEqual(most);
  expect(await orders()).toEqual([{ status: "pending", cart_turn: 1 }]);
  const again = await ran(one, { isFirst: false });
  expect(again.outcome.status).toBe("fulfilled");
  expect(again.d1).toBeLessThanOrEqual(most);
  expect(await orders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
});

it("a cart whose order was cancelled is sold under a new key, within the round trips", async () => {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: productId } });
  const pay = (key: string, lastDigit: number) =>
    ask("POST", "/checkout", {
      body: {
        cart_id: Object(added.body).data.id,
        customer: { phone: "0241234567" },
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
      },
      headers: { "Idempotency-Key": key },
    });
  expect((await pay("declined", 3)).status).toBe(503);
  const [order] = await rowsOf(
    shop,
    "select id from orders where business_id = ?",
    shop.business.id,
  );
  await merchant(shop)("POST", `/orders/${order?.id}/cancel`, { body: {} });
  expect((await pay("declined", 3)).status).toBe(409); // from here on, that checkout is over
  const sold = await pay("new", 0);
  expect(sold.status).toBe(200);
  expect(roundTrips(sold).d1).toBeLessThanOrEqual(most);
});

it("a cart that was sold without its session's knowledge is not sold again, and gives way to another", async () => {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: productId } });
  cartId = Object(added.body).data.id;
  await ran(await planned("mobile_money"));
  const answer = await ask("POST", "/checkout", {
    body: { cart_id: cartId, customer: { phone: "0241234567" }, payment_method: "cash" },
  });
  expect(answer.status).toBe(404);
  expect(await orders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
  const { data } = Object((await ask("GET", "/cart")).body);
  expect(data).toMatchObject({ items: [], item_count: 0 });
  expect(data.id).not.toBe(cartId);
});

it("a cart's orders are found by an index", async () => {
  const plan = await rowsOf(
    shop,
    "explain query plan select same.id from orders as same where same.cart_id = ? and same.business_id = ?",
    cartId,
    shop.business.id,
  );
  expect(plan.map(({ detail }) => detail).join()).toMatch(/using .*index orders_of_cart/i);
});
