import { availableParallelism, cpus, loadavg } from "node:os";
import type { Bundle } from "../scripts/serve/build/bundles.ts";
import { formatTable } from "./format-table.ts";
import { type Peers, peersMeasured } from "./peers.ts";
import { type BenchResult, p50Of, p99Of, rateOf, type Spread } from "./results.ts";
import { trivialRowName } from "./rows.ts";

export type BundleMeasurement = Readonly<{ bundle: Bundle; evaluationMs: number }>;

const maxBundleKib = 1_024;
const maxEvaluationMs = 50;

export const machineName = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;

export const describeMachine = (): string =>
  `${machineName()}, load before ${loadavg()[0]?.toFixed(1)}`;

const spreadHead = (unit: string): string[] => [
  ...[unit, "min-max", "p50 ms", "min-max", "p99 ms", "min-max"],
];
const speedHead = [
  ...["", ...spreadHead("per s"), "errors", "d1", "do"],
  ...["trivial", "Vendure 3", "Medusa 2", "times", "aim"],
];

/** Formats the requests or sales per second, next to the figures of Vendure and Medusa. */
export function formatSpeedTable(results: readonly BenchResult[]): string {
  if (results.length === 0) return "";
  const trivial = results.find(({ name }) => name === trivialRowName);
  const trivialRate = trivial && rateOf(trivial)?.median;
  const table = formatTable(
    speedHead,
    results.map((result) => {
      const rate = rateOf(result)?.median ?? 0;
      return [
        result.name,
        ...spreadCells(result),
        String(result.errors.length),
        String(result.maxRoundTrips?.d1 ?? ""),
        String(result.maxRoundTrips?.do ?? ""),
        trivialRate === undefined || rate === 0 ? "" : (trivialRate / rate).toFixed(1),
        ...peerColumns(rate, result.peers),
      ];
    }),
  );
  return `${table}
per s, p50, p99: the median of the rounds, then the smallest and the largest
d1, do: the most round trips of one call after the warm-up (Server-Timing)
trivial: how many requests for /healthz of the storefront are answered in the same time
times: multiple of the faster of Vendure and Medusa, measured ${peersMeasured}`;
}

/** Formats rates that have no further columns. */
export const formatRateTable = (
  title: string,
  results: readonly BenchResult[],
  further: readonly Readonly<{ head: string; cell(result: BenchResult): string }>[] = [],
): string =>
  formatTable(
    [title, ...spreadHead(results[0]?.unit ?? ""), "errors", ...further.map(({ head }) => head)],
    results.map((result) => [
      result.name,
      ...spreadCells(result),
      String(result.errors.length),
      ...further.map(({ cell }) => cell(result)),
    ]),
  );

const spreadCells = (result: BenchResult): string[] => [
  ...cellsFor(rateOf(result), whole),
  ...cellsFor(p50Of(result), tenths),
  ...cellsFor(p99Of(result), tenths),
];

export const cellsFor = (spread: Spread | null, format: (value: number) => string): string[] =>
  spread ? [format(spread.median), `${format(spread.min)}-${format(spread.max)}`] : ["", ""];

/**
 * Formats rows that were measured at several sizes. Shows each median, its ratio to the median of
 * the first size, and the length of the response.
 */
export function formatGrowthTable(results: readonly BenchResult[]): string {
  const scaled = results.flatMap((result) =>
    result.scale
      ? [
          {
            ...result.scale,
            median: p50Of(result)?.median ?? Number.NaN,
            longestResponse: result.longestResponse ?? 0,
          },
        ]
      : [],
  );
  if (scaled.length === 0) return "";
  const lines = Map.groupBy(scaled, ({ measure }) => measure);
  return formatTable(
    ["p50 ms at each size", "", "", "", "times the first", "response KB"],
    [...lines].map(([measure, sizes]) => {
      const medians = sizes.map(({ size, median }) => `${median.toFixed(1)} at ${size}`);
      const [first = Number.NaN] = sizes.map(({ median }) => median);
      const times = sizes.slice(1).map(({ median }) => (median / first).toFixed(1));
      const kilobytes = sizes.map(({ longestResponse }) => (longestResponse / 1_000).toFixed(1));
      return [measure, ...columns(medians, 3), times.join(", "), kilobytes.join(", ")];
    }),
  );
}

const columns = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, column) => cells[column] ?? "");

function peerColumns(rate: number, peers: Peers | undefined): string[] {
  if (!peers) return ["", "", "", ""];
  const { vendure, medusa, aim } = peers;
  const times = (rate / Math.max(vendure, medusa)).toFixed(1);
  return [whole(vendure), whole(medusa), times, `>= ${aim}`];
}

export const formatSizeTable = (weighed: readonly BundleMeasurement[]): string =>
  formatTable(
    ["", "KiB gzipped", "start-up ms", ""],
    weighed.map(({ bundle, evaluationMs }) => {
      const kib = bundle.gzippedBytes / 1_024;
      const over = [
        ...(kib > maxBundleKib ? [`over ${maxBundleKib} KiB`] : []),
        ...(evaluationMs > maxEvaluationMs ? [`over ${maxEvaluationMs} ms`] : []),
      ];
      return [bundle.name, kib.toFixed(1), evaluationMs.toFixed(0), over.join(", ")];
    }),
  );

const whole = (value: number): string => value.toFixed(0);
const tenths = (value: number): string => value.toFixed(1);
