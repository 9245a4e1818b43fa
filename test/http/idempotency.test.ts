import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { openDb, purgeIdempotencyKeys, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter, day } from "../../shared/kernel/index.ts";
import { givenKey, refusal } from "../business/given.ts";
import { givenBusiness } from "../support/world.ts";
import { bodyOf, d1Of, runs, server, serverWith, withFreshRuns } from "./idempotent-surface.ts";

withFreshRuns();

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a repeated write", () => {
  it("is the same when its JSON says the same", async () => {
    const ask = await server();
    await ask({ body: '{"name":"a","tags":["x"]}' });
    expect((await ask({ body: '{ "tags": ["x"], "name": "a" }' })).isReplay).toBe(true);
  });

  it("costs two round trips the first time and one the second", async () => {
    const ask = await server();
    await ask({ key: "warm-up" });
    expect(d1Of(await ask())).toBe("2");
    expect(d1Of(await ask())).toBe("1");
  });

  it("works without a body, and for a file by its declared length and type", async () => {
    const ask = await server();
    await ask({ method: "DELETE", path: "/things/1" });
    expect((await ask({ method: "DELETE", path: "/things/1" })).isReplay).toBe(true);
    const file = { path: "/imports", type: "text/csv", body: "Title\nBread" };
    await ask(file);
    expect((await ask(file)).isReplay).toBe(true);
    expect((await ask({ ...file, path: "/imports?dry_run=true" })).status).toBe(409);
    expect(runs.count).toBe(2);
  });

  it("runs anew after 24 hours", async () => {
    const ask = await server();
    await ask();
    later(day - 1);
    expect((await ask()).isReplay).toBe(true);
    later(1);
    expect((await ask({ body: '{"name":"b"}' })).isReplay).toBe(false);
    expect(runs.count).toBe(2);
  });
});

describe("a key", () => {
  it.each([
    ["another query", { path: "/things?of=1" }, 409],
    ["another route", { method: "DELETE", path: "/things/1" }, 200],
    ["another key", { key: "key-2" }, 201],
  ] as const)("is judged by route and key: %s", async (_what, other, status) => {
    const ask = await server();
    await ask();
    const answered = await ask(other);
    expect([answered.status, answered.isReplay]).toEqual([status, false]);
  });

  it("is another key for another record of the same route", async () => {
    const ask = await server();
    for (const path of ["/things/1", "/things/2"])
      expect((await ask({ method: "DELETE", path })).isReplay).toBe(false);
    expect(runs.count).toBe(2);
  });

  it("is another key for another caller, of the same business too", async () => {
    const shop = await givenBusiness();
    const callers = [shop.keys.secret, await givenKey(shop), (await givenBusiness()).keys.secret];
    for (const secret of callers) expect((await serverWith(secret)()).isReplay).toBe(false);
    expect(runs.count).toBe(3);
  });
});

describe("a key from before the deployment's secret was changed", () => {
  it("is 409, so that nothing is done twice, and works again after 24 hours", async () => {
    const ask = await server();
    const sessionSecret = "another secret of the deployment's";
    await ask();
    expect((await ask({ sessionSecret })).status).toBe(409);
    expect((await ask()).isReplay).toBe(true);
    later(day);
    expect((await ask({ sessionSecret })).isReplay).toBe(false);
    expect(runs.count).toBe(2);
  });
});

describe("the Idempotency-Key", () => {
  it.each([
    ["empty", ""],
    ["too long", "k".repeat(256)],
    ["of two words", "a b"],
  ])("is 400 when it is %s", async (_what, key) => {
    const ask = await server();
    const refused = await ask({ key });
    expect(refused.status).toBe(400);
    expect(bodyOf(refused)).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "Idempotency-Key" } }),
    );
    expect(runs.count).toBe(0);
  });

  it("of a shopper is not this mechanism's", async () => {
    const ask = serverWith((await givenBusiness()).keys.publishable);
    await ask({ path: "/shoppers", key: "warm-up" });
    expect(d1Of(await ask({ path: "/shoppers" }))).toBe("0");
    expect((await ask({ path: "/shoppers" })).isReplay).toBe(false);
  });
});

describe("what is kept", () => {
  it("cannot be read by whoever reads the table", async () => {
    const shop = await givenBusiness();
    await serverWith(shop.keys.secret)();
    const [row] = await rowsOf(shop);
    expect(row).toMatchObject({ status: 201, key: "key-1" });
    expect(String(row?.body)).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(atob(String(row?.body))).not.toContain("run");
  });

  it("is purged once it no longer counts", async () => {
    const shop = await givenBusiness();
    const ask = serverWith(shop.keys.secret);
    await ask();
    later(day);
    await ask({ key: "key-2" });
    const db = openDb(shopDatabase(shop), createMeter());
    await purgeIdempotencyKeys(db, Date.now(), { of: "shop" });
    expect(await rowsOf(shop)).toMatchObject([{ key: "key-2" }]);
  });
});

type Shop = Awaited<ReturnType<typeof givenBusiness>>;

const shopDatabase = ({ business }: Shop) => shopOf(shardsOf(env, env.SHOP_SHARDS), business);

async function rowsOf(shop: Shop): Promise<Record<string, unknown>[]> {
  const query = "select key, status, body from idempotency_keys where business_id = ?";
  const { results } = await shopDatabase(shop).prepare(query).bind(shop.business.id).all();
  return results;
}
