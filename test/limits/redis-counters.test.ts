import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisCounters } from "../../functions/http/rate-limits/redis-counters.ts";
import { admitted, isolate } from "./isolates.ts";
import { hasRedis, type Redis, startRedis } from "./redis.ts";
import { startUpstash, type Upstash } from "./upstash.ts";

const isHere = hasRedis();
if (!isHere) console.warn("redis-server is not here: the tests of limits in Redis are left out.");

const minute = 60_000;
const start = 1_900_000_000_000;
const now = () => start;
const perMinute = (limit: number, name: string) => ({ name, limit, windowMs: minute });

/** With patience for a busy machine, but where patience is what is tested. */
const patient = (upstash: Upstash) => redisCounters(upstash, { now, answerMs: 20_000 });

describe.skipIf(!isHere)("limits that are counted in Redis", () => {
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

  it("let exactly the limit through, however many isolates ask at once", async () => {
    const isolates = Array.from({ length: 12 }, () => isolate(patient(upstash), now));
    expect(await admitted(isolates, perMinute(200, "key:parallel"), 40)).toBe(200);
  });

  it("tell what is left and when the window ends", async () => {
    const { take } = isolate(patient(upstash), now);
    const limit = perMinute(50, "key:headers");
    expect(await take(limit)).toMatchObject({ remaining: 49, resetAt: 1_900_000_020_000 });
    expect(await take(limit)).toMatchObject({ remaining: 48, resetAt: 1_900_000_020_000 });
  });

  it("cost less than one call in ten requests when traffic is steady", async () => {
    const before = upstash.calls();
    const { take } = isolate(patient(upstash), now);
    for (let request = 0; request < 400; request += 1) await take(perMinute(400, "key:steady"));
    expect(upstash.calls() - before).toBeLessThan(40);
  });

  it("grant windows to come in the same call, each to its own limit", async () => {
    const endsAt = start + minute;
    const asks = [endsAt, endsAt + minute].map((end) => ({ endsAt: end, wanted: 7 }));
    const { lease } = patient(upstash);
    const request = { limit: 10, windowMs: minute, asks };
    expect(await lease("key:ahead", request)).toEqual(
      asks.map((ask) => ({ endsAt: ask.endsAt, granted: 7, taken: 7 })),
    );
    expect(await lease("key:ahead", request)).toEqual(
      asks.map((ask) => ({ endsAt: ask.endsAt, granted: 3, taken: 10 })),
    );
    expect(await lease("key:ahead", request)).toEqual(
      asks.map((ask) => ({ endsAt: ask.endsAt, granted: 0, taken: 10 })),
    );
  });

  it("leave no key behind a window", async () => {
    const endsAt = start + minute;
    const { lease } = patient(upstash);
    await lease("key:gone", { limit: 5, windowMs: minute, asks: [{ endsAt, wanted: 1 }] });
    const left = Number(await redis.command(["PTTL", `duka:limit:{key:gone}:${endsAt}`]));
    expect(left).toBeGreaterThan(minute);
    expect(left).toBeLessThanOrEqual(2 * minute);
  });

  it("let traffic pass when Redis refuses the token, and say so", async () => {
    const { take, made } = isolate(patient({ ...upstash, token: "another" }), now);
    const states = await Promise.all(
      Array.from({ length: 20 }, () => take(perMinute(5, "key:refused"))),
    );
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made.failures).toEqual([expect.stringContaining("WRONGPASS")]);
  });

  it("do not wait for a slow Redis: one call is given up, the next ones are not even made", async () => {
    upstash.slowDown(20 * minute);
    try {
      const { take, made } = isolate(redisCounters(upstash, { now, answerMs: 200 }), now);
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
