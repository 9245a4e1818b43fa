import type { RoundTrips, Visitor } from "./visitor.ts";

/** One unit of a row's work: a request, or a whole sale. */
export type Unit = () => Promise<unknown>;

export type Measured = Readonly<{
  units: number;
  seconds: number;
  /** Of every unit, in the order that they ended. */
  milliseconds: readonly number[];
  errors: readonly string[];
  most: RoundTrips;
  /** Characters of the longest answer; 0 where a unit answers with none. */
  longest: number;
}>;

/**
 * Every visitor does its units one after the other, for so many seconds.
 *
 * @param turn what a visitor has to wait for before each unit; the wait is no part of the unit's duration.
 */
export async function load(
  visitors: readonly Visitor[],
  units: readonly Unit[],
  seconds: number,
  turn?: (visitor: number) => Promise<unknown>,
): Promise<Measured> {
  for (const visitor of visitors) visitor.takeRoundTrips();
  const milliseconds: number[] = [];
  const errors: string[] = [];
  let longest = 0;
  const started = performance.now();
  const until = started + seconds * 1_000;
  await Promise.all(
    units.map(async (unit, visitor) => {
      for (let now = started; now < until; ) {
        if (turn) {
          await turn(visitor);
          now = performance.now();
          if (now >= until) break;
        }
        const before = now;
        try {
          const answer = await unit();
          now = performance.now();
          if (typeof answer === "string") longest = Math.max(longest, answer.length);
          milliseconds.push(now - before);
        } catch (error) {
          now = performance.now();
          errors.push(String(error));
        }
      }
    }),
  );
  const most = visitors.map((visitor) => visitor.takeRoundTrips()).reduce(moreOf, { d1: 0, do: 0 });
  const took = (performance.now() - started) / 1_000;
  return { units: milliseconds.length, seconds: took, milliseconds, errors, most, longest };
}

/** Two measurements of one row as one. */
export const together = (a: Measured, b: Measured): Measured => ({
  units: a.units + b.units,
  seconds: a.seconds + b.seconds,
  milliseconds: [...a.milliseconds, ...b.milliseconds],
  errors: [...a.errors, ...b.errors],
  most: moreOf(a.most, b.most),
  longest: Math.max(a.longest, b.longest),
});

export const perSecond = ({ units, seconds }: Measured): number => units / seconds;

/** The duration that a share of the units, such as 0.99, stayed within. */
export function percentile(
  { milliseconds }: Pick<Measured, "milliseconds">,
  share: number,
): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const moreOf = (a: RoundTrips, b: RoundTrips): RoundTrips => ({
  d1: Math.max(a.d1, b.d1),
  do: Math.max(a.do, b.do),
});
