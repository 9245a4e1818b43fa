import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, hour } from "../../shared/kernel/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
let cookie: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  const caller = shopper(shop);
  ask = async (...request) => {
    const answer = await caller(...request);
    cookie = answer.headers.get("set-cookie") ?? cookie;
    return answer;
  };
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

const advanceTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

const add = () => ask("POST", "/cart/items", { body: { item_id: product.id } });

const add404 = () =>
  ask("POST", "/cart/items", {
    body: { item_id: "prod_unknown" },
    headers: { "Idempotency-Key": "refused" },
  });

const countUnits = async () => dataOf(await ask("GET", "/cart/count"));

/** The session's object, named by the id in the cookie's token. */
function session() {
  const payload = cookie.split(".")[1] ?? "";
  const id = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
  return env.CART_SESSION.getByName(id);
}

/** What the object stores, and when its alarm is due. */
const loadStored = () =>
  runInDurableObject(session(), async (_, { storage }) => ({
    tables: storage.sql.exec("select name from sqlite_master").toArray(),
    values: [...(await storage.list()).keys()],
    alarm: await storage.getAlarm(),
  }));

const emptyStorage = { tables: [], values: [], alarm: null };

const runAlarm = () => runDurableObjectAlarm(session());

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

const listOrderStatuses = async () =>
  (await selectRows(shop, "select status from orders where business_id = ?", shop.business.id)).map(
    ({ status }) => status,
  );

describe("a session before its first write", () => {
  it("stores nothing for reads and still keeps its cart's id", async () => {
    const first = dataOf(await ask("GET", "/cart"));
    expect(await loadStored()).toEqual(emptyStorage);
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
    expect(await loadStored()).toEqual(emptyStorage);
  });

  it("stores the response of such a write with an Idempotency-Key", async () => {
    await ask("DELETE", "/cart");
    await ask("DELETE", "/cart/items/ci_unknown", { headers: { "Idempotency-Key": "key" } });
    expect(await loadStored()).not.toEqual(emptyStorage);
  });

  it.each([
    ["cart write", () => add404()],
    ["checkout", () => checkout("cart_unknown", "0241234560")],
  ])("is deleted when the stored response of a refused %s expires", async (_, refuse) => {
    await refuse();
    expect((await loadStored()).alarm).toBe(Date.now() + day);
    advanceTime(hour);
    expect((await refuse()).headers.get("idempotency-replayed")).toBe("true");
    advanceTime(23 * hour - 1);
    await runAlarm();
    expect(await loadStored()).not.toEqual(emptyStorage);
    advanceTime(1);
    await runAlarm();
    expect(await loadStored()).toEqual(emptyStorage);
    expect((await add()).status).toBe(200);
  });

  it("is kept when it holds more than the response of a refused write", async () => {
    await add404();
    await add();
    advanceTime(day);
    await runAlarm();
    expect(await countUnits()).toBe(1);
  });

  it("has a cart of its own", async () => {
    const other = dataOf(await shopper(shop)("GET", "/cart"));
    expect(dataOf(await ask("GET", "/cart")).id).not.toBe(other.id);
  });
});

describe("an unused session", () => {
  it("is kept while its cookie is valid", async () => {
    await add();
    advanceTime(30 * day - hour);
    await runAlarm();
    expect(await countUnits()).toBe(1);
  });

  it("is deleted after that, and its object starts empty", async () => {
    await add();
    await ask("GET", "/cart");
    advanceTime(33 * day);
    await evictDurableObject(session());
    expect(await runAlarm()).toBe(true);
    expect(await loadStored()).toEqual(emptyStorage);
    expect(await runAlarm()).toBe(false);
    advanceTime(-33 * day); // so that the cookie is valid
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ items: [], coupon: null });
  });

  it("is deleted without an eviction too, from storage and from memory", async () => {
    await add();
    advanceTime(33 * day);
    await runAlarm();
    expect(await loadStored()).toEqual(emptyStorage);
    advanceTime(-33 * day);
    expect(await countUnits()).toBe(0);
  });

  it("can be written again by a call whose clock is behind, and then expires again", async () => {
    await add();
    await add();
    advanceTime(33 * day);
    await runAlarm();
    advanceTime(-33 * day); // so that the cookie is valid
    expect(await countUnits()).toBe(0);
    await add();
    expect(await countUnits()).toBe(1);
    advanceTime(33 * day);
    expect(await runAlarm()).toBe(true);
    expect(await loadStored()).toEqual(emptyStorage);
  });

  it("handles an alarm that runs twice or too early", async () => {
    await add();
    await runAlarm();
    await runAlarm();
    expect(await countUnits()).toBe(1);
    advanceTime(33 * day);
    await Promise.all([runAlarm(), runAlarm()]);
    expect(await loadStored()).toEqual(emptyStorage);
  });

  it("is deleted although no use of it was noted", async () => {
    await add();
    await runInDurableObject(session(), async (_, { storage }) => {
      for (const key of ["used_at", "due"]) storage.kv.delete(key);
      await storage.deleteAlarm();
    });
    await evictDurableObject(session());
    expect(await countUnits()).toBe(1);
    advanceTime(33 * day);
    expect(await runAlarm()).toBe(true);
    expect(await loadStored()).toEqual(emptyStorage);
  });
});

describe("a session in use", () => {
  it("is kept by reads alone", async () => {
    await add();
    for (const _ of [1, 2, 3]) {
      advanceTime(20 * day);
      expect(await countUnits()).toBe(1);
      await evictDurableObject(session());
      await runAlarm();
    }
    expect(await countUnits()).toBe(1);
    advanceTime(33 * day);
    await runAlarm();
    expect(await loadStored()).toEqual(emptyStorage);
  });

  it("notes its use at most once a day and does not move its alarm", async () => {
    await add();
    const usedAt = () =>
      runInDurableObject(session(), (_, { storage }) => storage.kv.get<number>("used_at"));
    const [first, { alarm }] = [await usedAt(), await loadStored()];
    advanceTime(day - hour);
    await add();
    expect(await usedAt()).toBe(first);
    advanceTime(2 * hour);
    await add();
    expect(await usedAt()).toBe(Date.now());
    expect((await loadStored()).alarm).toBe(alarm);
  });
});

describe("a session with an open checkout", () => {
  /** Makes payment updates fail, as an outage of the shard would. */
  const startOutage = () =>
    selectRows(
      shop,
      "create trigger outage before update on payments begin select raise(abort, 'Network connection lost.'); end",
    );
  const endOutage = () => selectRows(shop, "drop trigger outage");

  it("gives up an interrupted checkout, whose payment the background records", async () => {
    const cartId = dataOf(await add()).id;
    await startOutage();
    expect(await checkout(cartId, "0241234560")).toMatchObject({ status: 503 });
    advanceTime(33 * day);
    await evictDurableObject(session());
    await runAlarm();
    await endOutage();
    expect(await loadStored()).toEqual(emptyStorage);
    expect(await listOrderStatuses()).toEqual(["pending"]);
    await runJobsUntilIdle(shop);
    expect(await listOrderStatuses()).toEqual(["confirmed"]);
  });

  it("cancels the unpaid order before it is deleted", async () => {
    const cartId = dataOf(await add()).id;
    expect(await checkout(cartId, "0241234563")).toMatchObject({ status: 503 });
    expect(await rowsOfCheckouts()).toMatchObject([{ status: "unpaid" }]);
    advanceTime(33 * day);
    await runAlarm();
    expect(await listOrderStatuses()).toEqual(["cancelled"]);
    expect(await loadStored()).toEqual(emptyStorage);
  });

  it("keeps the expiry alarm when the checkout completes", async () => {
    const cartId = dataOf(await add()).id;
    const { alarm } = await loadStored();
    expect(await checkout(cartId, "0241234560")).toMatchObject({ status: 200 });
    expect((await loadStored()).alarm).toBe(alarm);
  });

  const rowsOfCheckouts = () =>
    runInDurableObject(session(), (_, { storage }) =>
      storage.sql.exec("select status from checkouts").toArray(),
    );
});
