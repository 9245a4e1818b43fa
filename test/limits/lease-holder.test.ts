import { describe, expect, it } from "vitest";
import { type Counters, grantOf } from "../../functions/http/rate-limits/counters.ts";
import { admitted, isolate } from "./isolates.ts";

const start = 1_900_000_000_000;
const perSecond = (limit: number, name = "key:one") => ({ name, limit, windowMs: 1_000 });

/** Counters in memory, exact as the real ones are. */
function counters(): Counters {
  const taken = new Map<string, number>();
  return {
    async lease(name, { limit, asks }) {
      return asks.map((ask) => {
        const window = `${name} ${ask.endsAt}`;
        const grant = grantOf(ask, { limit, taken: taken.get(window) ?? 0 });
        taken.set(window, grant.taken);
        return grant;
      });
    },
  };
}

describe("what an isolate lets through by itself", () => {
  it("is counted down exactly, to the limit and no further", async () => {
    const { take } = isolate(counters(), () => start + 250);
    const remaining: number[] = [];
    for (let request = 0; request < 50; request += 1)
      remaining.push((await take(perSecond(50))).remaining);
    expect(remaining).toEqual(Array.from({ length: 50 }, (_, used) => 49 - used));
    expect(await take(perSecond(50))).toEqual({
      limit: 50,
      remaining: 0,
      resetAt: start + 1_000,
      isExceeded: true,
    });
  });

  it("is never more than the limit of all isolates together", async () => {
    const shared = counters();
    const isolates = Array.from({ length: 9 }, () => isolate(shared, () => start));
    expect(await admitted(isolates, perSecond(100), 40)).toBe(100);
  });

  it("is never more than the limit of a window where clocks are apart", async () => {
    const shared = counters();
    const [ahead, behind] = [
      isolate(shared, () => start + 1_010),
      isolate(shared, () => start + 990),
    ];
    let inFirst = 0;
    let inSecond = 0;
    for (let request = 0; request < 80; request += 1) {
      inSecond += (await ahead.take(perSecond(50))).isExceeded ? 0 : 1;
      inFirst += (await behind.take(perSecond(50))).isExceeded ? 0 : 1;
    }
    expect([inFirst, inSecond]).toEqual([50, 50]);
  });

  it("follows a limit that is changed while it holds leases of it", async () => {
    const { take } = isolate(counters(), () => start);
    for (let request = 0; request < 10; request += 1) await take(perSecond(100));
    const states = await Promise.all(Array.from({ length: 30 }, () => take(perSecond(20))));
    expect(states.filter(({ isExceeded }) => !isExceeded).length).toBeLessThanOrEqual(10);
  });

  it.each([1, 3, 8, 10, 20, 45])(
    "costs less than one hop in ten requests where a second sees %i of at most 50",
    async (requests) => {
      let now = start;
      const { take, made } = isolate(counters(), () => now);
      const seconds = 60;
      for (let at = 0; at < seconds; at += 1) {
        if (at === 2) made.hops = 0; // steady from here on
        now = start + 1_000 * at;
        for (let request = 0; request < requests; request += 1)
          expect(await take(perSecond(50))).toMatchObject({ isExceeded: false });
      }
      expect(made.hops / ((seconds - 2) * requests)).toBeLessThan(0.1);
    },
  );

  it("costs one hop for all requests that wait for it at once", async () => {
    let now = start;
    const one = isolate(counters(), () => now);
    for (let at = 0; at < 20; at += 1) {
      now = start + 1_000 * at;
      await Promise.all(Array.from({ length: 32 }, () => one.take(perSecond(50))));
    }
    expect(one.made.hops / (20 * 32)).toBeLessThan(0.1);
  });

  it("leaves most of the coming windows to others", async () => {
    const shared = counters();
    let now = start;
    const [one, other] = [isolate(shared, () => now), isolate(shared, () => now)];
    for (let at = 0; at < 5; at += 1) {
      now = start + 1_000 * at;
      await one.take(perSecond(50));
    }
    expect(await admitted([other], perSecond(50), 60)).toBeGreaterThanOrEqual(40);
  });

  it("is forgotten oldest first, and what is forgotten admits nobody anew", async () => {
    const small = isolate(counters(), () => start, { maxHeld: 3 });
    let passed = 0;
    for (let request = 0; request < 120; request += 1) {
      passed += (await small.take(perSecond(50, "key:busy"))).isExceeded ? 0 : 1;
      await small.take(perSecond(50, `address:${request}`)); // one flood of others, one hop each
    }
    expect(passed).toBe(50);
    expect(small.made.hops).toBeLessThan(120 + 10);
  });
});

describe("a counter that cannot be reached", () => {
  const down: Counters = { lease: () => Promise.reject(new Error("gone")) };
  const silent: Counters = { lease: () => new Promise(() => {}) };

  it("lets traffic pass, says so once, and is asked again a second later", async () => {
    let now = start;
    const { take, made } = isolate(down, () => now);
    const states = await Promise.all(Array.from({ length: 90 }, () => take(perSecond(50))));
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made).toEqual({ hops: 1, failures: ["Error: gone"] });
    now += 1_000;
    await take(perSecond(50));
    expect(made.hops).toBe(2);
  });

  it("is not waited for beyond the time-out", async () => {
    let now = start;
    const { take, made } = isolate(silent, () => now, { timeoutMs: 20 });
    const states = await Promise.all(Array.from({ length: 90 }, () => take(perSecond(50))));
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made).toEqual({ hops: 1, failures: ["Error: No answer within 20 ms"] });
    now += 1_000;
    await take(perSecond(50));
    expect(made.hops).toBe(2);
  });

  it("counts on when it is back", async () => {
    let isDown = true;
    let now = start;
    const shared = counters();
    const sometimes: Counters = {
      lease: (name, request) => (isDown ? down : shared).lease(name, request),
    };
    const { take } = isolate(sometimes, () => now);
    await take(perSecond(50));
    isDown = false;
    now += 1_000;
    const states = await Promise.all(Array.from({ length: 60 }, () => take(perSecond(50))));
    expect(states.filter(({ isExceeded }) => isExceeded)).toHaveLength(10);
  });
});
