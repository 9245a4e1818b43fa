import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { root } from "../scripts/dev/paths.ts";
import { asRecord, asRecords, asText } from "./api-client.ts";
import type { BenchOptions } from "./options.ts";
import { type BundleMeasurement, machineName } from "./report.ts";
import { type BenchResult, p50Of, p99Of, type Round, rateOf, type Spread } from "./results.ts";

export type RecordedResult = Readonly<{
  name: string;
  unit: string;
  rate: Spread | null;
  p50Ms: Spread | null;
  p99Ms: Spread | null;
}>;

/** The part of a record that a later run is compared with. */
export type BenchRecord = Readonly<{
  date: string;
  commit: string;
  machine: string;
  target: string;
  rounds: number;
  secondsPerRound: number;
  productCounts: readonly number[];
  results: readonly RecordedResult[];
}>;

type WrittenResult = RecordedResult &
  Omit<BenchResult, "rounds" | "errors"> &
  Readonly<{ rounds: readonly Round[]; errors: readonly string[] }>;

type WrittenRecord = Omit<BenchRecord, "results"> &
  Readonly<{
    bundles: readonly Readonly<{ name: string; gzippedBytes: number; evaluationMs: number }>[];
    results: readonly WrittenResult[];
  }>;

/** Returns everything that a run measured, with what another run needs to be comparable. */
export function createRecord(
  options: BenchOptions,
  bundles: readonly BundleMeasurement[],
  results: readonly BenchResult[],
): WrittenRecord {
  return {
    date: new Date().toISOString(),
    commit: readCommit(),
    machine: machineName(),
    target: nameTarget(options),
    rounds: options.rounds,
    secondsPerRound: options.secondsPerRound,
    productCounts: options.productCounts,
    bundles: bundles.map(({ bundle, evaluationMs }) => ({
      ...{ name: bundle.name, gzippedBytes: bundle.gzippedBytes, evaluationMs },
    })),
    results: results.map((result) => ({
      ...result,
      rate: rateOf(result),
      p50Ms: p50Of(result),
      p99Ms: p99Of(result),
    })),
  };
}

/**
 * Reads a file that `--json` wrote.
 *
 * @throws when the file is missing or is no such record.
 */
export function readRecord(path: string): BenchRecord {
  const record = asRecord(JSON.parse(readFileSync(path, "utf8")));
  if (!Array.isArray(record.productCounts)) throw new Error(`${path} has no productCounts.`);
  return {
    date: asText(record.date),
    commit: asText(record.commit),
    machine: asText(record.machine),
    target: asText(record.target),
    rounds: Number(record.rounds),
    secondsPerRound: Number(record.secondsPerRound),
    productCounts: record.productCounts.map(Number),
    results: asRecords(record.results).map((result) => ({
      name: asText(result.name),
      unit: asText(result.unit),
      rate: asSpread(result.rate),
      p50Ms: asSpread(result.p50Ms),
      p99Ms: asSpread(result.p99Ms),
    })),
  };
}

function asSpread(value: unknown): Spread | null {
  if (value === null) return null;
  const { min, median, max } = asRecord(value);
  return { min: Number(min), median: Number(median), max: Number(max) };
}

/** The commit that was measured, with "+" when files differ from it; "unknown" outside of git. */
function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const hasChanges = git("status", "--porcelain", "--untracked-files=no").trim() !== "";
    return `${git("rev-parse", "HEAD").trim()}${hasChanges ? "+" : ""}`;
  } catch {
    return "unknown";
  }
}

/** Names what was measured. Only records of the same target are compared. */
function nameTarget({ isServed, sendsMessages }: BenchOptions): string {
  if (isServed) return "npm run serve";
  return sendsMessages ? "workerd, with messages" : "workerd";
}
