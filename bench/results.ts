import { type Measurement, percentile, perSecond } from "./load.ts";
import type { Peers } from "./peers.ts";
import type { Scale } from "./rows.ts";
import type { RoundTrips } from "./visitor.ts";

/** What one round of one row measured. */
export type Round = Readonly<{ rate: number; p50Ms: number | null; p99Ms: number | null }>;

export type BenchResult = Readonly<{
  name: string;
  unit: "per s" | "MiB/s";
  rounds: readonly Round[];
  errors: readonly string[];
  maxRoundTrips?: RoundTrips;
  longestResponse?: number;
  /** Memory of workerd before the first round, and the most that it had until the last. */
  memoryMb?: Readonly<{ before: number; max: number }>;
  peers?: Peers;
  scale?: Scale;
}>;

/** The smallest, the middle and the largest value of the rounds of a row. */
export type Spread = Readonly<{ min: number; median: number; max: number }>;

/** Returns null when there is no value. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const sorted = values
    .filter((value) => value !== null && !Number.isNaN(value))
    .map(Number)
    .toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  const high = sorted[Math.floor(sorted.length / 2)];
  if (min === undefined || max === undefined || low === undefined || high === undefined)
    return null;
  return { min, median: (low + high) / 2, max };
}

export const rateOf = ({ rounds }: BenchResult): Spread | null =>
  spreadOf(rounds.map(({ rate }) => rate));

export const p50Of = ({ rounds }: BenchResult): Spread | null =>
  spreadOf(rounds.map(({ p50Ms }) => p50Ms));

export const p99Of = ({ rounds }: BenchResult): Spread | null =>
  spreadOf(rounds.map(({ p99Ms }) => p99Ms));

/** The result of a row that was measured once in each round. */
export function resultOf(
  name: string,
  measurements: readonly Measurement[],
): BenchResult & Required<Pick<BenchResult, "maxRoundTrips" | "longestResponse">> {
  return {
    name,
    unit: "per s",
    rounds: measurements.map((measured) => ({
      rate: perSecond(measured),
      p50Ms: measured.units === 0 ? null : percentile(measured, 0.5),
      p99Ms: measured.units === 0 ? null : percentile(measured, 0.99),
    })),
    errors: measurements.flatMap(({ errors }) => errors),
    maxRoundTrips: {
      d1: Math.max(...measurements.map(({ maxRoundTrips }) => maxRoundTrips.d1)),
      do: Math.max(...measurements.map(({ maxRoundTrips }) => maxRoundTrips.do)),
    },
    longestResponse: Math.max(...measurements.map(({ longestResponse }) => longestResponse)),
  };
}

/** The items in their order in even rounds, in the opposite order in odd rounds. */
export const inTurn = <T>(items: readonly T[], round: number): readonly T[] =>
  round % 2 === 0 ? items : items.toReversed();
