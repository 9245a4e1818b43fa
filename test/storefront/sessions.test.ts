import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CartSession } from "../../functions/storefront/objects/cart-session/cart-session.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
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
import { createBusiness, dataOf, roundTrips, shopper, testAddress } from "../support/world.ts";

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

describe("verify-otp", () => {
  it("issues a new cookie for the same session and keeps the cart", async () => {
    const { ask, cookie, cartId } = await visitor();
    const answer = await logIn(ask, phone);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
    expect(sessionCookieOf(answer)).not.toBe(cookie);
    expect(await readCart(ask)).toMatchObject({ id: cartId, item_count: 1 });
    expect(roundTrips(await ask("GET", "/cart"))).toMatchObject({ d1: 0, do: 1 });
  });

  it("invalidates the old cookie, so that nobody who planted it is logged in or sees the cart", async () => {
    const { ask, cookie, cartId } = await visitor();
    const { customerId } = await createLoggedInShopper(shop, phone, ask);
    expect(await readAuthStatus(bearer(cookie))).toEqual(anonymousStatus);
    const planter = bearer(cookie);
    const first = await planter("GET", "/cart");
    expect(dataOf(first)).toMatchObject({ items: [] });
    expect(dataOf(first).id).not.toBe(cartId);
    expect(roundTrips(first)).toMatchObject({ do: 2 });
    expect(parseCookieClaims(sessionCookieOf(first)).sub).not.toBe(parseCookieClaims(cookie).sub);
    await planter("POST", "/cart/items", { body: { item_id: product.id, quantity: 5 } });
    expect(await readCart(planter)).toMatchObject({ item_count: 5 });
    expect(await readCart(ask)).toMatchObject({ id: cartId, item_count: 1 });
    expect(await readAuthStatus(ask)).toMatchObject({ customer: { id: customerId } });
  });

  it("does not admit the planter to the session with a code of their own", async () => {
    const { ask, cookie, cartId } = await visitor();
    await logIn(ask, phone);
    const planter = await createLoggedInShopper(shop, "planter@example.com", bearer(cookie));
    expect(parseCookieClaims(planter.cookie).sub).not.toBe(parseCookieClaims(cookie).sub);
    expect(await readCart(planter.ask)).toMatchObject({ items: [] });
    expect(await readCart(ask)).toMatchObject({ id: cartId, item_count: 1 });
  });

  it("admits the customer to the session with a new code when the response was lost", async () => {
    const { ask, cookie, cartId } = await visitor();
    await logIn(ask, phone);
    const again = bearer(cookie);
    const body = { contact: phone, otp_code: testCode };
    expect(await again("POST", "/auth/verify-otp", { body })).toMatchObject({ status: 401 });
    expect(await logIn(again, phone)).toMatchObject({ status: 200 });
    expect(await readCart(again)).toMatchObject({ id: cartId, item_count: 1 });
    expect(await readAuthStatus(ask)).toEqual(anonymousStatus);
  });

  it("keeps the old cookie valid when the database fails, and a new code works at once", async () => {
    const { ask, cookie, cartId } = await visitor();
    await ask("POST", "/auth/request-otp", { body: { contact: phone } });
    await selectRows(
      shop,
      "create trigger outage before insert on customers begin select raise(abort, 'Network connection lost.'); end",
    );
    const body = { contact: phone, otp_code: testCode };
    expect(await ask("POST", "/auth/verify-otp", { body })).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
    await selectRows(shop, "drop trigger outage");
    expect(await readCart(bearer(cookie))).toMatchObject({ id: cartId });
    expect(await logIn(ask, phone)).toMatchObject({ status: 200 });
    expect(await readCart(ask)).toMatchObject({ id: cartId });
  });

  it("gives the session to one of two concurrent logins and a new session to the other", async () => {
    const { ask, cookie } = await visitor();
    const contacts = [phone, "kofi@example.com"];
    for (const contact of contacts) await ask("POST", "/auth/request-otp", { body: { contact } });
    const answers = await Promise.all(
      contacts.map((contact) =>
        bearer(cookie)("POST", "/auth/verify-otp", { body: { contact, otp_code: testCode } }),
      ),
    );
    const sessions = answers.map((answer) => parseCookieClaims(sessionCookieOf(answer)).sub);
    expect(sessions.filter((id) => id === parseCookieClaims(cookie).sub)).toHaveLength(1);
    for (const [index, answer] of answers.entries())
      expect((await readAuthStatus(bearer(sessionCookieOf(answer)))).customer).toMatchObject(
        index === 0 ? { phone } : { email: contacts[1] },
      );
  });

  it("survives an eviction of the object", async () => {
    const { ask, cookie } = await visitor();
    const { customerId } = await createLoggedInShopper(shop, phone, ask);
    await evictDurableObject(env.CART_SESSION.getByName(parseCookieClaims(cookie).sub));
    expect(await readAuthStatus(ask)).toMatchObject({ customer: { id: customerId } });
    expect(await readAuthStatus(bearer(cookie))).toEqual(anonymousStatus);
  });

  it("gives the session to a second customer of the browser and invalidates the first one's cookie", async () => {
    const { ask } = await visitor();
    const first = await createLoggedInShopper(shop, phone, ask);
    const second = await createLoggedInShopper(shop, "kofi@example.com", ask);
    expect(await readAuthStatus(ask)).toMatchObject({ customer: { id: second.customerId } });
    expect(await readAuthStatus(bearer(first.cookie))).toEqual(anonymousStatus);
  });
});

describe("a login during another change of its session", () => {
  /** Starts several calls at once in a session's object, so that they overlap during database reads. */
  const atOnce = <T>(
    sessionId: string,
    work: (object: CartSession) => Promise<T>[],
  ): Promise<T[]> =>
    runInDurableObject(env.CART_SESSION.getByName(sessionId), (instance) => {
      if (!(instance instanceof CartSession)) throw new Error("That is no session.");
      return Promise.all(work(instance));
    });

  const call = () => ({
    business: shop.business,
    requestId: "request",
    network: "10.0.0.1",
    address: testAddress,
    idempotent: null,
  });
  const stale = { outcome: { ok: true, value: "stale" } };
  const loggedIn = { outcome: { ok: true, value: { generation: 1 } } };

  it("is stale when the other is a login", async () => {
    const { sub } = parseCookieClaims((await visitor()).cookie);
    const replies = await atOnce(sub, (object) => [
      object.logIn(0, call(), { contact: { type: "phone", value: phone }, socketId: null }),
      object.logIn(0, call(), {
        contact: { type: "email", value: "kofi@example.com" },
        socketId: null,
      }),
    ]);
    expect(replies).toMatchObject([loggedIn, stale]);
  });

  it("is stale when the other is a logout, and nobody is logged in", async () => {
    const { sub } = parseCookieClaims((await visitor()).cookie);
    const replies = await atOnce<unknown>(sub, (object) => [
      object.logIn(0, call(), { contact: { type: "phone", value: phone }, socketId: null }),
      object.run(0, "logOut", call(), null),
    ]);
    expect(replies).toMatchObject([stale, { outcome: { ok: true, value: null } }]);
    expect(await readSessionStorage(sub)).toMatchObject({
      values: expect.arrayContaining([
        ["login", expect.objectContaining({ generation: 1, login: null })],
      ]),
    });
  });
});

describe("logout", () => {
  it("ends the session on the server, so that its cookies are anonymous", async () => {
    const { ask, cookie: before, cartId } = await visitor();
    const { cookie } = await createLoggedInShopper(shop, phone, ask);
    const answer = await ask("POST", "/auth/logout");
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: null } });
    expect(answer.headers.get("set-cookie")).toBe(
      "__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None; Partitioned",
    );
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 1 });
    for (const old of [before, cookie]) {
      expect(await readAuthStatus(bearer(old))).toEqual(anonymousStatus);
      expect(await bearer(old)("GET", "/orders")).toMatchObject({ status: 401 });
      expect((await readCart(bearer(old))).id).not.toBe(cartId);
    }
  });

  it("is not undone by a new code of the same customer", async () => {
    const { ask, cartId } = await visitor();
    const { cookie } = await createLoggedInShopper(shop, phone, ask);
    await ask("POST", "/auth/logout");
    const again = await createLoggedInShopper(shop, phone, bearer(cookie));
    expect((await readCart(again.ask)).id).not.toBe(cartId);
  });

  it("ends an anonymous session too, and succeeds when repeated or without a session", async () => {
    const { ask, cookie, cartId } = await visitor();
    const leaving = bearer(cookie);
    await leaving("POST", "/auth/logout");
    expect(await leaving("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await bearer(null)("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect((await readCart(ask)).id).not.toBe(cartId);
  });

  it("does not end the session with an old cookie", async () => {
    const { ask, cookie } = await visitor();
    const { customerId } = await createLoggedInShopper(shop, phone, ask);
    expect(await bearer(cookie)("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await readAuthStatus(ask)).toMatchObject({ customer: { id: customerId } });
  });

  it("is stored for longer than any cookie is valid", async () => {
    const { ask, cookie } = await visitor();
    vi.setSystemTime(Date.now() + day - second);
    await ask("POST", "/auth/logout");
    vi.setSystemTime(Date.now() + 30 * day - 2 * second);
    expect(await readSessionStorage(parseCookieClaims(cookie).sub)).toMatchObject({
      values: expect.arrayContaining([
        ["login", expect.objectContaining({ generation: 1, login: null })],
      ]),
    });
  });
});

describe("an unused login", () => {
  it("is deleted with its session, from storage and from memory", async () => {
    const { ask, cookie } = await createLoggedInShopper(shop);
    const { sub } = parseCookieClaims(cookie);
    vi.setSystemTime(Date.now() + 33 * day);
    expect(await runDurableObjectAlarm(env.CART_SESSION.getByName(sub))).toBe(true);
    expect(await readSessionStorage(sub)).toEqual({ values: [], tables: [] });
    vi.setSystemTime(Date.now() - 33 * day); // so that the cookie is valid
    expect(await readAuthStatus(ask)).toEqual(anonymousStatus);
  });
});
