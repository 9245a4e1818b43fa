import type { RoundTrips, Visitor } from "./visitor.ts";

/** What a benchmark repeats and times: a request or a whole sale. */
export type WorkUnit = () => Promise<unknown>;

export type Measurement = Readonly<{
  units: number;
  seconds: number;
  /** The duration of each unit, in the order in which the units completed. */
  milliseconds: readonly number[];
  errors: readonly string[];
  maxRoundTrips: RoundTrips;
  /** The length of the longest response in characters. 0 when the units return no text. */
  longestResponse: number;
}>;

/**
 * Each visitor repeats its unit for a number of seconds. All visitors run in parallel.
 *
 * @param waitForTurn runs before each unit and is not part of the unit's duration.
 */
export async function runLoad(
  visitors: readonly Visitor[],
  units: readonly WorkUnit[],
  seconds: number,
  waitForTurn?: (visitor: number) => Promise<unknown>,
): Promise<Measurement> {
  for (const visitor of visitors) visitor.takeRoundTrips();
  const milliseconds: number[] = [];
  const errors: string[] = [];
  let longestResponse = 0;
  const started = performance.now();
  const endsAt = started + seconds * 1_000;
  await Promise.all(
    units.map(async (unit, visitor) => {
      for (let now = started; now < endsAt; ) {
        if (waitForTurn) {
          await waitForTurn(visitor);
          now = performance.now();
          if (now >= endsAt) break;
        }
        const before = now;
        try {
          const response = await unit();
          now = performance.now();
          if (typeof response === "string")
            longestResponse = Math.max(longestResponse, response.length);
          milliseconds.push(now - before);
        } catch (error) {
          now = performance.now();
          errors.push(String(error));
        }
      }
    }),
  );
  const maxRoundTrips = visitors
    .map((visitor) => visitor.takeRoundTrips())
    .reduce(maxOf, { d1: 0, do: 0 });
  const elapsedSeconds = (performance.now() - started) / 1_000;
  return {
    units: milliseconds.length,
    seconds: elapsedSeconds,
    milliseconds,
    errors,
    maxRoundTrips,
    longestResponse,
  };
}

export const perSecond = ({ units, seconds }: Measurement): number => units / seconds;

/** The duration within which this share of the units completed. A share of 0.99 gives p99. */
export function percentile(
  { milliseconds }: Pick<Measurement, "milliseconds">,
  share: number,
): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const maxOf = (a: RoundTrips, b: RoundTrips): RoundTrips => ({
  d1: Math.max(a.d1, b.d1),
  do: Math.max(a.do, b.do),
});
