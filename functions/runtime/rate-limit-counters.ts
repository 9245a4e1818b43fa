/** How many requests a window should grant. `endsAt` (epoch milliseconds) identifies the window. */
export type WindowRequest = Readonly<{ endsAt: number; wanted: number }>;

/**
 * A request for a lease: for the current window and, when traffic is steady, also for later
 * windows.
 */
export type LeaseRequest = Readonly<{
  limit: number;
  windowMs: number;
  windows: readonly WindowRequest[];
}>;

/** What a window granted now, and in `taken` all requests that the window has granted so far. */
type WindowGrant = Readonly<{ endsAt: number; granted: number; taken: number }>;

/** One entry per requested window, in the same order. */
export type Lease = readonly WindowGrant[];

/** The counters of all limits. No window ever grants more than its limit. */
export type Counters = Readonly<{
  /** @throws when the counter cannot be reached. */
  lease(name: string, request: LeaseRequest): Promise<Lease>;
}>;

/** Grants the wanted requests, or as many as the window has left. */
export const grantFor = (
  { endsAt, wanted }: WindowRequest,
  { limit, taken }: { limit: number; taken: number },
): WindowGrant => {
  const granted = Math.max(0, Math.min(wanted, limit - taken));
  return { endsAt, granted, taken: taken + granted };
};

/** The REST endpoint of the Upstash Redis database that stores the rate-limit counters. */
export type RedisSettings = Readonly<{ url: string; token: string }>;
