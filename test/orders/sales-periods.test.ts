import { describe, expect, it } from "vitest";
import { endOfDay, startOfDay } from "../../shared/kernel/calendar.ts";
import { type SalesPeriod, splitIntoPeriods } from "../../shared/orders/index.ts";

const at = (text: string) => Date.parse(text);
const shown = (periods: readonly SalesPeriod[]) =>
  periods.map(({ start, end }) => [new Date(start).toISOString(), new Date(end).toISOString()]);

describe("splitIntoPeriods", () => {
  it("splits at local midnight, including days of 23 and 25 hours", () => {
    const zone = "Europe/Berlin";
    const spring = {
      start: startOfDay("2026-03-28", zone),
      end: endOfDay("2026-03-29", zone),
    };
    expect(shown(splitIntoPeriods(spring, "day", zone))).toEqual([
      ["2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"],
      ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ]);
    const autumn = { start: startOfDay("2026-10-25", zone), end: endOfDay("2026-10-25", zone) };
    expect((autumn.end - autumn.start) / 3_600_000).toBe(25);
  });

  it("starts weeks on Monday and months on the first, and cuts both at the ends of the range", () => {
    const range = { start: at("2026-01-30T12:00:00Z"), end: at("2026-02-10T00:00:00Z") };
    expect(shown(splitIntoPeriods(range, "week", "Africa/Accra"))).toEqual([
      ["2026-01-30T12:00:00.000Z", "2026-02-02T00:00:00.000Z"],
      ["2026-02-02T00:00:00.000Z", "2026-02-09T00:00:00.000Z"],
      ["2026-02-09T00:00:00.000Z", "2026-02-10T00:00:00.000Z"],
    ]);
    expect(shown(splitIntoPeriods(range, "month", "Africa/Accra"))).toEqual([
      ["2026-01-30T12:00:00.000Z", "2026-02-01T00:00:00.000Z"],
      ["2026-02-01T00:00:00.000Z", "2026-02-10T00:00:00.000Z"],
    ]);
  });

  it("starts a day at the clock change in a zone that has no midnight on that day", () => {
    const zone = "America/Santiago"; // on 5 September 2026 at 24:00 clocks change to 01:00
    expect(new Date(startOfDay("2026-09-06", zone)).toISOString()).toBe("2026-09-06T04:00:00.000Z");
  });
});
