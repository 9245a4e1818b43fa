import { describe, expect, it } from "vitest";
import { formatComparison, verdictOn } from "../../bench/compare.ts";
import { isSelected, parseOptions } from "../../bench/options.ts";
import type { BenchRecord } from "../../bench/record.ts";
import { inTurn, spreadOf } from "../../bench/results.ts";
import { cpuSecondsOf, memoryMbOf } from "../../bench/workerd-process.ts";

describe("options", () => {
  it("spreads the seconds of a row over its rounds", () => {
    const options = parseOptions(["--rounds", "4", "--seconds", "2"], {});
    expect(options).toMatchObject({ rounds: 4, secondsPerRound: 0.5 });
  });

  it("measures one imported shop when the large one has 1,000 products too", () => {
    expect(parseOptions([], { BENCH_PRODUCTS: "1000" })?.productCounts).toEqual([1_000]);
    expect(parseOptions([], {})?.productCounts).toEqual([1_000, 50_000]);
  });

  it("prefers the command line to the environment", () => {
    const env = { BENCH_PRODUCTS: "2000", BENCH_TARGET: "serve" };
    const options = parseOptions(["--products", "3000"], env);
    expect(options).toMatchObject({ productCounts: [1_000, 3_000], isServed: true });
  });

  it("selects the rows whose names contain one of the texts", () => {
    const options = { rows: ["whole sale", "chat"] };
    expect(isSelected("whole sale: 2 lines, cash, placed", options)).toBe(true);
    expect(isSelected("chat: 16 in parallel", options)).toBe(true);
    expect(isSelected("product list, 20", options)).toBe(false);
    expect(isSelected("product list, 20", { rows: [] })).toBe(true);
  });

  it("rejects unknown options and numbers that are not positive", () => {
    expect(() => parseOptions(["--row", "x"], {})).toThrow("--row");
    expect(() => parseOptions(["--rounds", "0"], {})).toThrow("--rounds must be");
    expect(() => parseOptions(["--rounds", "1.5"], {})).toThrow("whole number");
    expect(() => parseOptions(["--seconds", "soon"], {})).toThrow("--seconds must be");
  });

  it("rejects messages for npm run serve, which has settings of its own", () => {
    expect(() => parseOptions(["--serve", "--messages"], {})).toThrow("--messages");
    expect(parseOptions(["--messages"], {})).toMatchObject({ sendsMessages: true });
  });

  it("returns null when help is requested", () => {
    expect(parseOptions(["--help"], {})).toBeNull();
  });
});

describe("rounds", () => {
  it("alternate the order of the rows", () => {
    expect(inTurn(["a", "b", "c"], 0)).toEqual(["a", "b", "c"]);
    expect(inTurn(["a", "b", "c"], 1)).toEqual(["c", "b", "a"]);
  });

  it("give the smallest, the middle and the largest value", () => {
    expect(spreadOf([9, 1, 5])).toEqual({ min: 1, median: 5, max: 9 });
    expect(spreadOf([4, 1, null, 2, 10])).toEqual({ min: 1, median: 3, max: 10 });
    expect(spreadOf([7])).toEqual({ min: 7, median: 7, max: 7 });
    expect(spreadOf([null])).toBeNull();
  });
});

describe("comparison", () => {
  const spread = (min: number, median: number, max: number) => ({ min, median, max });

  it("judges a change only when the rounds do not overlap", () => {
    const earlier = spread(90, 100, 110);
    expect(verdictOn({ earlier, later: spread(105, 130, 140) }, "rate")).toBe("");
    expect(verdictOn({ earlier, later: spread(111, 130, 140) }, "rate")).toBe("better");
    expect(verdictOn({ earlier, later: spread(60, 70, 89) }, "rate")).toBe("worse");
    expect(verdictOn({ earlier, later: spread(60, 70, 89) }, "p99Ms")).toBe("better");
  });

  it("prints the change of the medians, and settings that differ", () => {
    const record = (name: string, rate: number, rounds: number): BenchRecord => ({
      ...{ date: "2026-11-24T00:00:00.000Z", commit: "0123456789", machine: "2 cores" },
      ...{ target: "workerd", rounds, secondsPerRound: 0.6, productCounts: [1_000] },
      results: [
        { name, unit: "per s", rate: spread(rate - 1, rate, rate + 1), p50Ms: null, p99Ms: null },
        { name: `only ${rounds}`, unit: "per s", rate: null, p50Ms: null, p99Ms: null },
      ],
    });
    const text = formatComparison(record("sale", 200, 5), record("sale", 250, 3));
    expect(text).toContain("200 (199-201)  250 (249-251)  +25.0 %  better");
    expect(text).toContain("differs: rounds was 5, is 3");
    expect(text).not.toContain("only");
  });
});

it.runIf(process.platform === "linux")("reads memory and CPU of the named processes", () => {
  const own = memoryMbOf([process.pid]);
  expect(own).toBeGreaterThan(10);
  expect(memoryMbOf([process.pid, process.pid])).toBeGreaterThan(own * 1.5);
  expect(memoryMbOf([])).toBe(0);
  expect(cpuSecondsOf([process.pid])).toBeGreaterThan(0);
});
