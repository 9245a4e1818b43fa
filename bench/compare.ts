import { formatTable } from "./format-table.ts";
import type { BenchRecord, RecordedResult } from "./record.ts";
import type { Spread } from "./results.ts";

type Pair = Readonly<{ earlier: Spread; later: Spread }>;

/**
 * Formats the change of the medians since an earlier record. A change counts only when the rounds of
 * the two records do not overlap, because otherwise it may be noise.
 */
export function formatComparison(earlier: BenchRecord, later: BenchRecord): string {
  const before = new Map(earlier.results.map((result) => [result.name, result]));
  const rows = later.results.flatMap((result) => {
    const other = before.get(result.name);
    if (other === undefined) return [];
    return [
      [
        result.name,
        ...cellsFor(pairOf(other, result, "rate"), "rate"),
        ...cellsFor(pairOf(other, result, "p99Ms"), "p99Ms"),
      ],
    ];
  });
  const title = `since ${earlier.date}, commit ${earlier.commit.slice(0, 8)}`;
  const measures = ["per s, before", "now", "change", "", "p99 ms, before", "now", "change", ""];
  const differences = settingNames
    .filter((name) => String(earlier[name]) !== String(later[name]))
    .map((name) => `differs: ${name} was ${earlier[name]}, is ${later[name]}`);
  return [
    formatTable([title, ...measures], rows),
    "better, worse: no round of one run is within the range of the other; anything else may be noise",
    ...differences,
  ].join("\n");
}

const settingNames = ["machine", "target", "rounds", "secondsPerRound", "productCounts"] as const;

type Measure = "rate" | "p99Ms";

function pairOf(earlier: RecordedResult, later: RecordedResult, measure: Measure): Pair | null {
  const [before, now] = [earlier[measure], later[measure]];
  return before && now ? { earlier: before, later: now } : null;
}

function cellsFor(pair: Pair | null, measure: Measure): string[] {
  if (pair === null) return ["", "", "", ""];
  const { earlier, later } = pair;
  const change = (later.median / earlier.median - 1) * 100;
  return [
    formatSpread(earlier),
    formatSpread(later),
    `${change < 0 ? "" : "+"}${change.toFixed(1)} %`,
    verdictOn(pair, measure),
  ];
}

/** "better" or "worse" when the ranges of the two runs do not overlap. */
export function verdictOn({ earlier, later }: Pair, measure: Measure): "better" | "worse" | "" {
  const isHigher = later.min > earlier.max;
  const isLower = later.max < earlier.min;
  if (!isHigher && !isLower) return "";
  return isHigher === (measure === "rate") ? "better" : "worse";
}

const formatSpread = ({ min, median, max }: Spread): string =>
  `${round(median)} (${round(min)}-${round(max)})`;

const round = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
