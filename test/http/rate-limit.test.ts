import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { networkOf, objectCounters } from "../../functions/http/rate-limits/rate-limit.ts";
import { countAdmitted, createIsolate } from "../limits/isolates.ts";
import { withBindings } from "../support/bindings.ts";
import { extendRateLimitTimeout } from "../support/rate-limit-timeout.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { call, createBusiness, merchant, roundTrips } from "../support/world.ts";

extendRateLimitTimeout();

const createBusinessWithDefaultLimits = () => createBusiness({ settings: {} });

describe("rate limits", () => {
  it("admit exactly the limit of concurrent requests and send Retry-After to the others", async () => {
    const { business, keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_000_200);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": keys.secret } }),
      ),
    );
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(admitted).toHaveLength(50);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({
      body: { error: { code: "RATE_LIMITED", retryable: true, context: { retry_after_ms: 800 } } },
    });
    expect(refused[0]?.headers.get("Retry-After")).toBe("1");
    expect(refused[0]?.headers.get("X-RateLimit-Remaining")).toBe("0");
  });

  it("start again with the next window", async () => {
    const { business, keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_010_000);
    const ask = () =>
      call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": keys.secret } });
    await Promise.all(Array.from({ length: 51 }, ask));
    expect(await ask()).toMatchObject({ status: 429 });
    vi.setSystemTime(1_900_000_011_000);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("50");
    expect(answer.headers.get("X-RateLimit-Remaining")).toBe("49");
    expect(answer.headers.get("X-RateLimit-Reset")).toBe("1900000012");
  });

  describe("of one shop's minute", () => {
    const createLimitedShop = async (perMinute: number) => {
      const shop = await createBusinessWithDefaultLimits();
      await merchant(shop)("PATCH", "", {
        body: { rate_limits: { public_per_minute: perMinute } },
      });
      vi.setSystemTime(Date.now() + 6_000); // the settings of before are cached for 5 s
      await call("GET", "/api/v1/business", {
        headers: { "X-Public-Key": shop.keys.publishable, "CF-Connecting-IP": "203.0.113.99" },
      });
      const ask = (address: string, path = "/business", more: Record<string, string> = {}) =>
        call("GET", `/api/v1${path}`, {
          headers: {
            "X-Public-Key": shop.keys.publishable,
            "CF-Connecting-IP": address,
            ...more,
          },
        });
      /** Sends concurrent requests and returns how many were admitted. */
      const sendMany = async (address: string, count: number) => {
        const answers = await Promise.all(Array.from({ length: count }, () => ask(address)));
        return answers.filter(({ status }) => status === 200).length;
      };
      return { shop, ask, sendMany };
    };
    const startOfMinute = () => vi.setSystemTime(Math.ceil(Date.now() / 60_000) * 60_000 + 100);

    it("leave the others their part when one address sends without pause", async () => {
      const { ask, sendMany } = await createLimitedShop(80);
      startOfMinute();
      expect(await sendMany("203.0.113.1", 60)).toBe(20); // a quarter
      for (let second = 1; second < 5; second += 1) {
        vi.setSystemTime(Date.now() + 1_000);
        expect(await sendMany("203.0.113.1", 40)).toBe(0);
      }
      const late = await ask("203.0.113.1");
      expect(late.status).toBe(429);
      expect(roundTrips(late)).toEqual({ d1: 0, do: 0, lease: 0 });
      expect(await sendMany("203.0.113.2", 20)).toBe(20);
      expect(await sendMany("203.0.113.3", 20)).toBe(20);
    });

    it("cause no lease for new networks while the shop's minute is exhausted", async () => {
      const { ask, sendMany } = await createLimitedShop(40);
      startOfMinute();
      for (const host of [1, 2, 3, 4, 5]) await sendMany(`203.0.113.${host}`, 10);
      expect((await ask("203.0.113.20")).status).toBe(429);
      const late = await ask("203.0.113.21");
      expect(late.status).toBe(429);
      expect(roundTrips(late)).toEqual({ d1: 0, do: 0, lease: 0 });
    });

    it("keep a reserve for checkouts and for shoppers who logged in", async () => {
      const { shop, ask, sendMany } = await createLimitedShop(40);
      const { cookie } = await createLoggedInShopper(shop);
      startOfMinute();
      for (const host of [1, 2, 3, 4, 5]) await sendMany(`203.0.113.${host}`, 10);
      expect((await ask("203.0.113.9")).status).toBe(429);
      expect((await ask("203.0.113.9", "/business", { Cookie: cookie ?? "" })).status).toBe(200);
      const checkout = await call("POST", "/api/v1/checkout", {
        body: {},
        headers: { "X-Public-Key": shop.keys.publishable, "CF-Connecting-IP": "203.0.113.9" },
      });
      expect(checkout.status).toBe(400); // it was read
      const sent = [];
      for (const host of [10, 11, 12, 13, 14, 15])
        sent.push(
          ...(await Promise.all(
            Array.from({ length: 4 }, () =>
              ask(`203.0.113.${host}`, "/business", { Cookie: cookie ?? "" }),
            ),
          )),
        );
      expect(sent.filter(({ status }) => status === 200)).toHaveLength(8); // ten in all
    });

    it("admit as many requests of an address as the business allows", async () => {
      const { shop, sendMany } = await createLimitedShop(80);
      await merchant(shop)("PATCH", "", {
        body: { rate_limits: { public_per_minute_per_address: 50 } },
      });
      vi.setSystemTime(Date.now() + 6_000);
      await sendMany("203.0.113.98", 1);
      startOfMinute();
      expect(await sendMany("203.0.113.1", 60)).toBe(50);
    });
  });

  it("call one object for the limits of an address and one for its shop, then none for a minute", async () => {
    const { keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_200_500);
    const leases: number[] = [];
    for (let visit = 0; visit < 7; visit += 1) {
      const answer = await call("GET", "/api/v1/business", {
        headers: { "X-Public-Key": keys.publishable, "CF-Connecting-IP": "198.51.100.77" },
      });
      expect(answer.status).toBe(200);
      leases.push(roundTrips(answer).lease);
      vi.setSystemTime(Date.now() + 8_000);
    }
    expect(leases).toEqual([2, 0, 0, 0, 0, 0, 0]);
  });

  it("count the preflights of an address separately from its calls", async () => {
    const { keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_015_500);
    const address = { "CF-Connecting-IP": "198.51.100.7" };
    const preflight = () => call("OPTIONS", "/api/v1/cart", { headers: address });
    const answers = await Promise.all(Array.from({ length: 1_000 }, preflight));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const late = await preflight();
    expect(late.status).toBe(429);
    expect(Object.fromEntries(late.headers)).toMatchObject({
      "retry-after": "1",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1900000016",
    });
    const other = { headers: { "CF-Connecting-IP": "198.51.100.9" } };
    expect((await call("OPTIONS", "/api/v1/cart", other)).status).toBe(204);
    const response = await call("GET", "/api/v1/business", {
      headers: { ...address, "X-Public-Key": keys.publishable },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it.each(["/api/v1/cart", "/v1/link/data", "/v1/businesses"])(
    "answer a preflight of %s without a round trip",
    async (path) => {
      const answer = await call("OPTIONS", path);
      expect(answer.status).toBe(204);
      expect(answer.headers.get("X-RateLimit-Limit")).toBe("1000");
      expect(roundTrips(answer)).toEqual({ d1: 0, do: 0, lease: 0 });
    },
  );

  it("look up no more unknown keys for an address than its limit of unauthenticated requests", async () => {
    const { keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_018_200);
    const ask = (key: string, address = "198.51.100.8") =>
      call("GET", "/api/v1/business", {
        headers: { "CF-Connecting-IP": address, "X-Public-Key": key },
      });
    expect((await ask(keys.publishable)).status).toBe(200);
    const unknown = (at: number) => `pk_test_${String(at).padStart(40, "0")}`;
    const early = await Promise.all(Array.from({ length: 101 }, (_, at) => ask(unknown(at))));
    expect(new Set(early.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const late = await ask(unknown(102));
    expect(late).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } });
    expect(Object.fromEntries(late.headers)).toMatchObject({
      "retry-after": "1",
      "x-ratelimit-remaining": "0",
    });
    expect(roundTrips(late)).toEqual({ d1: 0, do: 0, lease: 0 });
    expect((await ask(keys.publishable)).status).toBe(200); // it is cached
    expect((await ask(unknown(103), "198.51.100.10")).status).toBe(401);
    vi.setSystemTime(1_900_000_019_000);
    for (const at of [104, 105]) expect((await ask(unknown(at))).status).toBe(401); // a new window
  });

  it("call their object for less than one in ten requests of steady traffic", async () => {
    const { business, keys } = await createBusinessWithDefaultLimits();
    vi.setSystemTime(1_900_000_020_000);
    let leases = 0;
    for (let request = 0; request < 50; request += 1) {
      const { headers } = await call("GET", `/v1/businesses/${business.id}`, {
        headers: { "X-API-Key": keys.secret },
      });
      leases += Number(/lease;desc="(\d+)"/.exec(headers.get("Server-Timing") ?? "")?.[1]);
    }
    expect(leases).toBeLessThan(2 * 5); // two limits, each less than one in ten
  });
});

describe("the counter objects", () => {
  const counters = objectCounters(env.RATE_LIMITER);
  const limitOf = (name: string) => ({ name, limit: 100, windowMs: 60_000 });

  it("admit exactly the limit of requests from many isolates at once", async () => {
    const now = Date.now();
    const isolates = Array.from({ length: 9 }, () => createIsolate(counters, () => now));
    expect(await countAdmitted(isolates, limitOf("key:nine-isolates"), 40)).toBe(100);
  });

  it("count each window separately when the clocks of isolates differ", async () => {
    const windowStart = Date.now() - (Date.now() % 60_000) + 60_000;
    const [ahead, behind] = [5, -5].map((ms) => createIsolate(counters, () => windowStart + ms));
    const passed = { ahead: 0, behind: 0 };
    for (let request = 0; request < 120; request += 1) {
      if (!(await ahead?.take(limitOf("key:two-clocks")))?.isExceeded) passed.ahead += 1;
      if (!(await behind?.take(limitOf("key:two-clocks")))?.isExceeded) passed.behind += 1;
    }
    expect(passed).toEqual({ ahead: 100, behind: 100 });
  });

  it("count the limits of one counter each by itself", async () => {
    const windows = [{ endsAt: Math.ceil(Date.now() / 60_000) * 60_000, wanted: 7 }];
    const request = { limit: 10, windowMs: 60_000, windows };
    const both = [request, { ...request, part: "minute" }] as const;
    const leaseBoth = async () =>
      (await counters.lease("address:parts", ...both)).map((grant) => grant.granted);
    expect([await leaseBoth(), await leaseBoth()]).toEqual([
      [7, 7],
      [3, 3],
    ]);
  });

  it("keep the limits that have a current window, and delete the others", async () => {
    const object = env.RATE_LIMITER.getByName("address:two-windows");
    const now = Date.now();
    const later = now + 7_200_000;
    await counters.lease(
      "address:two-windows",
      { limit: 10, windowMs: 1_000, windows: [{ endsAt: now + 500, wanted: 1 }] },
      { part: "later", limit: 10, windowMs: 1_000, windows: [{ endsAt: later, wanted: 1 }] },
    );
    await untilStored(object, ["taken", "taken:later"]);
    vi.setSystemTime(now + 3_600_000);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await storedKeys(object)).toEqual(["taken:later"]);
    vi.setSystemTime(later + 60_000);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await storedKeys(object)).toEqual([]);
  });

  it("delete their data an hour after the last lease", async () => {
    const object = env.RATE_LIMITER.getByName("key:once");
    const now = Date.now();
    await createIsolate(counters, () => now).take({ name: "key:once", limit: 5, windowMs: 1_000 });
    await untilStored(object, ["taken"]);
    vi.setSystemTime(now + 3_600_000);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await storedKeys(object)).toEqual([]);
  });

  it("store the counts of all limits a quarter of a second after the first lease", async () => {
    const object = env.RATE_LIMITER.getByName("address:together");
    const windows = [{ endsAt: Date.now() + 60_000, wanted: 1 }];
    for (const part of ["first", "second"])
      await counters.lease("address:together", { part, limit: 10, windowMs: 60_000, windows });
    expect(await storedKeys(object)).toEqual([]);
    await untilStored(object, ["taken:first", "taken:second"]);
  });

  it("go on with the stored counts after an eviction", async () => {
    const object = env.RATE_LIMITER.getByName("address:evicted");
    const windows = [{ endsAt: Date.now() + 60_000, wanted: 7 }];
    const lease = async () => {
      const request = { limit: 10, windowMs: 60_000, windows };
      return (await counters.lease("address:evicted", request)).map(({ granted }) => granted);
    };
    expect(await lease()).toEqual([7]);
    await untilStored(object, ["taken"]);
    await evictDurableObject(object);
    expect(await lease()).toEqual([3]);
  });

  it("store a count before their alarm looks for limits that nobody uses", async () => {
    const object = env.RATE_LIMITER.getByName("address:alarm");
    const now = Date.now();
    const request = { limit: 10, windowMs: 60_000 };
    const leasePart = (part: string) =>
      counters.lease("address:alarm", {
        ...{ part, ...request },
        windows: [{ endsAt: Date.now() + 60_000, wanted: 1 }],
      });
    await leasePart("old");
    await untilStored(object, ["taken:old"]);
    vi.setSystemTime(now + 3_600_000);
    await leasePart("new");
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await storedKeys(object)).toEqual(["taken:new"]);
  });
});

const storedKeys = (counter: DurableObjectStub): Promise<string[]> =>
  runInDurableObject(counter, (_, { storage }) => [...storage.kv.list()].map(([key]) => key));

const untilStored = (counter: DurableObjectStub, keys: readonly string[]): Promise<void> =>
  vi.waitFor(async () => expect(await storedKeys(counter)).toEqual(keys), { interval: 20 });

describe("a deployment with Upstash Redis", () => {
  beforeAll(async () => {
    await import("@upstash/redis/cloudflare"); // its first import may take longer than the timeout of a lease
  });

  it("counts in Redis with the token, and in no object", async () => {
    const { business, keys } = await createBusinessWithDefaultLimits();
    const requests: Request[] = [];
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
      const request = new Request(url, init);
      requests.push(request.clone());
      const [, , keyCount]: unknown[] = await request.json();
      return Response.json({ result: Array.from({ length: 2 * Number(keyCount) }, () => 50) });
    });
    const redis = {
      UPSTASH_REDIS_REST_URL: "https://redis.test",
      UPSTASH_REDIS_REST_TOKEN: "token-of-redis",
      RATE_LIMITER: { getByName: () => ({ lease: () => Promise.reject(new Error("not here")) }) },
    };
    try {
      const response = await call("GET", `/v1/businesses/${business.id}`, {
        headers: { "X-API-Key": keys.secret },
        fetch: withBindings(redis),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("X-RateLimit-Limit")).toBe("50");
      expect(response.headers.get("X-RateLimit-Remaining")).toBe("49");
      expect(requests.map(({ headers }) => headers.get("Authorization"))).toEqual([
        "Bearer token-of-redis",
        "Bearer token-of-redis",
      ]);
    } finally {
      fetched.mockRestore();
    }
  });
});

describe("an unreachable rate limiter", () => {
  it("admits requests and logs the outage without an address", async () => {
    const { business, keys } = await createBusinessWithDefaultLimits();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const RATE_LIMITER = {
      getByName: () => ({ lease: () => Promise.reject(new Error("overloaded")) }),
    };
    const ask = async () => {
      const { status } = await call("GET", `/v1/businesses/${business.id}`, {
        headers: { "X-API-Key": keys.secret, "CF-Connecting-IP": "10.200.0.1" },
        fetch: withBindings({ RATE_LIMITER }),
      });
      return status;
    };
    try {
      const statuses = await Promise.all(Array.from({ length: 80 }, ask));
      expect(new Set(statuses)).toEqual(new Set([200]));
      const lines = warn.mock.calls.map(([line]) => String(line));
      expect(lines).toContainEqual(expect.stringContaining("rate limiter unreachable"));
      expect(lines.join()).not.toContain("10.200.0.1");
    } finally {
      warn.mockRestore();
    }
  });
});

describe("networkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("maps %s to %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
