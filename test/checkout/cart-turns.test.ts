import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  EarlierOrderSold,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { createMeter } from "../../shared/database/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { type CrashPoint, neverCrash } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "./create-checkout.ts";

const maxRoundTrips = 3;

type TurnPaymentMethod = "cash" | "mobile_money";

let shop: CreatedBusiness;
let productId: string;
let cartId: string;

/** One unit in stock: two active orders of the cart would need two. */
beforeEach(async () => {
  shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  productId = product.id;
  cartId = checkoutContextFor(shop).newId("cart");
  await setStock(shop, product, 1);
});

/** A planned checkout that does not know other checkouts of its cart. */
async function createTestCheckout(method: TurnPaymentMethod): Promise<Checkout> {
  const ctx = checkoutContextFor(shop);
  return createPlannedCheckout(ctx, await createCart(ctx, newItem(productId), cartId), {
    paymentMethod: method,
  });
}

type RunOptions = Readonly<{ isFirst?: boolean; crashPoint?: CrashPoint }>;

/** Runs a checkout in a call of its own, as the first run of its plan or as a resumed one. */
async function runInCall(
  checkout: Checkout,
  { isFirst = true, crashPoint = neverCrash }: RunOptions = {},
) {
  const meter = createMeter();
  const ctx: CheckoutContext = checkoutContextFor(shop, { meter, crashPoint });
  const run = runCheckout(ctx, checkout, () => {}, isFirst ? readsOf(checkout) : null);
  const [outcome] = await Promise.allSettled([run]);
  return { outcome, d1: meter.d1 };
}

const listOrders = () =>
  selectRows(
    shop,
    "select status, cart_turn from orders where business_id = ? and cart_id = ? order by cart_turn",
    shop.business.id,
    cartId,
  );

const loadReserved = async () =>
  (
    await selectRows(
      shop,
      "select quantity_reserved from stock_levels where item_id = ?",
      productId,
    )
  )[0]?.quantity_reserved;

describe("two checkouts of a cart that do not know each other", () => {
  it("by cash: the second replaces the first within the round trips of a call", async () => {
    const [one, other] = [await createTestCheckout("cash"), await createTestCheckout("cash")];
    await runInCall(one);
    const { outcome, d1 } = await runInCall(other);
    expect(outcome.status).toBe("fulfilled");
    expect(d1).toBe(maxRoundTrips);
    expect(await listOrders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
    expect(await loadReserved()).toBe(1);
  });

  it("by mobile money: the second replaces the first at its retry", async () => {
    const [one, other] = [
      await createTestCheckout("cash"),
      await createTestCheckout("mobile_money"),
    ];
    await runInCall(one);
    const first = await runInCall(other);
    expect(first.outcome).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE" } });
    expect(first.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrders()).toEqual([{ status: "pending", cart_turn: 1 }]);
    const again = await runInCall(other, { isFirst: false });
    expect(again.outcome.status).toBe("fulfilled");
    expect(again.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "confirmed", cart_turn: 2 },
    ]);
  });

  it("the second reports the sale when the first is paid", async () => {
    const [one, other] = [
      await createTestCheckout("mobile_money"),
      await createTestCheckout("cash"),
    ];
    await runInCall(one);
    const { outcome } = await runInCall(other);
    expect(outcome).toMatchObject({ reason: { orderId: one.plan.orderId } });
    expect(Object(outcome).reason).toBeInstanceOf(EarlierOrderSold);
    expect(await listOrders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
  });

  it("sent at once: one is placed, and the other replaces it", async () => {
    const both = [await createTestCheckout("cash"), await createTestCheckout("cash")];
    await Promise.all(both.map((one) => runInCall(one)));
    expect(await listOrders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
    expect(await loadReserved()).toBe(1);
  });

  it("the second is placed after the first was cancelled", async () => {
    const [one, other] = [await createTestCheckout("cash"), await createTestCheckout("cash")];
    await runInCall(one);
    const ctx = checkoutContextFor(shop);
    const cancellation = { reason: null, initiator: "business", requestKey: null } as const;
    await cancelOrder(ctx, await orderRepo(ctx).get(one.plan.orderId), cancellation);
    await runInCall(other);
    expect(await listOrders()).toEqual([
      { status: "cancelled", cart_turn: 1 },
      { status: "pending", cart_turn: 2 },
    ]);
  });
});

it("a checkout whose placing batch was already applied continues within the round trips", async () => {
  const one = await createTestCheckout("mobile_money");
  await runInCall(one);
  const { outcome, d1 } = await runInCall(one);
  expect(outcome.status).toBe("fulfilled");
  expect(d1).toBeLessThanOrEqual(maxRoundTrips);
  expect(await listOrders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
});

it("a resumed checkout whose placing batch is applied late can be retried within the round trips", async () => {
  const one = await createTestCheckout("mobile_money");
  let effects = 0;
  const crashPoint: CrashPoint = async (effect) => {
    effects += 1;
    const isPlacing = effects === 2; // after the search for the order of an earlier run
    if (isPlacing) await effect();
    return effect();
  };
  const { outcome, d1 } = await runInCall(one, { isFirst: false, crashPoint });
  expect(outcome).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE" } });
  expect(d1).toBeLessThanOrEqual(maxRoundTrips);
  expect(await listOrders()).toEqual([{ status: "pending", cart_turn: 1 }]);
  const again = await runInCall(one, { isFirst: false });
  expect(again.outcome.status).toBe("fulfilled");
  expect(again.d1).toBeLessThanOrEqual(maxRoundTrips);
  expect(await listOrders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
});

it("a cart whose order was cancelled is sold with a new key within the round trips", async () => {
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
  const [order] = await selectRows(
    shop,
    "select id from orders where business_id = ?",
    shop.business.id,
  );
  await merchant(shop)("POST", `/orders/${order?.id}/cancel`, { body: {} });
  expect((await pay("declined", 3)).status).toBe(409); // the checkout of this key is abandoned
  const sold = await pay("new", 0);
  expect(sold.status).toBe(200);
  expect(roundTrips(sold).d1).toBeLessThanOrEqual(maxRoundTrips);
});

it("a cart that was sold without its session's knowledge is replaced and not sold again", async () => {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: productId } });
  cartId = Object(added.body).data.id;
  await runInCall(await createTestCheckout("mobile_money"));
  const answer = await ask("POST", "/checkout", {
    body: { cart_id: cartId, customer: { phone: "0241234567" }, payment_method: "cash" },
  });
  expect(answer.status).toBe(404);
  expect(await listOrders()).toEqual([{ status: "confirmed", cart_turn: 1 }]);
  const { data } = Object((await ask("GET", "/cart")).body);
  expect(data).toMatchObject({ items: [], item_count: 0 });
  expect(data.id).not.toBe(cartId);
});

it("a cart's orders are found by an index", async () => {
  const plan = await selectRows(
    shop,
    "explain query plan select same.id from orders as same where same.cart_id = ? and +same.business_id = ?",
    cartId,
    shop.business.id,
  );
  expect(plan.map(({ detail }) => detail).join()).toMatch(/using .*index orders_of_cart/i);
});
