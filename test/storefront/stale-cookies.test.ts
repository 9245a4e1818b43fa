import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { dataOf } from "../support/orders.ts";
import {
  cartOf,
  claimsOf,
  cookieIn,
  givenVisitor,
  loggedInShopper,
  logIn,
  statusOf,
  storedIn,
  stranger,
  testCode,
} from "../support/sessions.ts";
import { type Answer, call, givenBusiness, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await givenBusiness();
  product = await givenProduct(shop);
});

const phone = "+233241234567";

const visitor = () => givenVisitor(shop, product.id);

/** Somebody who has nothing but a cookie. */
const bearer = (cookie: string | null) => shopper(shop, cookie);

describe("a cookie of before a login", () => {
  type Operations = Record<string, Record<string, { security?: Record<string, unknown>[] }>>;

  /** Bodies that are valid, for the calls that would otherwise not come as far as the session. */
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

  /** Every call of the storefront's own document that a publishable key may make. */
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
    const { customerId } = await loggedInShopper(shop, phone, ask);
    const { items } = await cartOf(ask);
    const { sub } = claimsOf(cookie);
    const before = await storedIn(sub);
    const calls = await shoppersCalls();
    expect(calls.length).toBeGreaterThan(40);
    for (const { method, path } of calls) {
      const place = path.replace("{cart_item_id}", items[0].id).replace(/\{\w+\}/g, "unknown");
      const body = method === "GET" ? undefined : bodies()[path];
      const answer: Answer = await bearer(cookie)(method, place, body && { body });
      const told = JSON.stringify(answer.body);
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      for (const secret of [cartId, items[0].id, customerId, phone])
        expect(told, `${method} ${path}`).not.toContain(secret);
      const set = cookieIn(answer);
      if (set?.includes(".")) expect(claimsOf(set).sub, `${method} ${path}`).not.toBe(sub);
    }
    expect(await storedIn(sub)).toEqual(before);
  });

  it("repeats no answer of the session, though the Idempotency-Key be right", async () => {
    const ask = shopper(shop);
    const headers = { "Idempotency-Key": "key-1" };
    const options = { body: { item_id: product.id }, headers };
    const added = await ask("POST", "/cart/items", options);
    await logIn(ask, phone);
    const answer = await bearer(cookieIn(added))("POST", "/cart/items", options);
    expect(answer.headers.get("Idempotency-Replayed")).toBeNull();
    expect(dataOf(answer).id).not.toBe(dataOf(added).id);
    const repeated = await ask("POST", "/cart/items", options);
    expect(repeated.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("is never signed anew", async () => {
    const { ask, cookie } = await visitor();
    await logIn(ask, phone);
    vi.setSystemTime(Date.now() + 2 * day);
    for (const path of ["/auth/status", "/activity/state", "/orders"])
      expect(cookieIn(await bearer(cookie)("GET", path))).toBeNull();
  });
});

/** A session's cookie as an earlier release signed it. */
async function signedWithoutGeneration(sessionId: string): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(sessionId)
    .setAudience(shop.business.id)
    .setIssuedAt(Math.floor(Date.now() / second))
    .setExpirationTime(Math.floor((Date.now() + day) / second))
    .sign(new TextEncoder().encode(env.SESSION_SECRET));
  return `__Host-session=${token}`;
}

describe("a cookie that is not this business's, or nobody's", () => {
  it("is another business's: a stranger here", async () => {
    const { ask } = await visitor();
    const { cookie } = await loggedInShopper(shop, phone, ask);
    const neighbour = await givenBusiness();
    const there = shopper(neighbour, cookie);
    expect(await statusOf(there)).toEqual(stranger);
    expect(await there("GET", "/orders")).toMatchObject({ status: 401 });
    expect(dataOf(await there("GET", "/cart"))).toMatchObject({ items: [] });
  });

  it("was tampered with: 401 where a customer is needed, a fresh session elsewhere", async () => {
    const { ask, cartId } = await visitor();
    const { cookie } = await loggedInShopper(shop, phone, ask);
    const [head, , mark] = (cookie ?? "").split(".");
    const claims = btoa(JSON.stringify({ ...claimsOf(cookie), gen: 2 })).replaceAll("=", "");
    const forger = bearer([head, claims, mark].join("."));
    expect(await forger("GET", "/orders")).toMatchObject({ status: 401 });
    expect(await forger("POST", "/auth/profile", { body: { name: "Eve" } })).toMatchObject({
      status: 401,
    });
    expect(await statusOf(forger)).toEqual(stranger);
    expect((await cartOf(forger)).id).not.toBe(cartId);
  });

  it("was signed before sessions had generations: good until its session's first login", async () => {
    const { ask, cookie, cartId } = await visitor();
    const older = bearer(await signedWithoutGeneration(claimsOf(cookie).sub));
    expect(await cartOf(older)).toMatchObject({ id: cartId });
    await logIn(ask, phone);
    expect((await cartOf(older)).id).not.toBe(cartId);
  });
});

describe("a storefront on another site", () => {
  const origin = "https://shop.example";
  const evil = "https://evil.example";
  const fromOrigin = (from: string) => ({ headers: { Origin: from } });

  /** A live business, whose storefront is at the origin. */
  async function givenLiveShop() {
    const live = await givenBusiness({ mode: "live" });
    await merchant(live)("PATCH", "", { body: { allowed_origins: [origin] } });
    vi.setSystemTime(Date.now() + 6 * second); // so that what isolates remember of it has grown old
    return live;
  }

  it("gets the session's cookie by a call with credentials", async () => {
    const live = await givenLiveShop();
    const answer = await shopper(live)("GET", "/cart", fromOrigin(origin));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    expect(answer.headers.get("set-cookie")).toContain("; SameSite=None; Partitioned");
    expect(answer.headers.get("Vary")).toContain("Origin");
  });

  it("is refused without reading or writing anything when its origin is none of the business's", async () => {
    const live = await givenLiveShop();
    const ask = shopper(live);
    const cookie = cookieIn(await ask("GET", "/cart", fromOrigin(origin)));
    for (const [method, path] of [
      ["GET", "/cart"],
      ["POST", "/auth/logout"],
    ] as const) {
      const answer = await shopper(live, cookie)(method, path, fromOrigin(evil));
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(cookieIn(answer)).toBeNull();
    }
    expect(await storedIn(claimsOf(cookie).sub)).toEqual({ values: [], tables: [] });
  });
});
