import type { Counters } from "../../functions/http/rate-limits/counters.ts";
import { type Limit, leaseHolder } from "../../functions/http/rate-limits/lease-holder.ts";

/** An isolate as the limits know it: what it holds, its clock, the hops that it made. */
export function isolate(
  counters: Counters,
  now: () => number,
  settings: { timeoutMs?: number; maxHeld?: number } = {},
) {
  const { take } = leaseHolder({ timeoutMs: 20_000, ...settings });
  const made = { hops: 0, failures: [] as string[] };
  const source = {
    counters,
    now,
    onHop: () => {
      made.hops += 1;
    },
    onFailure: (_: Limit, error: unknown) => {
      made.failures.push(String(error));
    },
  };
  return { made, take: (limit: Limit) => take(limit, source) };
}

export type Isolate = ReturnType<typeof isolate>;

/** How many of so many requests at once every isolate lets through, all of them together. */
export async function admitted(
  isolates: readonly Isolate[],
  limit: Limit,
  each: number,
): Promise<number> {
  const states = await Promise.all(
    isolates.flatMap(({ take }) => Array.from({ length: each }, () => take(limit))),
  );
  return states.filter(({ isExceeded }) => !isExceeded).length;
}
