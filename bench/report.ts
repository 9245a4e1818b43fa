import { availableParallelism, cpus, loadavg } from "node:os";
import type { Bundle } from "./bundles.ts";
import { type Measured, percentile, perSecond } from "./load.ts";
import type { Peers, Row } from "./rows.ts";
import { table } from "./table.ts";

export type Result = Readonly<{ row: Row; measured: Measured }>;
export type Weighed = Readonly<{ bundle: Bundle; evaluationMs: number }>;

const maxBundleKib = 1_024;
const maxEvaluationMs = 50;

export function machine(): string {
  const [cpu] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), Node ${process.versions.node}, load before ${load}`;
}

const head = [
  ["", "per s", "p50 ms", "p99 ms", "errors", "d1", "do"],
  ["of front", "of storefront", "Vendure 3", "Medusa 2", "times", "aim"],
].flat();

/** Requests, or sales, per second; the peers' figures beside ours. */
export function speedTable(results: readonly Result[]): string {
  const [front = Number.NaN, storefront = Number.NaN] = results.map(({ measured }) =>
    perSecond(measured),
  );
  return table(
    head,
    results.map(({ row, measured }) => {
      const rate = perSecond(measured);
      return [
        row.name,
        whole(rate),
        percentile(measured, 0.5).toFixed(1),
        percentile(measured, 0.99).toFixed(1),
        String(measured.errors.length),
        String(measured.most.d1),
        String(measured.most.do),
        row.kind === "read" ? percent(rate / front) : "",
        row.kind === "read" ? percent(rate / storefront) : "",
        ...besidePeers(rate, row.peers),
      ];
    }),
  );
}

/** What is measured at several sizes: the median at each, how many times the first it is, and of how much. */
export function growthTable(results: readonly Result[]): string {
  const scaled = results.flatMap(({ row, measured }) =>
    row.scale
      ? [{ ...row.scale, median: percentile(measured, 0.5), longest: measured.longest }]
      : [],
  );
  const lines = Map.groupBy(scaled, ({ measure }) => measure);
  return table(
    ["p50 ms at each size", "", "", "", "times the first", "KB answered"],
    [...lines].map(([measure, sizes]) => {
      const medians = sizes.map(({ size, median }) => `${median.toFixed(1)} at ${size}`);
      const [first = Number.NaN] = sizes.map(({ median }) => median);
      const times = sizes.slice(1).map(({ median }) => (median / first).toFixed(1));
      const kilobytes = sizes.map(({ longest }) => (longest / 1_000).toFixed(1));
      return [measure, ...columns(medians, 3), times.join(", "), kilobytes.join(", ")];
    }),
  );
}

const columns = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, column) => cells[column] ?? "");

function besidePeers(rate: number, peers: Peers | undefined): string[] {
  if (!peers) return ["", "", "", ""];
  const { vendure, medusa, aim } = peers;
  const times = (rate / Math.max(vendure, medusa)).toFixed(1);
  return [whole(vendure), whole(medusa), times, `>= ${aim}`];
}

export const sizeTable = (weighed: readonly Weighed[]): string =>
  table(
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
