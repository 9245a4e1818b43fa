import type { Counters, Lease, LeaseRequest } from "./counters.ts";

/** The RateLimiter object, as seen from a surface. */
export type LimiterBinding = Readonly<{
  getByName(name: string): Readonly<{ lease(request: LeaseRequest): Promise<Lease> }>;
}>;

/** Counters in Durable Objects, one for each limit. */
export const objectCounters = (binding: LimiterBinding): Counters => ({
  lease: (name, request) => binding.getByName(name).lease(request),
});
