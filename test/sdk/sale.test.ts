import { beforeEach, describe, expect, it } from "vitest";
import { BusinessRuleError, expectedTotal, NotFoundError } from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { testCode } from "../support/sessions.ts";
import { createBusiness } from "../support/world.ts";
import { createFetch, createShopper, createStore, recordRequests } from "./create-clients.ts";

const phone = "+233241234567";

let created: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  created = await createBusiness();
  product = await createProduct(created);
});

describe("a guest's sale", () => {
  it("goes from the cart with a coupon to an order with the total that the shopper saw", async () => {
    await createDeal(created, { code: "TEN" });
    const shop = createShopper(created);
    const { data: found } = await shop.products.get(product.id);
    const added = await shop.cart.addItem({ item_id: found.id, quantity: 2 });
    expect(added).toMatchObject({
      data: { item_count: 2, pricing: { total_price: "20.00" } },
      requestId: expect.stringMatching(/^[\w-]{36}$/),
      serverTiming: expect.stringContaining("d1"),
    });
    const { data: cart } = await shop.cart.applyCoupon({ coupon_code: "TEN" });
    expect(cart).toMatchObject({ coupon: { code: "TEN" }, pricing: { total_price: "18.00" } });

    const { data: order } = await shop.checkout.placeOrder({
      ...expectedTotal(cart),
      cart_id: cart.id,
      customer: { name: "Ama Serwaa", phone },
      payment_method: "cash",
    });
    expect(order).toMatchObject({ payment_status: "pending", next_action: { type: "none" } });
    const read = await shop.orders.get(order.order_id);
    expect(read.data).toMatchObject({ total_price: "18.00", customer_name: "Ama Serwaa" });
    expect((await shop.cart.countItems()).data).toBe(0);
  });

  it("is refused when the price has changed since", async () => {
    const shop = createShopper(created);
    const { data: cart } = await shop.cart.addItem({ item_id: product.id });
    await createDeal(created);
    const placing = shop.checkout.placeOrder({
      ...expectedTotal(cart),
      cart_id: cart.id,
      customer: { phone },
      payment_method: "cash",
    });
    const error = await placing.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(BusinessRuleError);
    expect(error).toMatchObject({
      rule: "PRICE_CHANGED",
      context: { expected_total: "10.00", total_price: "9.00" },
    });
  });
});

/** Places a guest's order and returns its id. */
async function placeOrder(shop: ReturnType<typeof createShopper>): Promise<string> {
  const { data: cart } = await shop.cart.addItem({ item_id: product.id });
  const { data: order } = await shop.checkout.placeOrder({
    ...{ cart_id: cart.id, customer: { phone }, payment_method: "cash" },
  });
  return order.order_id;
}

describe("the store of a session", () => {
  it("keeps cart and bill tokens for the next client that loads it", async () => {
    const store = createStore();
    const first = createShopper(created, { session: store });
    const orderId = await placeOrder(first);
    await first.cart.addItem({ item_id: product.id, quantity: 3 });

    const second = createShopper(created, { session: createStore(store.text()) });
    expect((await second.cart.get()).data).toMatchObject({ item_count: 3 });
    expect((await second.orders.get(orderId)).data).toMatchObject({ id: orderId });
    expect((await second.orders.getPaymentStatus(orderId)).data).toMatchObject({
      amount: "10.00",
    });
  });

  it("keeps bill tokens when the session ends, and others do not read the order", async () => {
    const store = createStore();
    const orderId = await placeOrder(createShopper(created, { session: store }));
    const [, ...billTokens] = (store.text() ?? "").split(" ");
    const ended = createStore(["ended", ...billTokens].join(" "));
    const later = createShopper(created, { session: ended });
    expect((await later.orders.cancel(orderId, { reason: "Too late" })).data).toMatchObject({
      status: "cancelled",
    });
    await expect(createShopper(created).orders.get(orderId)).rejects.toThrow(NotFoundError);
  });

  it("may answer later, and keeps the bill tokens of the latest twenty orders", async () => {
    const tokens = Array.from({ length: 20 }, (_, index) => `ord_${index}=bt_${index}`);
    let text = ["", ...tokens].join(" ");
    const shop = createShopper(created, {
      session: {
        load: async () => text,
        save: async (session) => {
          text = session;
        },
      },
    });
    const orderId = await placeOrder(shop);
    const [token, ...kept] = text.split(" ");
    expect(token).not.toBe("");
    expect(kept).toEqual([...tokens.slice(1), expect.stringMatching(`^${orderId}=bt_`)]);
  });

  it("lets no one read a token that the caller gives for another order", async () => {
    const shop = createShopper(created);
    const orderId = await placeOrder(shop);
    const reading = shop.orders.get(orderId, { token: "bt_wrong" });
    await expect(reading).rejects.toThrow(NotFoundError);
  });
});

describe("two clients with one store, such as tabs", () => {
  it("share the session, also after one of them has logged in", async () => {
    const store = createStore();
    const [first, second] = [1, 2].map(() => createShopper(created, { session: store }));
    await first?.cart.addItem({ item_id: product.id });
    expect((await second?.cart.get())?.data).toMatchObject({ item_count: 1 });
    await first?.auth.requestOtp({ contact: phone });
    await first?.auth.verifyOtp({ contact: phone, otp_code: testCode });
    expect((await second?.auth.getStatus())?.data).toMatchObject({ is_authenticated: true });
    expect((await second?.cart.get())?.data).toMatchObject({ item_count: 1 });
  });

  it("go on with the new session when the store keeps answering the old one", async () => {
    const saved: string[] = [];
    const session = { load: () => "ended", save: (text: string) => saved.push(text) };
    const shop = createShopper(created, { session });
    await shop.cart.addItem({ item_id: product.id });
    expect((await shop.cart.get()).data).toMatchObject({ item_count: 1 });
    expect(saved).toHaveLength(1);
  });
});

describe("a login by code", () => {
  it.each(["first", "last"])(
    "is kept when the answer to another call with the old token arrives %s",
    async (order) => {
      const [loggedIn, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const send = createFetch();
      const shop = createShopper(created, {
        async fetch(url, init) {
          const isLogin = url.endsWith("/auth/verify-otp");
          const isOther = url.endsWith("/cart");
          if (isOther) await loggedIn.promise;
          const response = await send(url, init);
          if (isLogin) loggedIn.resolve();
          if (order === "first" ? isLogin : isOther) await released.promise;
          return response;
        },
      });
      await shop.auth.requestOtp({ contact: phone });
      const reading = shop.cart.get();
      const verifying = shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
      const [earlier, later] = order === "first" ? [reading, verifying] : [verifying, reading];
      await earlier;
      released.resolve();
      await later;
      expect((await shop.auth.getStatus()).data).toMatchObject({ is_authenticated: true });
    },
  );

  it("keeps the new token and the cart, and ends the old token", async () => {
    const store = createStore();
    const shop = createShopper(created, { session: store });
    await shop.cart.addItem({ item_id: product.id });
    const before = store.text();

    await shop.auth.requestOtp({ contact: phone });
    const { data } = await shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
    expect(data).toMatchObject({ customer: { phone } });
    expect(store.text()).not.toBe(before);
    expect((await shop.auth.getStatus()).data).toMatchObject({ is_authenticated: true });
    expect((await shop.cart.get()).data).toMatchObject({ item_count: 1 });
    expect(await shop.orders.list().page()).toMatchObject({ items: [], hasMore: false });

    const old = createShopper(created, { session: createStore(before) });
    expect((await old.auth.getStatus()).data).toMatchObject({ is_authenticated: false });
    expect((await old.cart.get()).data).toMatchObject({ item_count: 0 });
  });

  it("ends with a logout, after which the client continues as a guest", async () => {
    const shop = createShopper(created);
    await shop.auth.requestOtp({ contact: phone });
    await shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
    await shop.auth.logOut();
    expect((await shop.auth.getStatus()).data).toMatchObject({ is_authenticated: false });
    expect((await shop.cart.addItem({ item_id: product.id })).data).toMatchObject({
      item_count: 1,
    });
  });
});

describe("the start of a session", () => {
  it("is one call for concurrent first calls, and none for the catalogue", async () => {
    const { fetch, requests } = recordRequests(createFetch());
    const shop = createShopper(created, { fetch });
    await shop.products.get(product.id);
    expect(requests).toHaveLength(1);
    const adding = [1, 2, 3].map(() => shop.cart.addItem({ item_id: product.id }));
    await Promise.all(adding);
    expect((await shop.cart.get()).data).toMatchObject({ item_count: 3 });
    const starts = requests.filter(({ url }) => url.endsWith("/sessions"));
    expect(starts).toHaveLength(1);
    const tokens = requests.map(({ headers }) => headers.get("X-Session-Token"));
    expect(new Set(tokens.filter((token) => token !== null)).size).toBe(1);
  });

  it("is tried again by the next call after it has failed", async () => {
    let isDown = true;
    const send = createFetch();
    const shop = createShopper(created, {
      retries: 0,
      fetch: (url, init) => {
        if (isDown) return Promise.reject(new TypeError("no network"));
        return send(url, init);
      },
    });
    await expect(shop.cart.get()).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    isDown = false;
    expect((await shop.cart.get()).data).toMatchObject({ item_count: 0 });
  });
});
