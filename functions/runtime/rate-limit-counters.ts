/**
 * How many requests a window should grant. `endsAt` (epoch milliseconds) identifies the window.
 * With `upTo` it grants nothing that would bring all its grants above this number.
 */
export type WindowRequest = Readonly<{ endsAt: number; wanted: number; upTo?: number }>;

/**
 * A request for a lease: for the current window, and in advance for later windows. `part` tells the
 * limits of one counter apart; one limit of a counter may have none.
 */
export type LeaseRequest = Readonly<{
  part?: string;
  limit: number;
  windowMs: number;
  windows: readonly WindowRequest[];
}>;

/** What a window granted now, and in `taken` all requests that the window has granted so far. */
export type WindowGrant = Readonly<{ endsAt: number; granted: number; taken: number }>;

/** One entry per requested window, in the same order. */
export type Lease = readonly WindowGrant[];

/**
 * The counters of all limits. No window grants more than its limit, but after a restart of its object
 * it may grant again what it granted just before.
 */
export type Counters = Readonly<{
  /**
   * Leases requests of several limits that one counter keeps. The lease has the windows of the
   * first request, then those of the next.
   *
   * @throws when the counter cannot be reached.
   */
  lease(name: string, ...requests: readonly LeaseRequest[]): Promise<Lease>;
}>;

/** Grants the wanted requests, or as many as the window has left. */
export const grantFor = (
  { endsAt, wanted, upTo = Number.POSITIVE_INFINITY }: WindowRequest,
  { limit, taken }: { limit: number; taken: number },
): WindowGrant => {
  const granted = Math.max(0, Math.min(wanted, Math.min(limit, upTo) - taken));
  return { endsAt, granted, taken: taken + granted };
};

/** The REST endpoint of the Upstash Redis database that stores the rate-limit counters. */
export type RedisSettings = Readonly<{ url: string; token: string }>;
