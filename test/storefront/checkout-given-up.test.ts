import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createPaystackBooks } from "../payments/paystack-books.ts";
import { createProduct } from "../support/create-product.ts";
import { runDueJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { parseCookieClaims, readCart, sessionCookieOf } from "../support/sessions.ts";
import { type ApiClient, createBusiness, dataOf, shopper } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const sessionObject = (cookie: string | null) =>
  env.CART_SESSION.getByName(parseCookieClaims(cookie).sub);
const minutes = (count: number) => vi.setSystemTime(start + count * 60_000);

let shop: CreatedBusiness;
let ask: ApiClient;
let cartId: string;
let object: ReturnType<typeof sessionObject>;
let paystack: ReturnType<typeof createPaystackBooks>;

beforeEach(async () => {
  minutes(0);
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  paystack = createPaystackBooks();
  shop = await createBusiness({ mode: "live" });
  const product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  cartId = dataOf(added).id;
  object = sessionObject(sessionCookieOf(added));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const checkOut = (cart: string, key: string, method: "cash" | "mobile_money" = "mobile_money") =>
  ask("POST", "/checkout", {
    body: {
      cart_id: cart,
      customer: { phone: "0241234567" },
      payment_method: method,
      ...(method === "mobile_money" && {
        mobile_money_details: { phone_number: "0241234567", provider: "mtn" },
      }),
    },
    headers: { "Idempotency-Key": key },
  });

/** Interrupts a checkout after its charge, and removes the provider's key from its session. */
async function interruptCheckout(): Promise<void> {
  const outage = `create trigger outage before update on payments
    begin select raise(abort, 'Network connection lost.'); end`;
  await selectRows(shop, outage);
  expect(await checkOut(cartId, "first")).toMatchObject({ status: 503 });
  await selectRows(shop, "drop trigger outage");
  await setSessionKey(undefined);
}

/** Sets the provider's key of the session's object. */
const setSessionKey = (key: string | undefined) =>
  runInDurableObject(object, (instance) => {
    Object.assign(instance, { env: { ...env, PAYSTACK_SECRET_KEY: key } });
  });

const listOrders = () =>
  selectRows(
    shop,
    "select status, payment_method, payment_status from orders where business_id = ? order by id",
    shop.business.id,
  );

const charges = () => paystack.calls.filter((call) => call.startsWith("POST /charge"));

describe("a checkout whose provider has gone", () => {
  it("locks the cart for at most 30 minutes, then gives it back under a new id", async () => {
    await interruptCheckout();
    minutes(29);
    await runDurableObjectAlarm(object);
    expect(await ask("DELETE", "/cart")).toMatchObject({ status: 409 });
    minutes(31);
    await runDurableObjectAlarm(object);
    const cart = await readCart(ask);
    expect(cart).toMatchObject({ item_count: 1 });
    expect(cart.id).not.toBe(cartId);
    expect(await runDurableObjectAlarm(object)).toBe(true); // only the expiry is left
    expect((await checkOut(cart.id, "second", "cash")).status).toBe(200);
    expect(await listOrders()).toEqual([
      { status: "pending", payment_method: "mobile_money", payment_status: "processing" },
      { status: "pending", payment_method: "cash", payment_status: "pending" },
    ]);
  });

  it("charges nothing any more, and its order is paid when the money arrives later", async () => {
    await interruptCheckout();
    minutes(31);
    await runDurableObjectAlarm(object);
    await setSessionKey(env.PAYSTACK_SECRET_KEY);
    expect(await checkOut(cartId, "first")).toMatchObject({ status: 409 });
    await runDurableObjectAlarm(object);
    expect(charges()).toHaveLength(1);
    Object.assign(paystack.transactions[0] ?? {}, { status: "success" });
    await runDueJobs();
    expect(await listOrders()).toMatchObject([{ status: "confirmed", payment_status: "captured" }]);
    expect(charges()).toHaveLength(1);
  });

  it("ends also when the shopper keeps retrying it", async () => {
    await interruptCheckout();
    for (const minute of [10, 20, 30]) {
      minutes(minute);
      expect(await checkOut(cartId, "first")).toMatchObject({ status: 503 });
    }
    expect((await readCart(ask)).id).not.toBe(cartId);
  });

  it("leaves an empty cart when the money is known to be captured", async () => {
    paystack.captureAtOnce();
    await interruptCheckout();
    minutes(31);
    await runDurableObjectAlarm(object);
    expect(await readCart(ask)).toMatchObject({ item_count: 0 });
  });
});

describe("a failed checkout whose provider does not answer any more", () => {
  it("blocks a new checkout of its cart for at most 30 minutes", async () => {
    paystack.silentPaths.add("/charge");
    paystack.silentPaths.add("/transaction");
    expect(await checkOut(cartId, "first")).toMatchObject({ status: 503 });
    minutes(29);
    expect(await checkOut(cartId, "second", "cash")).toMatchObject({ status: 503 });
    expect((await readCart(ask)).id).toBe(cartId);
    minutes(31);
    expect(await checkOut(cartId, "second", "cash")).toMatchObject({ status: 503 });
    const { id } = await readCart(ask);
    expect(await checkOut(id, "third", "cash")).toMatchObject({ status: 200 });
    expect(await listOrders()).toHaveLength(2);
  });
});
