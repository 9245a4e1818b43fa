import { createLeaseHolder } from "../../functions/http/rate-limits/lease-holder.ts";
import type { Limit } from "../../functions/http/rate-limits/limit-state.ts";
import type { Counters } from "../../functions/runtime/rate-limit-counters.ts";

/** A simulated isolate with its own leases and clock; it counts its round trips and failures. */
export function createIsolate(
  counters: Counters,
  now: () => number,
  settings: { timeoutMs?: number; maxHeld?: number } = {},
) {
  const { take, takeTogether } = createLeaseHolder({ timeoutMs: 20_000, ...settings });
  const made = { hops: 0, failures: [] as string[] };
  const source = {
    counters,
    now,
    onRoundTrip: () => {
      made.hops += 1;
    },
    onFailure: (_: Limit, error: unknown) => {
      made.failures.push(String(error));
    },
  };
  return {
    made,
    take: (limit: Limit) => take(limit, source),
    takeTogether: (limits: readonly Limit[], later?: readonly Limit[]) =>
      takeTogether(limits, source, later),
  };
}

export type TestIsolate = ReturnType<typeof createIsolate>;

/** Sends so many requests from each isolate at the same time and counts the admitted ones. */
export async function countAdmitted(
  isolates: readonly TestIsolate[],
  limit: Limit,
  each: number,
): Promise<number> {
  const states = await Promise.all(
    isolates.flatMap(({ take }) => Array.from({ length: each }, () => take(limit))),
  );
  return states.filter(({ isExceeded }) => !isExceeded).length;
}
