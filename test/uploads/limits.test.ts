import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { maxUnfinishedUploads, unfinishedCountQuery } from "../../shared/uploads/index.ts";
import { extendRateLimitTimeout } from "../support/rate-limit-timeout.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  callWithBindings,
  createBytes,
  pictureFields,
  putBytes,
  reserveTestUpload,
} from "./create-uploads.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

extendRateLimitTimeout();

beforeEach(async () => {
  vi.setSystemTime(Date.now());
  shop = await createBusiness();
  ask = shopper(shop);
  await ask("POST", "/activity/events", { body: { events: [] } });
});

const three = createBytes(3);
const init = (headers: Record<string, string> = {}) =>
  ask("POST", "/uploads/init", { body: { ...pictureFields, size_bytes: 3 }, headers });

describe("a session's unfinished uploads", () => {
  it("are limited, also for concurrent requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: maxUnfinishedUploads + 3 }, () => init()),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(maxUnfinishedUploads).fill(200), 409, 409, 409]);
    const refused = await init();
    expect(refused).toMatchObject({
      status: 409,
      body: { success: false, error: { code: "CONFLICT", retryable: true } },
    });
    expect(roundTrips(refused)).toMatchObject({ d1: 1, do: 1 });
    const rows = "select id from uploads where business_id = ?";
    expect(await selectRows(shop, rows, shop.business.id)).toHaveLength(maxUnfinishedUploads);
    expect(await reserveTestUpload(shopper(shop), 3)).toBeDefined();
  });

  it("no longer count when they are confirmed or expire without bytes", async () => {
    const reserved = [];
    for (let index = 0; index < maxUnfinishedUploads; index += 1)
      reserved.push(await reserveTestUpload(ask, 3));
    const [first, second] = reserved;
    await putBytes(first?.address ?? "", three);
    expect(await init()).toMatchObject({ status: 409 });
    await ask("POST", "/uploads/confirm", { body: { upload_id: first?.id } });
    expect(await init()).toMatchObject({ status: 200 });
    await putBytes(second?.address ?? "", three);
    vi.setSystemTime(Date.now() + 600_000);
    const later = await Promise.all(Array.from({ length: maxUnfinishedUploads }, () => init()));
    expect(later.filter(({ status }) => status === 409)).toHaveLength(1); // the second one still counts
  });

  it("do not count a repeated Idempotency-Key, and do not block it", async () => {
    const uuid = { "Idempotency-Key": crypto.randomUUID() };
    ask = shopper(shop);
    const first = await init(uuid);
    for (let index = 0; index < maxUnfinishedUploads; index += 1) {
      expect((await init(uuid)).body).toEqual(first.body);
    }
    for (let index = 1; index < maxUnfinishedUploads; index += 1) await reserveTestUpload(ask, 3);
    expect((await init(uuid)).body).toEqual(first.body);
    expect(await init({ "Idempotency-Key": "another" })).toMatchObject({ status: 409 });
  });

  it("are counted by an index", async () => {
    const countQuery = unfinishedCountQuery(shop.business, "ses_1", 1);
    const plan = await contextFor(shop).db.all(sql`explain query plan ${countQuery}`);
    expect(plan).toMatchObject([
      { detail: "SEARCH other USING INDEX uploads_unfinished (business_id=? AND session_id=?)" },
    ]);
  });
});

describe("uploads per network address", () => {
  const bindings = { ...env, UPLOADS_PER_HOUR_PER_ADDRESS: "3" };
  const initFrom = async (address: string) => {
    const response = await callWithBindings(
      bindings,
      new Request("https://duka.test/api/v1/uploads/init", {
        method: "POST",
        headers: {
          "X-Public-Key": shop.keys.publishable,
          "Content-Type": "application/json",
          "CF-Connecting-IP": address,
        },
        body: JSON.stringify({ ...pictureFields, size_bytes: 3 }),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it("are limited per hour across sessions, with 429 above the limit", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T07:30:00Z"));
    for (let index = 0; index < 3; index += 1) {
      expect(await initFrom("192.0.2.7")).toMatchObject({ status: 200 });
    }
    const refused = await initFrom("192.0.2.7");
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "RATE_LIMITED", context: { retry_after_ms: 1_800_000 } } },
    });
    expect(refused.headers.get("retry-after")).toBe("1800");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("3");
    expect(await initFrom("192.0.2.8")).toMatchObject({ status: 200 });
    vi.setSystemTime(Date.parse("2031-05-06T08:00:00Z"));
    expect(await initFrom("192.0.2.7")).toMatchObject({ status: 200 });
  });
});
