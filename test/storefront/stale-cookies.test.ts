import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import { createProduct } from "../support/create-product.ts";
import {
  anonymousStatus,
  createCart,
  createLoggedInShopper,
  logIn,
  parseCookieClaims,
  readAuthStatus,
  readCart,
  readSessionStorage,
  sessionCookieOf,
  testCode,
} from "../support/sessions.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop);
});

const phone = "+233241234567";

const visitor = () => createCart(shop, product.id);

/** A caller who has only a cookie. */
const bearer = (cookie: string | null) => shopper(shop, cookie);

describe("a cookie from before a login", () => {
  type Operations = Record<string, Record<string, { security?: Record<string, unknown>[] }>>;

  /** Valid bodies for the calls that would otherwise be rejected before the session is read. */
  const bodies = (): Record<string, object> => ({
    "/cart/items": { item_id: product.id },
    "/cart/items/{cart_item_id}": { quantity: 3 },
    "/cart/coupons": { coupon_code: "TEN" },
    "/checkout": {
      cart_id: "cart_x",
      customer: { email: "ama@example.com" },
      payment_method: "cash",
    },
    "/payments/authorization": {
      payment_id: "pt_x",
      authorization: { type: "otp", value: testCode },
    },
    "/auth/profile": { name: "Planter" },
    "/auth/request-otp": { contact: "planter@example.com" },
    "/auth/verify-otp": { contact: "planter@example.com", otp_code: testCode },
    "/orders/{order_id}/cancel": {},
    "/orders/{order_id}/customer": { customer_id: "cus_x" },
    "/activity/events": { events: [{ type: "product_view", product_id: product.id }] },
    "/support/conversation/messages": { content: "Hello", client_id: "hello" },
    "/activity/messages/dismiss": { code: "low_stock:x" },
    "/fx/quotes": { from: "GHS", to: "USD", amount: "10" },
  });

  /** Every call in the storefront's OpenAPI document that accepts a publishable key. */
  async function shoppersCalls(): Promise<{ method: string; path: string }[]> {
    const { body } = await call("GET", "/api/v1/openapi.json");
    const paths: Operations = Object(body).paths;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security?.some((need) => "publishableKey" in need))
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replace("/api/v1", "") })),
    );
  }

  it("neither reads nor writes the session, on any call", async () => {
    const { ask, cookie, cartId } = await visitor();
    const { customerId } = await createLoggedInShopper(shop, phone, ask);
    const { items } = await readCart(ask);
    const { sub } = parseCookieClaims(cookie);
    const before = await readSessionStorage(sub);
    const calls = await shoppersCalls();
    expect(calls.length).toBeGreaterThan(40);
    for (const { method, path } of calls) {
      const url = path.replace("{cart_item_id}", items[0].id).replace(/\{\w+\}/g, "unknown");
      const body = method === "GET" ? undefined : bodies()[path];
      const answer: ApiResponse = await bearer(cookie)(method, url, body && { body });
      const responseText = JSON.stringify(answer.body);
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      for (const secret of [cartId, items[0].id, customerId, phone])
        expect(responseText, `${method} ${path}`).not.toContain(secret);
      const set = sessionCookieOf(answer);
      if (set?.includes(".")) expect(parseCookieClaims(set).sub, `${method} ${path}`).not.toBe(sub);
    }
    expect(await readSessionStorage(sub)).toEqual(before);
  });

  it("gets no stored response of the session, even with the right Idempotency-Key", async () => {
    const ask = shopper(shop);
    const headers = { "Idempotency-Key": "key-1" };
    const options = { body: { item_id: product.id }, headers };
    const added = await ask("POST", "/cart/items", options);
    await logIn(ask, phone);
    const answer = await bearer(sessionCookieOf(added))("POST", "/cart/items", options);
    expect(answer.headers.get("Idempotency-Replayed")).toBeNull();
    expect(dataOf(answer).id).not.toBe(dataOf(added).id);
    const repeated = await ask("POST", "/cart/items", options);
    expect(repeated.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("is never renewed", async () => {
    const { ask, cookie } = await visitor();
    await logIn(ask, phone);
    vi.setSystemTime(Date.now() + 2 * day);
    for (const path of ["/auth/status", "/activity/state", "/orders"])
      expect(sessionCookieOf(await bearer(cookie)("GET", path))).toBeNull();
  });
});

/** A cookie without a generation. */
async function signWithoutGeneration(sessionId: string): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(sessionId)
    .setAudience(shop.business.id)
    .setIssuedAt(Math.floor(Date.now() / second))
    .setExpirationTime(Math.floor((Date.now() + day) / second))
    .sign(new TextEncoder().encode(env.SESSION_SECRET));
  return `__Host-session=${token}`;
}

describe("a cookie of another business or with another content", () => {
  it("of another business is anonymous", async () => {
    const { ask } = await visitor();
    const { cookie } = await createLoggedInShopper(shop, phone, ask);
    const neighbour = await createBusiness();
    const there = shopper(neighbour, cookie);
    expect(await readAuthStatus(there)).toEqual(anonymousStatus);
    expect(await there("GET", "/orders")).toMatchObject({ status: 401 });
    expect(dataOf(await there("GET", "/cart"))).toMatchObject({ items: [] });
  });

  it("that was tampered with gets 401 where a customer is required, and a new session elsewhere", async () => {
    const { ask, cartId } = await visitor();
    const { cookie } = await createLoggedInShopper(shop, phone, ask);
    const [head, , mark] = (cookie ?? "").split(".");
    const claims = btoa(JSON.stringify({ ...parseCookieClaims(cookie), gen: 2 })).replaceAll(
      "=",
      "",
    );
    const forger = bearer([head, claims, mark].join("."));
    expect(await forger("GET", "/orders")).toMatchObject({ status: 401 });
    expect(await forger("POST", "/auth/profile", { body: { name: "Eve" } })).toMatchObject({
      status: 401,
    });
    expect(await readAuthStatus(forger)).toEqual(anonymousStatus);
    expect((await readCart(forger)).id).not.toBe(cartId);
  });

  it("without a generation is valid until its session's first login", async () => {
    const { ask, cookie, cartId } = await visitor();
    const older = bearer(await signWithoutGeneration(parseCookieClaims(cookie).sub));
    expect(await readCart(older)).toMatchObject({ id: cartId });
    await logIn(ask, phone);
    expect((await readCart(older)).id).not.toBe(cartId);
  });
});

describe("a storefront on another site", () => {
  const origin = "https://shop.example";
  const evil = "https://evil.example";
  const fromOrigin = (from: string) => ({ headers: { Origin: from } });

  /** A live business with an allowed storefront origin. */
  async function createLiveBusiness() {
    const live = await createBusiness({ mode: "live" });
    await merchant(live)("PATCH", "", { body: { allowed_origins: [origin] } });
    vi.setSystemTime(Date.now() + 6 * second); // expires what isolates cache of it
    return live;
  }

  it("receives the session's cookie in a call with credentials", async () => {
    const live = await createLiveBusiness();
    const answer = await shopper(live)("GET", "/cart", fromOrigin(origin));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    expect(answer.headers.get("set-cookie")).toContain("; SameSite=None; Partitioned");
    expect(answer.headers.get("Vary")).toContain("Origin");
  });

  it("is rejected before anything is read or written when its origin is not allowed", async () => {
    const live = await createLiveBusiness();
    const ask = shopper(live);
    const cookie = sessionCookieOf(await ask("GET", "/cart", fromOrigin(origin)));
    for (const [method, path] of [
      ["GET", "/cart"],
      ["POST", "/auth/logout"],
    ] as const) {
      const answer = await shopper(live, cookie)(method, path, fromOrigin(evil));
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(sessionCookieOf(answer)).toBeNull();
    }
    expect(await readSessionStorage(parseCookieClaims(cookie).sub)).toEqual({
      values: [],
      tables: [],
    });
  });
});
