import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb, purgeIdempotencyKeys, shardsOf, shopOf } from "../../shared/database/index.ts";
import { day, minute, newMeter, notFound, unavailable } from "../../shared/kernel/index.ts";
import { givenKey, refusal } from "../business/given.ts";
import { givenBusiness } from "../support/world.ts";
import { bodyOf, d1Of, gate, runs, server, serverWith } from "./idempotent-surface.ts";

beforeEach(() => {
  runs.count = 0;
  runs.effect = () => {};
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a repeated write", () => {
  it("is answered as the first, byte for byte, and not run again", async () => {
    const ask = await server();
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    expect(runs.count).toBe(1);
  });

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

  it("is answered alike when a rule refused the first", async () => {
    const ask = await server();
    runs.effect = () => {
      throw notFound("thing");
    };
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.isReplay]).toEqual([404, 404, true]);
    expect(second.text).toBe(first.text);
    expect(runs.count).toBe(1);
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

describe("a key that was used", () => {
  it("is 409, not retryable, for another body", async () => {
    const ask = await server();
    await ask();
    const refused = await ask({ body: '{"name":"b"}' });
    expect(refused.status).toBe(409);
    expect(bodyOf(refused)).toMatchObject(refusal("CONFLICT", { retryable: false }));
    expect(runs.count).toBe(1);
  });

  it("is 409, retryable, while the first request runs, and replays after it", async () => {
    const ask = await server();
    const running = gate();
    runs.effect = running.pass;
    const first = ask();
    await running.reached;
    const meanwhile = await ask();
    running.open();
    expect(meanwhile.status).toBe(409);
    expect(bodyOf(meanwhile)).toMatchObject(refusal("CONFLICT", { retryable: true }));
    expect((await first).status).toBe(201);
    expect((await ask()).isReplay).toBe(true);
    expect(runs.count).toBe(1);
  });

  it("runs once when many requests come at the same moment", async () => {
    const ask = await server();
    await ask({ key: "warm-up" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(runs.count).toBe(2);
    expect(answers.filter(({ status, isReplay }) => status === 201 && !isReplay)).toHaveLength(1);
    expect(
      answers.every(({ status, isReplay }) => status === 409 || isReplay || status === 201),
    ).toBe(true);
  });

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

describe("an answer that is not final", () => {
  it.each([
    ["an outage", unavailable("Away."), 503],
    ["a bug", new Error("broken"), 500],
  ])(
    "leaves the key to the same request after %s, and to no other",
    async (_what, error, status) => {
      const ask = await server();
      runs.effect = (run) => {
        if (run === 1) throw error;
      };
      expect((await ask()).status).toBe(status);
      expect((await ask({ body: '{"name":"b"}' })).status).toBe(409);
      const again = await ask();
      expect([again.status, again.isReplay]).toEqual([201, false]);
      expect((await ask()).isReplay).toBe(true);
      expect(runs.count).toBe(2);
    },
  );

  it("leaves the key free after a body that is not valid", async () => {
    const ask = await server();
    expect((await ask({ body: '{"name":1}' })).status).toBe(400);
    expect((await ask({ body: "{" })).status).toBe(400);
    expect((await ask()).status).toBe(201);
  });
});

describe("a run that died", () => {
  it("is taken over after its lease of 60 seconds, and can no longer answer for the key", async () => {
    const ask = await server();
    const [dead, second] = [gate(), gate()];
    runs.effect = (run) => (run === 1 ? dead.pass() : second.pass());
    const first = ask();
    await dead.reached;
    later(minute - 1);
    expect((await ask()).status).toBe(409);
    later(1);
    const takenOver = ask();
    await second.reached;
    dead.open();
    expect(bodyOf(await first)).toMatchObject({ data: { run: 1 } });
    expect((await ask()).status).toBe(409);
    second.open();
    expect(bodyOf(await takenOver)).toMatchObject({ data: { run: 2 } });
    expect(bodyOf(await ask())).toMatchObject({ data: { run: 2 } });
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
    const db = openDb(shopDatabase(shop), newMeter());
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
