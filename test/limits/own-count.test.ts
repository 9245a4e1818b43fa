import { describe, expect, it } from "vitest";
import { ownCount } from "../../functions/http/rate-limits/own-count.ts";

const start = 1_900_000_000_000;
const perSecond = (limit: number, name = "preflight:one") => ({ name, limit, windowMs: 1_000 });

describe("what an isolate counts for itself", () => {
  it("is counted down to the limit and no further, and anew in the next window", () => {
    const count = ownCount();
    const asked = Array.from({ length: 5 }, () => count(perSecond(3), start + 250));
    expect(asked.map(({ remaining, isExceeded }) => [remaining, isExceeded])).toEqual([
      [2, false],
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
    expect(asked.map(({ resetAt }) => resetAt)).toEqual(Array(5).fill(start + 1_000));
    expect(count(perSecond(3), start + 1_000)).toEqual({
      limit: 3,
      remaining: 2,
      resetAt: start + 2_000,
      isExceeded: false,
    });
  });

  it("is one's own: another name's requests take nothing from it", () => {
    const count = ownCount();
    count(perSecond(1), start);
    expect(count(perSecond(1, "preflight:two"), start).isExceeded).toBe(false);
    expect(count(perSecond(1), start).isExceeded).toBe(true);
  });

  it("is remembered of those that were used last", () => {
    const count = ownCount({ maxHeld: 2 });
    const isExceeded = (name: string) => count(perSecond(1, name), start).isExceeded;
    expect(["one", "two", "one", "three"].map(isExceeded)).toEqual([false, false, true, false]);
    expect(["one", "two"].map(isExceeded)).toEqual([true, false]);
  });
});
