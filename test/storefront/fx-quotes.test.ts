import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { fxQuoteRepo, purgeFxQuotes } from "../../shared/fx/index.ts";
import { runHousekeeping } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { setFxSettings, setStaticRates } from "./create-fx-shop.ts";

const start = Date.parse("2031-03-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  await setStaticRates(shop, { USD: "0.08", JPY: "14.25" });
});

const rate = (query: string) => ask("GET", `/fx/rate?${query}`);
const quote = (body: unknown, key?: string, caller = ask) =>
  caller("POST", "/fx/quotes", {
    body,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
const count = async () =>
  (await selectRows(shop, "select 1 from fx_quotes where business_id = ?", shop.business.id))
    .length;

describe("POST /fx/quotes with an Idempotency-Key", () => {
  const body = { from: "GHS", to: "USD", amount: "10.00" };

  it("replays a repeat byte for byte within its round-trip budget", async () => {
    await rate("from=GHS&to=USD");
    expect(roundTrips(await quote(body))).toMatchObject({ d1: 1, do: 0 });
    const first = await quote(body, "key-1");
    expect(roundTrips(first)).toMatchObject({ d1: 2, do: 0 });
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    await setStaticRates(shop, { USD: "0.09" });
    vi.setSystemTime(minutes(2));
    expect(dataOf(await quote(body))).toMatchObject({ rate: "0.09" });
    const again = await quote(body, "key-1");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(roundTrips(again)).toMatchObject({ d1: 2, do: 0 });
    expect(await count()).toBe(3);
  });

  it("replays a repeat while the provider is down or no longer knows the currency", async () => {
    const first = await quote(body, "key-1");
    await setStaticRates(shop, {});
    vi.setSystemTime(minutes(2));
    expect(await quote(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "to" } } },
    });
    expect((await quote(body, "key-1")).body).toEqual(first.body);
    await setFxSettings(shop, { provider: "openexchangerates" });
    vi.setSystemTime(minutes(4));
    expect(await quote(body, "another")).toMatchObject({ status: 503 });
    const again = await quote(body, "key-1");
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(roundTrips(again).d1).toBeLessThanOrEqual(2);
    expect(await count()).toBe(1);
  });

  it("rejects another body", async () => {
    await quote(body, "key-2");
    for (const other of [{ amount: "11" }, { to: "JPY" }]) {
      expect(await quote({ ...body, ...other }, "key-2")).toMatchObject({
        status: 409,
        body: { error: { code: "CONFLICT", retryable: false } },
      });
    }
    expect(await count()).toBe(1);
  });

  it("creates one quote for concurrent requests; early ones may retry", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => quote(body, "key-3")));
    const quoted = answers.filter(({ status }) => status === 200);
    expect(new Set(quoted.map((one) => dataOf(one).quote_id)).size).toBe(1);
    for (const early of answers.filter(({ status }) => status !== 200)) {
      expect(early).toMatchObject({ status: 409, body: { error: { retryable: true } } });
    }
    expect(await quote(body, "key-3")).toMatchObject({ status: 200, body: quoted[0]?.body });
    expect(await count()).toBe(1);
  });

  it("belongs to the session and expires after 24 hours", async () => {
    const sessions = [shopper(shop), shopper(shop)] as const;
    for (const caller of sessions) await caller("GET", "/cart");
    const ids = new Set<string>();
    for (const caller of [...sessions, ask]) {
      ids.add(dataOf(await quote(body, "key-4", caller)).quote_id);
    }
    expect(ids.size).toBe(3);
    vi.setSystemTime(minutes(24 * 60) - 1);
    ids.add(dataOf(await quote(body, "key-4")).quote_id);
    expect(ids.size).toBe(3);
    vi.setSystemTime(minutes(24 * 60));
    ids.add(dataOf(await quote(body, "key-4")).quote_id);
    expect(ids.size).toBe(4);
    expect(await quote({ ...body, amount: "11" }, "key-4")).toMatchObject({ status: 409 });
  });
});

it("purges FX quotes a day after they expired, unless an order used them", async () => {
  const body = { from: "GHS", to: "USD", amount: "10.00" };
  const used = dataOf(await quote(body)).quote_id;
  await quote(body);
  await selectRows(
    shop,
    "update fx_quotes set used_by_order_id = ? where id = ?",
    `ord_${used}`,
    used,
  );
  vi.setSystemTime(minutes(5 + 24 * 60) - 1);
  await runHousekeeping();
  expect(await count()).toBe(2);
  vi.setSystemTime(minutes(5 + 24 * 60));
  await runHousekeeping();
  expect(
    await selectRows(shop, "select id from fx_quotes where business_id = ?", shop.business.id),
  ).toEqual([{ id: used }]);
});

it("reads FX quotes by id and purges them by age without a full table scan", async () => {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const statements: [string, unknown[]][] = [];
  const recordingDb = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        statements.push([query, values]);
        return d1.prepare(query).bind(...values);
      },
    }),
    batch: d1.batch.bind(d1),
  };
  const db = openDb(recordingDb as unknown as D1Database, createMeter()); // safe: drizzle prepares and binds
  const quotes = fxQuoteRepo({ ...contextFor(shop), db });
  await quotes.query("fxq_plan");
  await db.batch([purgeFxQuotes(db, start - 24 * 60 * 60_000)]);
  const plans: string[] = [];
  for (const [query, values] of statements) {
    const plan = await d1
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...plan.results.map(({ detail }) => String(detail)));
  }
  expect(plans.length).toBeGreaterThanOrEqual(2);
  expect(plans.filter((step) => step.startsWith("SCAN "))).toEqual([]);
  expect(plans.join("\n")).toMatch(/fx_quotes_unused.*expires_at</s);
});
