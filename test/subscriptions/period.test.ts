import { describe, expect, it } from "vitest";
import { type Cadence, periodBoundary, periodNumberAt } from "../../shared/subscriptions/index.ts";

const cadence = (
  anchor: string,
  interval: Cadence["plan"]["interval"] = "month",
  { intervalCount = 1, timezone = "UTC" } = {},
): Cadence => ({ anchorAt: Date.parse(anchor), timezone, plan: { interval, intervalCount } });

const ends = (of: Cadence, count: number) =>
  Array.from({ length: count }, (_, n) =>
    new Date(periodBoundary(of, n + 1)).toISOString().slice(0, 16),
  );

describe("subscription periods", () => {
  it("keep their day of the month after a short month", () => {
    expect(ends(cadence("2030-01-31T09:00:00Z"), 4)).toEqual([
      "2030-02-28T09:00",
      "2030-03-31T09:00",
      "2030-04-30T09:00",
      "2030-05-31T09:00",
    ]);
  });

  it("end on February 29 in leap years", () => {
    expect(ends(cadence("2027-12-31T09:00:00Z"), 2)[1]).toBe("2028-02-29T09:00");
    expect(ends(cadence("2028-02-29T09:00:00Z", "year"), 4)).toEqual([
      "2029-02-28T09:00",
      "2030-02-28T09:00",
      "2031-02-28T09:00",
      "2032-02-29T09:00",
    ]);
  });

  it("span several intervals when the plan says so", () => {
    expect(ends(cadence("2030-08-31T00:00:00Z", "month", { intervalCount: 3 }), 3)).toEqual([
      "2030-11-30T00:00",
      "2031-02-28T00:00",
      "2031-05-31T00:00",
    ]);
  });

  it("keep the local time of day across a clock change", () => {
    const berlin = { timezone: "Europe/Berlin" };
    expect(ends(cadence("2030-03-30T09:00:00Z", "day", berlin), 2)).toEqual([
      "2030-03-31T08:00",
      "2030-04-01T08:00",
    ]);
    // 23:30 on January 31 in Berlin is 22:30 UTC.
    expect(ends(cadence("2030-01-31T22:30:00Z", "month", berlin), 2)).toEqual([
      "2030-02-28T22:30",
      "2030-03-31T21:30",
    ]);
  });

  it("are found by any instant in them", () => {
    for (const interval of ["day", "week", "month", "year"] as const) {
      for (const anchor of [
        "2028-01-31T09:00:00Z",
        "2028-02-29T23:59:59Z",
        "2030-11-30T00:00:00Z",
      ]) {
        const of = cadence(anchor, interval, { intervalCount: 2 });
        for (let cycle = 1; cycle <= 40; cycle += 1) {
          expect(periodNumberAt(of, periodBoundary(of, cycle - 1))).toBe(cycle);
          expect(periodNumberAt(of, periodBoundary(of, cycle) - 1)).toBe(cycle);
        }
      }
    }
  });

  it("start with the first for any earlier instant", () => {
    expect(
      periodNumberAt(cadence("2030-01-31T09:00:00Z"), Date.parse("2029-01-01T00:00:00Z")),
    ).toBe(1);
  });

  it("follow a free trial, which is the first period", () => {
    const after = cadence("2030-01-31T09:00:00Z");
    const trial = { ...after, plan: { ...after.plan, hasFreeTrial: true } };
    expect(ends(trial, 3)).toEqual(["2030-01-31T09:00", "2030-02-28T09:00", "2030-03-31T09:00"]);
    expect(periodNumberAt(trial, Date.parse("2030-01-20T09:00:00Z"))).toBe(1);
    expect(periodNumberAt(trial, Date.parse("2030-01-31T09:00:00Z"))).toBe(2);
    expect(periodNumberAt(trial, Date.parse("2030-03-31T09:00:00Z"))).toBe(4);
  });
});
