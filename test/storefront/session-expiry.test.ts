import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, hour } from "../../shared/kernel/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
let cookie: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await givenBusiness();
  const caller = shopper(shop);
  ask = async (...request) => {
    const answer = await caller(...request);
    cookie = answer.headers.get("set-cookie") ?? cookie;
    return answer;
  };
  product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

const dataOf = ({ body }: Answer) => Object(body).data;

const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);

const add = () => ask("POST", "/cart/items", { body: { item_id: product.id } });

const pieces = async () => dataOf(await ask("GET", "/cart/count"));

/** The session's object; its id stands in the cookie's token, readable and signed. */
function session() {
  const payload = cookie.split(".")[1] ?? "";
  const id = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
  return env.CART_SESSION.getByName(id);
}

/** What the object stores, and when its alarm rings. */
const stored = () =>
  runInDurableObject(session(), async (_, { storage }) => ({
    tables: storage.sql.exec("select name from sqlite_master").toArray(),
    values: [...(await storage.list()).keys()],
    alarm: await storage.getAlarm(),
  }));

const nothing = { tables: [], values: [], alarm: null };

const ring = () => runDurableObjectAlarm(session());

const checkout = (cartId: string, phone: string) =>
  ask("POST", "/checkout", {
    body: {
      cart_id: cartId,
      customer: { phone: "0241234567" },
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: phone, provider: "mtn" },
    },
    headers: { "Idempotency-Key": "key" },
  });

const orders = async () =>
  (await rowsOf(shop, "select status from orders where business_id = ?", shop.business.id)).map(
    ({ status }) => status,
  );

describe("a session before its first write", () => {
  it("stores nothing for readers, and yet keeps its cart's id", async () => {
    const first = dataOf(await ask("GET", "/cart"));
    expect(await stored()).toEqual(nothing);
    await evictDurableObject(session());
    expect(dataOf(await ask("GET", "/cart"))).toEqual(first);
    expect(first.id).toMatch(/^cart_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(dataOf(await add()).id).toBe(first.id);
    expect(dataOf(await ask("GET", "/cart")).id).toBe(first.id);
  });

  it("stores nothing for writes that change nothing", async () => {
    await ask("DELETE", "/cart");
    await ask("DELETE", "/cart/coupons/current");
    await ask("POST", "/cart/items", { body: { item_id: "prod_unknown" } });
    await ask("DELETE", "/cart/items/ci_unknown");
    expect(await stored()).toEqual(nothing);
  });

  it("stores the answer of such a write for whoever may repeat it by its key", async () => {
    await ask("DELETE", "/cart");
    await ask("DELETE", "/cart/items/ci_unknown", { headers: { "Idempotency-Key": "key" } });
    expect(await stored()).not.toEqual(nothing);
  });

  it("has another cart than any other session", async () => {
    const other = dataOf(await shopper(shop)("GET", "/cart"));
    expect(dataOf(await ask("GET", "/cart")).id).not.toBe(other.id);
  });
});

describe("a session that nobody uses", () => {
  it("is kept while its cookie may still be good", async () => {
    await add();
    passes(30 * day - hour);
    await ring();
    expect(await pieces()).toBe(1);
  });

  it("is gone after that, whole, and its object starts anew", async () => {
    await add();
    await ask("GET", "/cart");
    passes(33 * day);
    await evictDurableObject(session());
    expect(await ring()).toBe(true);
    expect(await stored()).toEqual(nothing);
    expect(await ring()).toBe(false);
    passes(-33 * day); // so that the cookie is good
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ items: [], coupon: null });
  });

  it("is gone without an eviction too, and forgets what it held in memory", async () => {
    await add();
    passes(33 * day);
    await ring();
    expect(await stored()).toEqual(nothing);
    passes(-33 * day);
    expect(await pieces()).toBe(0);
  });

  it("may be written to again by a call whose clock is behind, and then expires once more", async () => {
    await add();
    await add();
    passes(33 * day);
    await ring();
    passes(-33 * day); // so that the cookie is good
    expect(await pieces()).toBe(0);
    await add();
    expect(await pieces()).toBe(1);
    passes(33 * day);
    expect(await ring()).toBe(true);
    expect(await stored()).toEqual(nothing);
  });

  it("is not harmed by an alarm that rings twice, or too early", async () => {
    await add();
    await ring();
    await ring();
    expect(await pieces()).toBe(1);
    passes(33 * day);
    await Promise.all([ring(), ring()]);
    expect(await stored()).toEqual(nothing);
  });

  it("goes although it was stored by an earlier release, which noted no use", async () => {
    await add();
    await runInDurableObject(session(), async (_, { storage }) => {
      for (const key of ["used_at", "due"]) storage.kv.delete(key);
      await storage.deleteAlarm();
    });
    await evictDurableObject(session());
    expect(await pieces()).toBe(1);
    passes(33 * day);
    expect(await ring()).toBe(true);
    expect(await stored()).toEqual(nothing);
  });
});

describe("a session in use", () => {
  it("is kept by reads alone", async () => {
    await add();
    for (const _ of [1, 2, 3]) {
      passes(20 * day);
      expect(await pieces()).toBe(1);
      await evictDurableObject(session());
      await ring();
    }
    expect(await pieces()).toBe(1);
    passes(33 * day);
    await ring();
    expect(await stored()).toEqual(nothing);
  });

  it("notes its use at most once a day, and leaves its alarm where it is", async () => {
    await add();
    const usedAt = () =>
      runInDurableObject(session(), (_, { storage }) => storage.kv.get<number>("used_at"));
    const [first, { alarm }] = [await usedAt(), await stored()];
    passes(day - hour);
    await add();
    expect(await usedAt()).toBe(first);
    passes(2 * hour);
    await add();
    expect(await usedAt()).toBe(Date.now());
    expect((await stored()).alarm).toBe(alarm);
  });
});

describe("a session with an open checkout", () => {
  /** Lets the shop's database refuse to note a payment, as an outage at that moment would. */
  const outage = () =>
    rowsOf(
      shop,
      "create trigger outage before update on payments begin select raise(abort, 'Network connection lost.'); end",
    );
  const outageEnds = () => rowsOf(shop, "drop trigger outage");

  it("is kept until what a crash left is finished, and then goes", async () => {
    const cartId = dataOf(await add()).id;
    await outage();
    expect(await checkout(cartId, "0241234560")).toMatchObject({ status: 503 });
    passes(33 * day);
    await evictDurableObject(session());
    await ring();
    expect((await stored()).alarm).not.toBeNull();
    await outageEnds();
    expect(await rowsOfCheckouts()).toMatchObject([{ status: "running" }]);
    passes(2 * day);
    await ring();
    await ring();
    expect(await orders()).toEqual(["confirmed"]);
    expect(await stored()).toEqual(nothing);
  });

  it("gives up what nobody paid before it goes", async () => {
    const cartId = dataOf(await add()).id;
    expect(await checkout(cartId, "0241234563")).toMatchObject({ status: 503 });
    expect(await rowsOfCheckouts()).toMatchObject([{ status: "unpaid" }]);
    passes(33 * day);
    await ring();
    expect(await orders()).toEqual(["cancelled"]);
    expect(await stored()).toEqual(nothing);
  });

  it("leaves the expiry's alarm standing when the checkout is done", async () => {
    const cartId = dataOf(await add()).id;
    const { alarm } = await stored();
    expect(await checkout(cartId, "0241234560")).toMatchObject({ status: 200 });
    expect((await stored()).alarm).toBe(alarm);
  });

  const rowsOfCheckouts = () =>
    runInDurableObject(session(), (_, { storage }) =>
      storage.sql.exec("select status from checkouts").toArray(),
    );
});
