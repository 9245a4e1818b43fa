import { availableParallelism, cpus, loadavg } from "node:os";
import type { Bundle } from "../scripts/serve/build/bundles.ts";
import { formatTable } from "./format-table.ts";
import { type Measurement, percentile, perSecond } from "./load.ts";
import type { BenchRow, Peers } from "./rows.ts";

export type BenchResult = Readonly<{ row: BenchRow; measured: Measurement }>;
export type BundleMeasurement = Readonly<{ bundle: Bundle; evaluationMs: number }>;

const maxBundleKib = 1_024;
const maxEvaluationMs = 50;

export function describeMachine(): string {
  const [cpu] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), Node ${process.versions.node}, load before ${load}`;
}

const speedTableHead = [
  ["", "per s", "p50 ms", "p99 ms", "errors", "d1", "do"],
  ["of front", "of storefront", "Vendure 3", "Medusa 2", "times", "aim"],
].flat();

/** Formats the requests or sales per second, next to the figures of Vendure and Medusa. */
export function formatSpeedTable(results: readonly BenchResult[]): string {
  const [front = Number.NaN, storefront = Number.NaN] = results.map(({ measured }) =>
    perSecond(measured),
  );
  return formatTable(
    speedTableHead,
    results.map(({ row, measured }) => {
      const rate = perSecond(measured);
      return [
        row.name,
        whole(rate),
        percentile(measured, 0.5).toFixed(1),
        percentile(measured, 0.99).toFixed(1),
        String(measured.errors.length),
        String(measured.maxRoundTrips.d1),
        String(measured.maxRoundTrips.do),
        row.kind === "read" ? percent(rate / front) : "",
        row.kind === "read" ? percent(rate / storefront) : "",
        ...peerColumns(rate, row.peers),
      ];
    }),
  );
}

/**
 * Formats rows that were measured at several sizes. Shows each median, its ratio to the median of
 * the first size, and the length of the response.
 */
export function formatGrowthTable(results: readonly BenchResult[]): string {
  const scaled = results.flatMap(({ row, measured }) =>
    row.scale
      ? [
          {
            ...row.scale,
            median: percentile(measured, 0.5),
            longestResponse: measured.longestResponse,
          },
        ]
      : [],
  );
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

const percent = (share: number): string => `${whole(share * 100)} %`;
const whole = (value: number): string => value.toFixed(0);
