import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  BusinessRuleError,
  ConnectionError,
  RateLimitedError,
  ServiceUnavailableError,
  type Storefront,
  TimeoutError,
} from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { testCode } from "../support/sessions.ts";
import { createBusiness } from "../support/world.ts";
import { createShopper, recordRequests } from "./create-clients.ts";
import {
  answer,
  createFaultyFetch,
  type Fault,
  loseRequest,
  loseResponse,
  neverAnswer,
  neverEnd,
  pass,
  refuse,
} from "./faulty-fetch.ts";

const phone = "+233241234567";

let created: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.spyOn(Math, "random").mockReturnValue(0); // the shortest waits
  created = await createBusiness();
  product = await createProduct(created);
});

/** A shopper whose requests have the faults, one after the other. */
function createFaultyShopper(
  faults: Fault[],
  options: { retries?: number; timeout?: number } = {},
) {
  const faulty = createFaultyFetch(...faults);
  return { ...faulty, shop: createShopper(created, { fetch: faulty.fetch, ...options }) };
}

const addItem = (shop: Storefront) => shop.cart.addItem({ item_id: product.id });

const checkoutOf = (cartId: string, number: string) => ({
  cart_id: cartId,
  customer: { phone },
  payment_method: "mobile_money" as const,
  mobile_money_details: { phone_number: number, provider: "mtn" },
});

/** The business's orders, each with the number of its charges. */
const countCharges = () =>
  selectRows(
    created,
    `select (select count(*) from sandbox_charges where order_id = orders.id) as charges
     from orders where business_id = ?`,
    created.business.id,
  );

describe("a lost answer", () => {
  it("of a checkout is read again with the same key: one order, one charge", async () => {
    let first = "";
    const keepAndLose: Fault = async (send) => {
      first = await (await send()).text();
      throw new TypeError("The connection was reset.");
    };
    const { shop, keys } = createFaultyShopper([pass, keepAndLose]);
    const { data: cart } = await addItem(shop);
    const { data } = await shop.checkout.placeOrder(checkoutOf(cart.id, "0241234560"));
    expect(data).toEqual(JSON.parse(first).data);
    expect(data).toMatchObject({ payment_status: "captured" });
    expect(await countCharges()).toEqual([{ charges: 1 }]);
    const [, ...checkoutKeys] = keys();
    expect(checkoutKeys).toEqual([expect.stringMatching(/^[\w-]{36}$/), checkoutKeys[0]]);
    expect((await shop.orders.get(data.order_id)).data).toMatchObject({ status: "confirmed" });
  });

  it("of a write is not repeated after a login, which ends the keys of before", async () => {
    const logInAndLose: Fault = async (send) => {
      await (await send()).arrayBuffer();
      await shop.auth.requestOtp({ contact: phone });
      await shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
      throw new TypeError("The connection was reset.");
    };
    const { shop } = createFaultyShopper([logInAndLose]);
    await expect(addItem(shop)).rejects.toThrow(ConnectionError);
    expect((await shop.cart.get()).data.item_count).toBe(1);
  });

  it.each<[string, Fault[]]>([
    ["after the write", [loseResponse]],
    ["after the write, and again after its repeat", [loseResponse, loseResponse]],
    ["before the write", [loseRequest]],
    ["with a cut body", [answer(200, '{"succ', { "Content-Type": "application/json" })]],
    ["in a page that something else answers", [answer(200, "<h1>Log in to this network</h1>")]],
  ])("%s changes the cart once", async (_, faults) => {
    const { shop } = createFaultyShopper(faults);
    expect((await addItem(shop)).data).toMatchObject({ item_count: 1 });
  });

  it("of the call that starts a session starts another one", async () => {
    const { fetch } = createFaultyFetch();
    let isFirst = true;
    const shop = createShopper(created, {
      fetch: (url, init) => {
        const isLost = isFirst;
        isFirst = false;
        return isLost ? Promise.reject(new TypeError("lost")) : fetch(url, init);
      },
    });
    expect((await shop.cart.get()).data).toMatchObject({ item_count: 0 });
  });

  it("of a call without a key is not repeated: a code works once", async () => {
    const { shop, requests } = createFaultyShopper([pass, loseResponse]);
    await shop.auth.requestOtp({ contact: phone });
    const verifying = shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
    await expect(verifying).rejects.toThrow(ConnectionError);
    expect(requests()).toHaveLength(2);
  });
});

describe("a refusal", () => {
  it.each<[string, Fault]>([
    ["429", refuse(429, { code: "RATE_LIMITED" })],
    ["a 409 that may end otherwise", refuse(409, { code: "CONFLICT", retryable: true })],
    ["408", refuse(408, { code: "VALIDATION_ERROR", retryable: true })],
    ["500", refuse(500, { code: "INTERNAL", retryable: true })],
    ["503", refuse(503, { code: "SERVICE_UNAVAILABLE", retryable: true })],
    ["a proxy's 502", answer(502, "<h1>Bad gateway</h1>", { "Retry-After": "0" })],
    ["a proxy's 429", answer(429, "Slow down", { "Retry-After": "0" })],
  ])("with %s is repeated with the same key", async (_, fault) => {
    const { shop, keys } = createFaultyShopper([fault, fault]);
    expect((await addItem(shop)).data).toMatchObject({ item_count: 1 });
    expect(keys()).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys()[0], keys()[0]]);
  });

  it.each<[string, Fault]>([
    ["409", refuse(409, { code: "CONFLICT" })],
    ["a full database", refuse(503, { code: "SERVICE_UNAVAILABLE" })],
    ["a time beyond the timeout", refuse(429, { code: "RATE_LIMITED" }, "31")],
    ["an unknown code", refuse(418, { code: "TEAPOT" })],
    ["a proxy's 403", answer(403, "Forbidden")],
  ])("with %s is not repeated", async (_, fault) => {
    const { shop, requests } = createFaultyShopper([fault]);
    await expect(addItem(shop)).rejects.toMatchObject({ status: expect.any(Number) });
    expect(requests()).toHaveLength(1);
  });

  it("of the input or by a rule is not repeated", async () => {
    const { shop, requests } = createFaultyShopper([]);
    const adding = shop.cart.addItem({ item_id: product.id, quantity: 0 });
    await expect(adding).rejects.toMatchObject({ status: 400, field: "quantity" });
    const applying = shop.cart.applyCoupon({ coupon_code: "NONE" });
    await expect(applying).rejects.toThrow(BusinessRuleError);
    expect(requests()).toHaveLength(2);
  });

  it("by the shopper's bank is not repeated: the shopper decides", async () => {
    const { shop, requests } = createFaultyShopper([]);
    const { data: cart } = await addItem(shop);
    const placing = shop.checkout.placeOrder(checkoutOf(cart.id, "0241234563"));
    const error = await placing.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ retryable: true, context: { reason: "PAYMENT_DECLINED" } });
    expect(requests()).toHaveLength(2);
    const orderId = String(Object(error).context.order_id);
    expect((await shop.orders.get(orderId)).data).toMatchObject({ status: "pending" });
  });

  it("for the rate is repeated also without a key, since nothing was done", async () => {
    const { shop, requests } = createFaultyShopper([refuse(429, { code: "RATE_LIMITED" })]);
    await shop.auth.requestOtp({ contact: phone });
    expect(requests()).toHaveLength(2);
  });

  it("of a call without a key is not repeated when it may have had an effect", async () => {
    const down = refuse(503, { code: "SERVICE_UNAVAILABLE", retryable: true });
    const { shop, requests } = createFaultyShopper([down]);
    const sending = shop.auth.requestOtp({ contact: phone });
    await expect(sending).rejects.toThrow(ServiceUnavailableError);
    expect(requests()).toHaveLength(1);
  });

  it("is repeated twice at most, or as often as the client says", async () => {
    const limited = refuse(429, { code: "RATE_LIMITED" });
    for (const [options, calls] of [
      [{}, 3],
      [{ retries: 0 }, 1],
      [{ retries: 3 }, 4],
    ] as const) {
      const { shop, requests } = createFaultyShopper(Array(6).fill(limited), options);
      await expect(addItem(shop)).rejects.toThrow(RateLimitedError);
      expect(requests()).toHaveLength(calls);
    }
  });
});

describe("the wait before a repeat", () => {
  it("doubles from 200 to 500 ms, or is what Retry-After says", async () => {
    vi.useFakeTimers();
    const waitsOf = async (random: number, retryAfter?: string) => {
      vi.mocked(Math.random).mockReturnValue(random);
      const times: number[] = [];
      const shop = createShopper(created, {
        fetch: async () => {
          times.push(Date.now());
          const headers = { ...(retryAfter && { "Retry-After": retryAfter }) };
          return new Response("", { status: 503, headers });
        },
      });
      const refused = expect(shop.products.get("tea")).rejects.toMatchObject({ status: 503 });
      await vi.advanceTimersByTimeAsync(100_000);
      await refused;
      return times.slice(1).map((time, index) => time - (times[index] ?? 0));
    };
    expect(await waitsOf(0)).toEqual([200, 400]);
    expect(await waitsOf(0.5)).toEqual([350, 700]);
    expect(await waitsOf(0.5, "7")).toEqual([7_000, 7_000]);
    expect(await waitsOf(0, "Wed, 21 Oct 2037 07:28:00 GMT")).toEqual([200, 400]);
  });
});

describe("an Idempotency-Key", () => {
  it("is new for each call, unless the caller gives one", async () => {
    const { shop, keys } = createFaultyShopper([]);
    const { data: cart } = await addItem(shop);
    await addItem(shop);
    await shop.cart.addItem({ item_id: product.id }, { idempotencyKey: "mine" });
    await shop.cart.addItem({ item_id: product.id }, { idempotencyKey: "mine" });
    await shop.cart.get();
    await shop.checkout.placeOrder({
      ...checkoutOf(cart.id, "0241234560"),
      idempotency_key: "in-the-body",
    });
    const [first, second, ...others] = keys();
    expect(first).not.toBe(second);
    expect(others).toEqual(["mine", "mine", null, "in-the-body"]);
  });
});

describe("a timeout", () => {
  it.each<[string, Fault]>([
    ["an answer", neverAnswer],
    ["the end of an answer", neverEnd],
  ])("ends the wait for %s, and the call is repeated", async (_, fault) => {
    const repeated = answer(200, { success: true, data: { item_count: 7 } });
    const { shop } = createFaultyShopper([fault, repeated], { timeout: 60_000 });
    expect((await shop.cart.get({ timeout: 10 })).data).toEqual({ item_count: 7 });
  });

  it("of a call counts more than the client's, and is an error of its own", async () => {
    const { shop } = createFaultyShopper([neverAnswer], { timeout: 60_000, retries: 0 });
    const error = await shop.products
      .get(product.id, {}, { timeout: 10 })
      .catch((late: unknown) => late);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "TIMEOUT", status: 0, retryable: true, requestId: null });
  });
});

describe("an AbortSignal", () => {
  const reason = new Error("The shopper left the page.");

  it("that is aborted sends nothing", async () => {
    const { fetch, requests } = recordRequests();
    const shop = createShopper(created, { fetch });
    const signal = AbortSignal.abort(reason);
    await expect(shop.products.get(product.id, {}, { signal })).rejects.toBe(reason);
    await expect(shop.cart.get({ signal })).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });

  it("ends a call that waits for its answer, which is not repeated", async () => {
    const controller = new AbortController();
    const abort: Fault = (send, signal) => {
      const waiting = neverAnswer(send, signal);
      controller.abort(reason);
      return waiting;
    };
    const { shop, requests } = createFaultyShopper([abort]);
    const { signal } = controller;
    await expect(shop.products.get(product.id, {}, { signal })).rejects.toBe(reason);
    expect(requests()).toHaveLength(1);
  });

  it("ends the wait before a repeat", async () => {
    const controller = new AbortController();
    const limited = refuse(429, { code: "RATE_LIMITED" }, "20");
    const { shop, requests } = createFaultyShopper([limited]);
    const { signal } = controller;
    const reading = shop.products.get(product.id, {}, { signal });
    await vi.waitFor(() => expect(requests()).toHaveLength(1));
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(requests()).toHaveLength(1);
  });
});
