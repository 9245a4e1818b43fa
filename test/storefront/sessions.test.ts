import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CartSession } from "../../functions/storefront/objects/cart-session/cart-session.ts";
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
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

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

describe("verify-otp", () => {
  it("issues a new cookie value for the same session, and the cart goes along", async () => {
    const { ask, cookie, cartId } = await visitor();
    const answer = await logIn(ask, phone);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
    expect(cookieIn(answer)).not.toBe(cookie);
    expect(await cartOf(ask)).toMatchObject({ id: cartId, item_count: 1 });
    expect(roundTrips(await ask("GET", "/cart"))).toMatchObject({ d1: 0, do: 1 });
  });

  it("makes the old value worthless: nobody who planted it is logged in, or sees the cart", async () => {
    const { ask, cookie, cartId } = await visitor();
    const { customerId } = await loggedInShopper(shop, phone, ask);
    expect(await statusOf(bearer(cookie))).toEqual(stranger);
    const planter = bearer(cookie);
    const first = await planter("GET", "/cart");
    expect(dataOf(first)).toMatchObject({ items: [] });
    expect(dataOf(first).id).not.toBe(cartId);
    expect(roundTrips(first)).toMatchObject({ do: 2 });
    expect(claimsOf(cookieIn(first)).sub).not.toBe(claimsOf(cookie).sub);
    await planter("POST", "/cart/items", { body: { item_id: product.id, quantity: 5 } });
    expect(await cartOf(planter)).toMatchObject({ item_count: 5 });
    expect(await cartOf(ask)).toMatchObject({ id: cartId, item_count: 1 });
    expect(await statusOf(ask)).toMatchObject({ customer: { id: customerId } });
  });

  it("does not take the planter back into the session by a code of their own", async () => {
    const { ask, cookie, cartId } = await visitor();
    await logIn(ask, phone);
    const planter = await loggedInShopper(shop, "planter@example.com", bearer(cookie));
    expect(claimsOf(planter.cookie).sub).not.toBe(claimsOf(cookie).sub);
    expect(await cartOf(planter.ask)).toMatchObject({ items: [] });
    expect(await cartOf(ask)).toMatchObject({ id: cartId, item_count: 1 });
  });

  it("takes the customer back into the session by a new code when its answer was lost", async () => {
    const { ask, cookie, cartId } = await visitor();
    await logIn(ask, phone);
    const again = bearer(cookie);
    const body = { contact: phone, otp_code: testCode };
    expect(await again("POST", "/auth/verify-otp", { body })).toMatchObject({ status: 401 });
    expect(await logIn(again, phone)).toMatchObject({ status: 200 });
    expect(await cartOf(again)).toMatchObject({ id: cartId, item_count: 1 });
    expect(await statusOf(ask)).toEqual(stranger);
  });

  it("leaves the old cookie good when the database failed it, and a new code works at once", async () => {
    const { ask, cookie, cartId } = await visitor();
    await ask("POST", "/auth/request-otp", { body: { contact: phone } });
    await rowsOf(
      shop,
      "create trigger outage before insert on customers begin select raise(abort, 'Network connection lost.'); end",
    );
    const body = { contact: phone, otp_code: testCode };
    expect(await ask("POST", "/auth/verify-otp", { body })).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
    await rowsOf(shop, "drop trigger outage");
    expect(await cartOf(bearer(cookie))).toMatchObject({ id: cartId });
    expect(await logIn(ask, phone)).toMatchObject({ status: 200 });
    expect(await cartOf(ask)).toMatchObject({ id: cartId });
  });

  it("lets one of two logins at once have the session; neither loses it to a stranger", async () => {
    const { ask, cookie } = await visitor();
    const contacts = [phone, "kofi@example.com"];
    for (const contact of contacts) await ask("POST", "/auth/request-otp", { body: { contact } });
    const answers = await Promise.all(
      contacts.map((contact) =>
        bearer(cookie)("POST", "/auth/verify-otp", { body: { contact, otp_code: testCode } }),
      ),
    );
    const sessions = answers.map((answer) => claimsOf(cookieIn(answer)).sub);
    expect(sessions.filter((id) => id === claimsOf(cookie).sub)).toHaveLength(1);
    for (const [index, answer] of answers.entries())
      expect((await statusOf(bearer(cookieIn(answer)))).customer).toMatchObject(
        index === 0 ? { phone } : { email: contacts[1] },
      );
  });

  it("outlives the object's sleep", async () => {
    const { ask, cookie } = await visitor();
    const { customerId } = await loggedInShopper(shop, phone, ask);
    await evictDurableObject(env.CART_SESSION.getByName(claimsOf(cookie).sub));
    expect(await statusOf(ask)).toMatchObject({ customer: { id: customerId } });
    expect(await statusOf(bearer(cookie))).toEqual(stranger);
  });

  it("gives a second customer of one browser the session, and the first one's cookie nothing", async () => {
    const { ask } = await visitor();
    const first = await loggedInShopper(shop, phone, ask);
    const second = await loggedInShopper(shop, "kofi@example.com", ask);
    expect(await statusOf(ask)).toMatchObject({ customer: { id: second.customerId } });
    expect(await statusOf(bearer(first.cookie))).toEqual(stranger);
  });
});

describe("a login that another change of its session overtakes", () => {
  /** Runs something at once in a session's object: the first has asked the database when the second comes. */
  const atOnce = <T>(
    sessionId: string,
    work: (object: CartSession) => Promise<T>[],
  ): Promise<T[]> =>
    runInDurableObject(env.CART_SESSION.getByName(sessionId), (instance) => {
      if (!(instance instanceof CartSession)) throw new Error("That is no session.");
      return Promise.all(work(instance));
    });

  const call = () => ({ business: shop.business, requestId: "request", idempotent: null });
  const stale = { outcome: { ok: true, value: "stale" } };
  const loggedIn = { outcome: { ok: true, value: { generation: 1 } } };

  it("is stale when the other is a login", async () => {
    const { sub } = claimsOf((await visitor()).cookie);
    const replies = await atOnce(sub, (object) => [
      object.logIn(0, call(), { type: "phone", value: phone }),
      object.logIn(0, call(), { type: "email", value: "kofi@example.com" }),
    ]);
    expect(replies).toMatchObject([loggedIn, stale]);
  });

  it("is stale when the other is a logout, and nobody is logged in", async () => {
    const { sub } = claimsOf((await visitor()).cookie);
    const replies = await atOnce<unknown>(sub, (object) => [
      object.logIn(0, call(), { type: "phone", value: phone }),
      object.serve(0, "logOut"),
    ]);
    expect(replies).toMatchObject([stale, { outcome: { ok: true, value: null } }]);
    expect(await storedIn(sub)).toMatchObject({
      values: expect.arrayContaining([
        ["login", expect.objectContaining({ generation: 1, login: null })],
      ]),
    });
  });
});

describe("logout", () => {
  it("ends the session on the server: its cookies are a stranger's from then on", async () => {
    const { ask, cookie: before, cartId } = await visitor();
    const { cookie } = await loggedInShopper(shop, phone, ask);
    const answer = await ask("POST", "/auth/logout");
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: null } });
    expect(answer.headers.get("set-cookie")).toBe(
      "__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None; Partitioned",
    );
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 1 });
    for (const old of [before, cookie]) {
      expect(await statusOf(bearer(old))).toEqual(stranger);
      expect(await bearer(old)("GET", "/orders")).toMatchObject({ status: 401 });
      expect((await cartOf(bearer(old))).id).not.toBe(cartId);
    }
  });

  it("is not undone by a code of the same customer", async () => {
    const { ask, cartId } = await visitor();
    const { cookie } = await loggedInShopper(shop, phone, ask);
    await ask("POST", "/auth/logout");
    const again = await loggedInShopper(shop, phone, bearer(cookie));
    expect((await cartOf(again.ask)).id).not.toBe(cartId);
  });

  it("ends an anonymous session too, does nothing twice, and nothing for a stranger", async () => {
    const { ask, cookie, cartId } = await visitor();
    const leaving = bearer(cookie);
    await leaving("POST", "/auth/logout");
    expect(await leaving("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await bearer(null)("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect((await cartOf(ask)).id).not.toBe(cartId);
  });

  it("does not end the session for the bearer of an old cookie", async () => {
    const { ask, cookie } = await visitor();
    const { customerId } = await loggedInShopper(shop, phone, ask);
    expect(await bearer(cookie)("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await statusOf(ask)).toMatchObject({ customer: { id: customerId } });
  });

  it("is remembered for longer than any cookie is good", async () => {
    const { ask, cookie } = await visitor();
    vi.setSystemTime(Date.now() + day - second);
    await ask("POST", "/auth/logout");
    vi.setSystemTime(Date.now() + 30 * day - 2 * second);
    expect(await storedIn(claimsOf(cookie).sub)).toMatchObject({
      values: expect.arrayContaining([
        ["login", expect.objectContaining({ generation: 1, login: null })],
      ]),
    });
  });
});

describe("a login that nobody uses", () => {
  it("is gone with its session, from storage and from memory", async () => {
    const { ask, cookie } = await loggedInShopper(shop);
    const { sub } = claimsOf(cookie);
    vi.setSystemTime(Date.now() + 33 * day);
    expect(await runDurableObjectAlarm(env.CART_SESSION.getByName(sub))).toBe(true);
    expect(await storedIn(sub)).toEqual({ values: [], tables: [] });
    vi.setSystemTime(Date.now() - 33 * day); // so that the cookie is good
    expect(await statusOf(ask)).toEqual(stranger);
  });
});
