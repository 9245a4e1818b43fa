import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisCounters } from "../../functions/http/rate-limits/redis-counters.ts";
import { countAdmitted, createIsolate } from "./isolates.ts";
import { hasRedis, type Redis, startRedis } from "./redis.ts";
import { startUpstash, type Upstash } from "./upstash.ts";

const hasRedisServer = hasRedis();
if (!hasRedisServer)
  console.warn("redis-server is not installed: the tests of limits in Redis are skipped.");

const minute = 60_000;
const start = 1_900_000_000_000;
const now = () => start;
const perMinute = (limit: number, name: string) => ({ name, limit, windowMs: minute });

/** A long timeout for busy machines. */
const createCounters = (upstash: Upstash) => redisCounters(upstash, { now, answerMs: 20_000 });

describe.skipIf(!hasRedisServer)("rate limits in Redis", () => {
  let redis: Redis;
  let upstash: Upstash;

  beforeAll(async () => {
    redis = await startRedis();
    upstash = await startUpstash(redis);
  });

  afterAll(async () => {
    await upstash?.stop();
    await redis?.stop();
  });

  it("admit exactly the limit of requests from many isolates at once", async () => {
    const isolates = Array.from({ length: 12 }, () => createIsolate(createCounters(upstash), now));
    expect(await countAdmitted(isolates, perMinute(200, "key:parallel"), 40)).toBe(200);
  });

  it("return the remaining requests and the end of the window", async () => {
    const { take } = createIsolate(createCounters(upstash), now);
    const limit = perMinute(50, "key:headers");
    expect(await take(limit)).toMatchObject({ remaining: 49, resetAt: 1_900_000_020_000 });
    expect(await take(limit)).toMatchObject({ remaining: 48, resetAt: 1_900_000_020_000 });
  });

  it("make less than one call in ten requests of steady traffic", async () => {
    const before = upstash.calls();
    const { take } = createIsolate(createCounters(upstash), now);
    for (let request = 0; request < 400; request += 1) await take(perMinute(400, "key:steady"));
    expect(upstash.calls() - before).toBeLessThan(40);
  });

  it("grant later windows in the same call, each up to its limit", async () => {
    const endsAt = start + minute;
    const windows = [endsAt, endsAt + minute].map((end) => ({ endsAt: end, wanted: 7 }));
    const { lease } = createCounters(upstash);
    const request = { limit: 10, windowMs: minute, windows };
    expect(await lease("key:ahead", request)).toEqual(
      windows.map((window) => ({ endsAt: window.endsAt, granted: 7, taken: 7 })),
    );
    expect(await lease("key:ahead", request)).toEqual(
      windows.map((window) => ({ endsAt: window.endsAt, granted: 3, taken: 10 })),
    );
    expect(await lease("key:ahead", request)).toEqual(
      windows.map((window) => ({ endsAt: window.endsAt, granted: 0, taken: 10 })),
    );
  });

  it("count the limits of one counter each by itself", async () => {
    const { lease } = createCounters(upstash);
    const windows = [{ endsAt: start + minute, wanted: 7 }];
    const request = { limit: 10, windowMs: minute, windows };
    const both = [request, { ...request, part: "minute" }];
    const leaseBoth = async () =>
      (await lease("address:parts", ...both)).map((grant) => grant.granted);
    expect([await leaseBoth(), await leaseBoth()]).toEqual([
      [7, 7],
      [3, 3],
    ]);
  });

  it("lease nothing in advance for a caller who comes rarely", async () => {
    const endsAt = start + minute;
    const windows = [
      { endsAt: endsAt + minute, wanted: 2, upTo: 5 },
      { endsAt, wanted: 3 },
    ];
    const { lease } = createCounters(upstash);
    expect(await lease("key:rare", { limit: 50, windowMs: minute, windows })).toMatchObject([
      { endsAt: endsAt + minute, granted: 0 },
      { endsAt, granted: 3, taken: 3 },
    ]);
  });

  it("let keys expire after their window", async () => {
    const endsAt = start + minute;
    const { lease } = createCounters(upstash);
    await lease("key:gone", { limit: 5, windowMs: minute, windows: [{ endsAt, wanted: 1 }] });
    const left = Number(await redis.command(["PTTL", `duka:limit:{key:gone}:${endsAt}`]));
    expect(left).toBeGreaterThan(minute);
    expect(left).toBeLessThanOrEqual(2 * minute);
  });

  it("admit requests and report it when Redis rejects the token", async () => {
    const { take, made } = createIsolate(createCounters({ ...upstash, token: "another" }), now);
    const states = await Promise.all(
      Array.from({ length: 20 }, () => take(perMinute(5, "key:refused"))),
    );
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made.failures).toEqual([expect.stringContaining("WRONGPASS")]);
  });

  it("give up one call to a slow Redis and skip the next ones", async () => {
    upstash.slowDown(20 * minute);
    try {
      const { take, made } = createIsolate(redisCounters(upstash, { now, answerMs: 200 }), now);
      expect(await take(perMinute(5, "key:slow"))).toMatchObject({ isExceeded: false });
      const calls = upstash.calls();
      expect(await take(perMinute(5, "key:next"))).toMatchObject({ isExceeded: false });
      expect(upstash.calls()).toBe(calls);
      expect(made.failures).toHaveLength(2);
    } finally {
      upstash.slowDown(0);
    }
  });
});
