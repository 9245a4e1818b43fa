import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import {
  createMeter,
  openDb,
  purgeIdempotencyKeys,
  shardsOf,
  shopOf,
} from "../../shared/database/index.ts";
import { day, notFound } from "../../shared/kernel/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal } from "../support/responses.ts";
import { createBusiness } from "../support/world.ts";
import {
  bodyOf,
  createBusinessClient,
  createServerClient,
  d1RoundTripsOf,
  handlerRuns,
  resetRunsBeforeEach,
} from "./idempotency-test-api.ts";

resetRunsBeforeEach();

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a repeated write", () => {
  it("matches when its JSON is equal", async () => {
    const ask = await createBusinessClient();
    await ask({ body: '{"name":"a","tags":["x"]}' });
    expect((await ask({ body: '{ "tags": ["x"], "name": "a" }' })).isReplay).toBe(true);
  });

  it("costs two round trips the first time and one the second", async () => {
    const ask = await createBusinessClient();
    await ask({ key: "warm-up" });
    expect(d1RoundTripsOf(await ask())).toBe("2");
    expect(d1RoundTripsOf(await ask())).toBe("1");
  });

  it("works without a body and with a file", async () => {
    const ask = await createBusinessClient();
    await ask({ method: "DELETE", path: "/things/1" });
    expect((await ask({ method: "DELETE", path: "/things/1" })).isReplay).toBe(true);
    const file = { path: "/imports", type: "text/csv", body: "Title\nBread" };
    await ask(file);
    expect((await ask(file)).isReplay).toBe(true);
    expect((await ask({ ...file, path: "/imports?dry_run=true" })).status).toBe(409);
    expect(handlerRuns.count).toBe(2);
  });

  it("is 409 for another file of the same length, and runs again when the file was not read", async () => {
    const ask = await createBusinessClient();
    const importFile = (body: string, key = "key-1") =>
      ask({ path: "/imports", type: "text/csv", body, key });
    expect((await importFile("Title\nBread")).status).toBe(200);
    expect((await importFile("Title\nBeans")).status).toBe(409);
    expect((await importFile("Title\nBread")).isReplay).toBe(true);
    expect(handlerRuns.count).toBe(1);
    handlerRuns.effect = () => {
      throw notFound("product");
    };
    expect((await ask({ path: "/unread", type: "text/csv", body: "a", key: "key-2" })).status).toBe(
      404,
    );
    expect(
      (await ask({ path: "/unread", type: "text/csv", body: "b", key: "key-2" })).isReplay,
    ).toBe(false);
  });

  it("recognises the file of a form that has another boundary, wherever its chunks are cut", async () => {
    const ask = await createBusinessClient();
    const formBody = (boundary: string, file: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--${boundary}--\r\n`;
    const importForm = (boundary: string, file: string, cutAt: number) => {
      const bytes = new TextEncoder().encode(formBody(boundary, file));
      const { readable, writable } = new FixedLengthStream(bytes.length);
      const writer = writable.getWriter();
      void writer
        .write(bytes.slice(0, cutAt))
        .then(() => writer.write(bytes.slice(cutAt)))
        .then(() => writer.close());
      return ask({
        path: "/imports",
        type: `multipart/form-data; boundary=${boundary}`,
        body: readable,
      });
    };
    expect((await importForm("------aaaa", "Title", 20)).status).toBe(200);
    for (const cutAt of [1, 5, 11, 40, 80, 95, 100])
      expect((await importForm("------bbbb", "Title", cutAt)).isReplay).toBe(true);
    expect((await importForm("------bbbb", "Bread", 20)).status).toBe(409);
  });

  it("runs again after 24 hours", async () => {
    const ask = await createBusinessClient();
    await ask();
    advanceClock(day - 1);
    expect((await ask()).isReplay).toBe(true);
    advanceClock(1);
    expect((await ask({ body: '{"name":"b"}' })).isReplay).toBe(false);
    expect(handlerRuns.count).toBe(2);
  });
});

describe("an Idempotency-Key's scope", () => {
  it.each([
    ["another query", { path: "/things?of=1" }, 409],
    ["another route", { method: "DELETE", path: "/things/1" }, 200],
    ["another key", { key: "key-2" }, 201],
  ] as const)("is the route and the key: %s", async (_what, other, status) => {
    const ask = await createBusinessClient();
    await ask();
    const answered = await ask(other);
    expect([answered.status, answered.isReplay]).toEqual([status, false]);
  });

  it("separates the records of a route", async () => {
    const ask = await createBusinessClient();
    for (const path of ["/things/1", "/things/2"])
      expect((await ask({ method: "DELETE", path })).isReplay).toBe(false);
    expect(handlerRuns.count).toBe(2);
  });

  it("separates callers, also of the same business", async () => {
    const shop = await createBusiness();
    const callers = [shop.keys.secret, await createKey(shop), (await createBusiness()).keys.secret];
    for (const secret of callers) expect((await createServerClient(secret)()).isReplay).toBe(false);
    expect(handlerRuns.count).toBe(3);
  });
});

describe("a key used before the session secret was rotated", () => {
  it("is 409 for 24 hours, so that nothing runs twice", async () => {
    const ask = await createBusinessClient();
    const sessionSecret = "another session secret of this deployment";
    await ask();
    expect((await ask({ sessionSecret })).status).toBe(409);
    expect((await ask()).isReplay).toBe(true);
    advanceClock(day);
    expect((await ask({ sessionSecret })).isReplay).toBe(false);
    expect(handlerRuns.count).toBe(2);
  });
});

describe("the Idempotency-Key header", () => {
  it.each([
    ["empty", ""],
    ["too long", "k".repeat(256)],
    ["two words", "a b"],
  ])("is rejected with 400 when it is %s", async (_what, key) => {
    const ask = await createBusinessClient();
    const refused = await ask({ key });
    expect(refused.status).toBe(400);
    expect(bodyOf(refused)).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "Idempotency-Key" } }),
    );
    expect(handlerRuns.count).toBe(0);
  });

  it("is ignored for shoppers on routes of this kind", async () => {
    const ask = createServerClient((await createBusiness()).keys.publishable);
    await ask({ path: "/shoppers", key: "warm-up" });
    expect(d1RoundTripsOf(await ask({ path: "/shoppers" }))).toBe("0");
    expect((await ask({ path: "/shoppers" })).isReplay).toBe(false);
  });
});

describe("a stored response", () => {
  it("is sealed in the table", async () => {
    const shop = await createBusiness();
    await createServerClient(shop.keys.secret)();
    const [row] = await readIdempotencyRows(shop);
    expect(row).toMatchObject({ status: 201, key: "key-1" });
    expect(String(row?.body)).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(atob(String(row?.body))).not.toContain("run");
  });

  it("is purged after 24 hours", async () => {
    const shop = await createBusiness();
    const ask = createServerClient(shop.keys.secret);
    await ask();
    advanceClock(day);
    await ask({ key: "key-2" });
    const db = openDb(shopDatabase(shop), createMeter());
    await purgeIdempotencyKeys(db, Date.now(), { database: "shop" });
    expect(await readIdempotencyRows(shop)).toMatchObject([{ key: "key-2" }]);
  });
});

type TestShop = Awaited<ReturnType<typeof createBusiness>>;

const shopDatabase = ({ business }: TestShop) => shopOf(shardsOf(env, env.SHOP_SHARDS), business);

async function readIdempotencyRows(shop: TestShop): Promise<Record<string, unknown>[]> {
  const query = "select key, status, body from idempotency_keys where business_id = ?";
  const { results } = await shopDatabase(shop).prepare(query).bind(shop.business.id).all();
  return results;
}
