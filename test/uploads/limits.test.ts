import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { maxUnfinished, unfinishedQuery } from "../../shared/uploads/index.ts";
import { patientLimiter } from "../support/patient-limiter.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { askWith, bytesOf, givenPlace, picture, put } from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

patientLimiter();

beforeEach(async () => {
  vi.setSystemTime(Date.now());
  shop = await givenBusiness();
  ask = shopper(shop);
  await ask("POST", "/activity/events", { body: { events: [] } });
});

const three = bytesOf(3);
const init = (headers: Record<string, string> = {}) =>
  ask("POST", "/uploads/init", { body: { ...picture, size_bytes: 3 }, headers });

describe("a session's uploads in progress", () => {
  it("are so many and no more, however many are asked for at once", async () => {
    const answers = await Promise.all(Array.from({ length: maxUnfinished + 3 }, () => init()));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(maxUnfinished).fill(200), 409, 409, 409]);
    const refused = await init();
    expect(refused).toMatchObject({
      status: 409,
      body: { success: false, error: { code: "CONFLICT", retryable: true } },
    });
    expect(roundTrips(refused)).toMatchObject({ d1: 1, do: 1 });
    const rows = "select id from uploads where business_id = ?";
    expect(await rowsOf(shop, rows, shop.business.id)).toHaveLength(maxUnfinished);
    expect(await givenPlace(shopper(shop), 3)).toBeDefined();
  });

  it("become fewer as they are confirmed, and as their addresses run out without bytes", async () => {
    const places = [];
    for (let index = 0; index < maxUnfinished; index += 1) places.push(await givenPlace(ask, 3));
    const [one, other] = places;
    await put(one?.address ?? "", three);
    expect(await init()).toMatchObject({ status: 409 });
    await ask("POST", "/uploads/confirm", { body: { upload_id: one?.id } });
    expect(await init()).toMatchObject({ status: 200 });
    await put(other?.address ?? "", three);
    vi.setSystemTime(Date.now() + 600_000);
    const later = await Promise.all(Array.from({ length: maxUnfinished }, () => init()));
    expect(later.filter(({ status }) => status === 409)).toHaveLength(1); // the other waits still
  });

  it("do not keep a repeat from its answer, nor is a repeat one more", async () => {
    const uuid = { "Idempotency-Key": crypto.randomUUID() };
    ask = shopper(shop);
    const first = await init(uuid);
    for (let index = 0; index < maxUnfinished; index += 1) {
      expect((await init(uuid)).body).toEqual(first.body);
    }
    for (let index = 1; index < maxUnfinished; index += 1) await givenPlace(ask, 3);
    expect((await init(uuid)).body).toEqual(first.body);
    expect(await init({ "Idempotency-Key": "another" })).toMatchObject({ status: 409 });
  });

  it("are counted by their index", async () => {
    const asked = unfinishedQuery(shop.business, "ses_1", 1);
    const plan = await contextFor(shop).db.all(sql`explain query plan ${asked}`);
    expect(plan).toMatchObject([
      { detail: "SEARCH other USING INDEX uploads_unfinished (business_id=? AND session_id=?)" },
    ]);
  });
});

describe("places that an address asks for", () => {
  const bindings = { ...env, UPLOADS_PER_HOUR_PER_ADDRESS: "3" };
  const asked = async (address: string) => {
    const response = await askWith(
      bindings,
      new Request("https://duka.test/api/v1/uploads/init", {
        method: "POST",
        headers: {
          "X-Public-Key": shop.keys.publishable,
          "Content-Type": "application/json",
          "CF-Connecting-IP": address,
        },
        body: JSON.stringify({ ...picture, size_bytes: 3 }),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it("are so many in an hour, with whatever sessions, and 429 beyond", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T07:30:00Z"));
    for (let index = 0; index < 3; index += 1) {
      expect(await asked("192.0.2.7")).toMatchObject({ status: 200 });
    }
    const refused = await asked("192.0.2.7");
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "RATE_LIMITED", context: { retry_after_ms: 1_800_000 } } },
    });
    expect(refused.headers.get("retry-after")).toBe("1800");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("3");
    expect(await asked("192.0.2.8")).toMatchObject({ status: 200 });
    vi.setSystemTime(Date.parse("2031-05-06T08:00:00Z"));
    expect(await asked("192.0.2.7")).toMatchObject({ status: 200 });
  });
});
