import { describe, expect, it } from "vitest";
import { createLocalCounter } from "../../functions/http/rate-limits/local-counter.ts";

const start = 1_900_000_000_000;
const perSecond = (limit: number, name = "preflight:one") => ({ name, limit, windowMs: 1_000 });

describe("createLocalCounter", () => {
  it("counts down to the limit and starts again in the next window", () => {
    const count = createLocalCounter();
    const states = Array.from({ length: 5 }, () => count(perSecond(3), start + 250));
    expect(states.map(({ remaining, isExceeded }) => [remaining, isExceeded])).toEqual([
      [2, false],
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
    expect(states.map(({ resetAt }) => resetAt)).toEqual(Array(5).fill(start + 1_000));
    expect(count(perSecond(3), start + 1_000)).toEqual({
      limit: 3,
      remaining: 2,
      resetAt: start + 2_000,
      isExceeded: false,
    });
  });

  it("counts each name separately", () => {
    const count = createLocalCounter();
    count(perSecond(1), start);
    expect(count(perSecond(1, "preflight:two"), start).isExceeded).toBe(false);
    expect(count(perSecond(1), start).isExceeded).toBe(true);
  });

  it("keeps the most recently used names", () => {
    const count = createLocalCounter({ maxHeld: 2 });
    const isExceeded = (name: string) => count(perSecond(1, name), start).isExceeded;
    expect(["one", "two", "one", "three"].map(isExceeded)).toEqual([false, false, true, false]);
    expect(["one", "two"].map(isExceeded)).toEqual([true, false]);
  });
});
