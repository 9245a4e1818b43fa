import type { MetricsBindings } from "./metrics/hand-over.ts";
import type { Lease, LeaseRequest } from "./rate-limit-counters.ts";

/**
 * Tells the background Worker that a business has outbox rows to deliver. Does not contain the
 * events.
 */
export type OutboxWakeup = Readonly<{ businessId: string; shard: string }>;

/** The binding of the RateLimiter objects. */
export type LimiterBinding = Readonly<{
  getByName(
    name: string,
  ): Readonly<{ lease(...requests: readonly LeaseRequest[]): Promise<Lease> }>;
}>;

/** The bindings that every HTTP API needs; a Worker may have more. */
export type ApiBindings = MetricsBindings &
  Readonly<{
    CORE: D1Database;
    EVENTS: Queue<OutboxWakeup>;
    RATE_LIMITER: LimiterBinding;
  }>;
