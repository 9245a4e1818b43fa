import { describe, expect, it } from "vitest";
import type { Limit } from "../../functions/http/rate-limits/limit-state.ts";
import { type Counters, grantFor } from "../../functions/runtime/rate-limit-counters.ts";
import { countAdmitted, createIsolate } from "./isolates.ts";

const start = 1_900_000_000_000;
const perSecond = (limit: number, name = "key:one") => ({ name, limit, windowMs: 1_000 });

/** Integers from 0 up to `end`, the same in every run. */
function seededRandomInt(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * end);
  };
}

/** Exact counters in memory, like the real ones. */
function createMemoryCounters(): Counters {
  const taken = new Map<string, number>();
  return {
    async lease(name, ...requests) {
      return requests.flatMap(({ part = "", limit, windows }) =>
        windows.map((window) => {
          const key = `${name} ${part} ${window.endsAt}`;
          const grant = grantFor(window, { limit, taken: taken.get(key) ?? 0 });
          taken.set(key, grant.taken);
          return grant;
        }),
      );
    },
  };
}

describe("a lease holder", () => {
  it("admits exactly the limit", async () => {
    const { take } = createIsolate(createMemoryCounters(), () => start + 250);
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

  it("admits no more than the limit over all isolates", async () => {
    const shared = createMemoryCounters();
    const isolates = Array.from({ length: 9 }, () => createIsolate(shared, () => start));
    expect(await countAdmitted(isolates, perSecond(100), 40)).toBe(100);
  });

  it("admits no more than the limit of a window when clocks differ", async () => {
    const shared = createMemoryCounters();
    const [ahead, behind] = [
      createIsolate(shared, () => start + 1_010),
      createIsolate(shared, () => start + 990),
    ];
    let inFirst = 0;
    let inSecond = 0;
    for (let request = 0; request < 80; request += 1) {
      inSecond += (await ahead.take(perSecond(50))).isExceeded ? 0 : 1;
      inFirst += (await behind.take(perSecond(50))).isExceeded ? 0 : 1;
    }
    expect([inFirst, inSecond]).toEqual([50, 50]);
  });

  describe("with limits that a request takes later", () => {
    const inCounter = (part: string, limit: number): Limit => ({
      ...perSecond(limit, part),
      counter: { name: "networks", part },
    });
    const [now, later] = [inCounter("second", 100), inCounter("conversations", 3)];

    it("leases them in the call that it makes anyway, and counts them only when they are taken", async () => {
      const isolate = createIsolate(createMemoryCounters(), () => start);
      await isolate.takeTogether([now], [later]);
      expect(await isolate.take(later)).toMatchObject({ remaining: 2 });
      expect(isolate.made.hops).toBe(1);
    });

    it("makes no call for them alone, nor leases them twice", async () => {
      const requested: string[] = [];
      const shared = createMemoryCounters();
      const isolate = createIsolate(
        {
          lease(name, ...requests) {
            requested.push(requests.map(({ part }) => part).join());
            return shared.lease(name, ...requests);
          },
        },
        () => start,
      );
      await isolate.takeTogether([now]);
      await isolate.takeTogether([now], [later]);
      for (let request = 0; request < 60; request += 1)
        await isolate.takeTogether([now], request === 30 ? [] : [later]);
      expect(requested[0]).toBe("second");
      expect(requested.filter((parts) => parts.includes("conversations"))).toHaveLength(1);
    });

    it("leases as few of a new window as their first request would", async () => {
      let time = start;
      const leased: number[] = [];
      const shared = createMemoryCounters();
      const isolate = createIsolate(
        {
          lease(name, ...requests) {
            for (const { part, windows } of requests)
              if (part === "sockets") leased.push(windows[0]?.wanted ?? 0);
            return shared.lease(name, ...requests);
          },
        },
        () => time,
      );
      const sockets = inCounter("sockets", 60);
      for (let request = 0; request < 25; request += 1) await isolate.take(sockets);
      time += 600_000;
      await isolate.takeTogether([now], [sockets]);
      expect(leased.at(-1)).toBe(leased[0]);
    });

    it("leaves out those of another counter", async () => {
      const isolate = createIsolate(createMemoryCounters(), () => start);
      await isolate.takeTogether([now], [perSecond(3, "own")]);
      expect(isolate.made).toEqual({ hops: 1, failures: [] });
      await isolate.take(perSecond(3, "own"));
      expect(isolate.made).toEqual({ hops: 2, failures: [] });
    });

    it("admits no more of them than their limit over all isolates", async () => {
      const shared = createMemoryCounters();
      const isolates = Array.from({ length: 5 }, () => createIsolate(shared, () => start));
      for (const isolate of isolates) await isolate.takeTogether([now], [later]);
      expect(await countAdmitted(isolates, later, 4)).toBe(3);
    });
  });

  it("applies a limit that changes while it holds leases", async () => {
    const { take } = createIsolate(createMemoryCounters(), () => start);
    for (let request = 0; request < 10; request += 1) await take(perSecond(100));
    const states = await Promise.all(Array.from({ length: 30 }, () => take(perSecond(20))));
    expect(states.filter(({ isExceeded }) => !isExceeded).length).toBeLessThanOrEqual(10);
  });

  it.each([1, 3, 8, 10, 20, 45])(
    "makes less than one round trip in ten requests at %i of 50 requests per second",
    async (requests) => {
      let now = start;
      const { take, made } = createIsolate(createMemoryCounters(), () => now);
      const seconds = 60;
      for (let at = 0; at < seconds; at += 1) {
        if (at === 2) made.hops = 0; // traffic is steady from here on
        now = start + 1_000 * at;
        for (let request = 0; request < requests; request += 1)
          expect(await take(perSecond(50))).toMatchObject({ isExceeded: false });
      }
      expect(made.hops / ((seconds - 2) * requests)).toBeLessThan(0.1);
    },
  );

  it("shares one round trip among concurrent requests", async () => {
    let now = start;
    const one = createIsolate(createMemoryCounters(), () => now);
    for (let at = 0; at < 20; at += 1) {
      now = start + 1_000 * at;
      await Promise.all(Array.from({ length: 32 }, () => one.take(perSecond(50))));
    }
    expect(one.made.hops / (20 * 32)).toBeLessThan(0.1);
  });

  it("leaves most of the coming windows to other isolates", async () => {
    const shared = createMemoryCounters();
    let now = start;
    const [one, other] = [createIsolate(shared, () => now), createIsolate(shared, () => now)];
    for (let at = 0; at < 5; at += 1) {
      now = start + 1_000 * at;
      await one.take(perSecond(50));
    }
    expect(await countAdmitted([other], perSecond(50), 60)).toBeGreaterThanOrEqual(40);
  });

  it("leases at most half of the limit at once, also after it used all of it alone", async () => {
    const shared = createMemoryCounters();
    let now = start;
    const [busy, other] = [createIsolate(shared, () => now), createIsolate(shared, () => now)];
    expect(await countAdmitted([busy], perSecond(50), 60)).toBe(50);
    now += 1_000;
    await busy.take(perSecond(50));
    expect(await countAdmitted([other], perSecond(50), 60)).toBe(25);
  });

  it("forgets the oldest leases first and does not admit their requests again", async () => {
    const small = createIsolate(createMemoryCounters(), () => start, { maxHeld: 3 });
    let passed = 0;
    for (let request = 0; request < 120; request += 1) {
      passed += (await small.take(perSecond(50, "key:busy"))).isExceeded ? 0 : 1;
      await small.take(perSecond(50, `address:${request}`)); // one flood of others, one hop each
    }
    expect(passed).toBe(50);
    expect(small.made.hops).toBeLessThan(120 + 10);
  });
});

describe("a lease in advance", () => {
  const second = 1_000;

  it("lets a caller who comes every eight seconds need one round trip a minute", async () => {
    let now = start;
    const { take, made } = createIsolate(createMemoryCounters(), () => now);
    for (let visit = 0; visit < 75; visit += 1) {
      now = start + 8 * second * visit;
      expect(await take(perSecond(100))).toMatchObject({ isExceeded: false, remaining: 99 });
    }
    expect(made.hops).toBeLessThanOrEqual(11); // ten minutes
  });

  it("covers as many requests at once as the caller sent last time", async () => {
    let now = start;
    const { take, made } = createIsolate(createMemoryCounters(), () => now);
    for (let visit = 0; visit < 75; visit += 1) {
      now = start + 8 * second * visit;
      await Promise.all(Array.from({ length: 4 }, () => take(perSecond(100))));
    }
    expect(made.hops).toBeLessThanOrEqual(15);
  });

  it("covers the coming minutes", async () => {
    let now = start;
    const { take, made } = createIsolate(createMemoryCounters(), () => now);
    for (let visit = 0; visit < 60; visit += 1) {
      now = start + 20 * second * visit;
      await take({ name: "business:one", limit: 1_000, windowMs: 60 * second });
    }
    expect(made.hops).toBeLessThanOrEqual(4); // twenty minutes
  });

  it("takes at most a tenth of a window, however many isolates lease it", async () => {
    const shared = createMemoryCounters();
    let now = start;
    const rare = Array.from({ length: 40 }, () => createIsolate(shared, () => now));
    await countAdmitted(rare, perSecond(100), 1);
    now += 30 * second;
    const busy = createIsolate(shared, () => now);
    const admitted = await countAdmitted([busy], perSecond(100), 100);
    expect(admitted).toBeGreaterThanOrEqual(90);
    expect(admitted + (await countAdmitted(rare, perSecond(100), 3))).toBe(100);
  });

  it("is not taken by limits of a few requests", async () => {
    const shared = createMemoryCounters();
    let now = start;
    const [one, other] = [createIsolate(shared, () => now), createIsolate(shared, () => now)];
    await one.take(perSecond(19));
    now += 30 * second;
    expect(await countAdmitted([other], perSecond(19), 19)).toBe(19);
  });

  it("admits no more than the limit of a window when clocks jump", async () => {
    const randomInt = seededRandomInt(7);
    for (let run = 0; run < 200; run += 1) {
      const limit = perSecond(20 + randomInt(30));
      const shared = createMemoryCounters();
      const clocks = [start, start, start];
      const isolates = clocks.map((_, at) => createIsolate(shared, () => clocks[at] ?? start));
      const admitted = new Map<number, number>();
      for (let step = 0; step < 150; step += 1) {
        const at = randomInt(isolates.length);
        clocks[at] = start + second * randomInt(12);
        const sent = 1 + randomInt(4);
        for (let request = 0; request < sent; request += 1) {
          const state = await isolates[at]?.take(limit);
          if (state && !state.isExceeded)
            admitted.set(state.resetAt, (admitted.get(state.resetAt) ?? 0) + 1);
        }
      }
      expect(Math.max(...admitted.values())).toBeLessThanOrEqual(limit.limit);
    }
  });
});

describe("limits of one counter", () => {
  const limits = [
    perSecond(50, "address:one"),
    {
      name: "address-minute:one",
      limit: 60,
      windowMs: 60_000,
      counter: { name: "address:one", part: "minute" },
    },
  ];

  it("are leased in one round trip and counted each by itself", async () => {
    let now = start + 10;
    const { takeTogether, made } = createIsolate(createMemoryCounters(), () => now);
    const first = await takeTogether(limits);
    expect(first.map(({ remaining }) => remaining)).toEqual([49, 59]);
    expect(made.hops).toBe(1);
    const admitted = [0, 0];
    for (const end of [start + 10, start + 1_010]) {
      now = end;
      for (const states of await Promise.all(
        Array.from({ length: 60 }, () => takeTogether(limits)),
      ))
        for (const [at, state] of states.entries())
          if (!state.isExceeded) admitted[at] = (admitted[at] ?? 0) + 1;
    }
    expect(admitted).toEqual([49 + 50, 59]);
  });

  it("are admitted when the counter leaves out a window", async () => {
    const shared = createMemoryCounters();
    const { takeTogether, made } = createIsolate(
      { lease: (name, request) => shared.lease(name, ...(request ? [request] : [])) },
      () => start,
    );
    const states = await takeTogether(limits);
    expect(states.map(({ isExceeded }) => isExceeded)).toEqual([false, false]);
    expect(made.failures).toEqual(["Error: The counter left out windows"]);
  });
});

describe("an unreachable counter", () => {
  const down: Counters = { lease: () => Promise.reject(new Error("gone")) };
  const silent: Counters = { lease: () => new Promise(() => {}) };

  it("admits requests, is reported once and retried after a second", async () => {
    let now = start;
    const { take, made } = createIsolate(down, () => now);
    const states = await Promise.all(Array.from({ length: 90 }, () => take(perSecond(50))));
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made).toEqual({ hops: 1, failures: ["Error: gone"] });
    now += 1_000;
    await take(perSecond(50));
    expect(made.hops).toBe(2);
  });

  it("is not awaited beyond the timeout", async () => {
    let now = start;
    const { take, made } = createIsolate(silent, () => now, { timeoutMs: 20 });
    const states = await Promise.all(Array.from({ length: 90 }, () => take(perSecond(50))));
    expect(states.every(({ isExceeded }) => !isExceeded)).toBe(true);
    expect(made).toEqual({ hops: 1, failures: ["Error: No answer within 20 ms"] });
    now += 1_000;
    await take(perSecond(50));
    expect(made.hops).toBe(2);
  });

  it("counts again after an outage", async () => {
    let isDown = true;
    let now = start;
    const shared = createMemoryCounters();
    const sometimes: Counters = {
      lease: (name, ...requests) => (isDown ? down : shared).lease(name, ...requests),
    };
    const { take } = createIsolate(sometimes, () => now);
    await take(perSecond(50));
    isDown = false;
    now += 1_000;
    const states = await Promise.all(Array.from({ length: 60 }, () => take(perSecond(50))));
    expect(states.filter(({ isExceeded }) => isExceeded)).toHaveLength(10);
  });
});
