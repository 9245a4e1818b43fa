import { describe, expect, it } from "vitest";
import { endOfDay, type Period, periodsIn, startOfDay } from "../../shared/orders/index.ts";

const at = (text: string) => Date.parse(text);
const shown = (periods: readonly Period[]) =>
  periods.map(({ start, end }) => [new Date(start).toISOString(), new Date(end).toISOString()]);

describe("the periods of a sales report", () => {
  it("are days from midnight to midnight by the business's clocks, also where a day has 23 or 25 hours", () => {
    const zone = "Europe/Berlin";
    const spring = {
      start: startOfDay("2026-03-28", zone),
      end: endOfDay("2026-03-29", zone),
    };
    expect(shown(periodsIn(spring, "day", zone))).toEqual([
      ["2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"],
      ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ]);
    const autumn = { start: startOfDay("2026-10-25", zone), end: endOfDay("2026-10-25", zone) };
    expect((autumn.end - autumn.start) / 3_600_000).toBe(25);
  });

  it("are weeks from Monday and months from the first, cut at the ends of the range", () => {
    const range = { start: at("2026-01-30T12:00:00Z"), end: at("2026-02-10T00:00:00Z") };
    expect(shown(periodsIn(range, "week", "Africa/Accra"))).toEqual([
      ["2026-01-30T12:00:00.000Z", "2026-02-02T00:00:00.000Z"],
      ["2026-02-02T00:00:00.000Z", "2026-02-09T00:00:00.000Z"],
      ["2026-02-09T00:00:00.000Z", "2026-02-10T00:00:00.000Z"],
    ]);
    expect(shown(periodsIn(range, "month", "Africa/Accra"))).toEqual([
      ["2026-01-30T12:00:00.000Z", "2026-02-01T00:00:00.000Z"],
      ["2026-02-01T00:00:00.000Z", "2026-02-10T00:00:00.000Z"],
    ]);
  });

  it("begin where the clock is changed, in a zone without a midnight on that day", () => {
    const zone = "America/Santiago"; // at 24:00 of 5 September 2026 the clocks go to 01:00
    expect(new Date(startOfDay("2026-09-06", zone)).toISOString()).toBe("2026-09-06T04:00:00.000Z");
  });
});
