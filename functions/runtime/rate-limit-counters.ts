/** How many requests of a window are wanted; a window is named by its end (epoch milliseconds). */
export type WindowRequest = Readonly<{ endsAt: number; wanted: number }>;

/**
 * Requests wanted of a limit: of the current window and, where traffic is steady, of later ones.
 */
export type LeaseRequest = Readonly<{
  limit: number;
  windowMs: number;
  windows: readonly WindowRequest[];
}>;

/** What was granted of a window; `taken` is all that was ever leased of it. */
type WindowGrant = Readonly<{ endsAt: number; granted: number; taken: number }>;

/** One entry per requested window, in the same order. */
export type Lease = readonly WindowGrant[];

/** The counters of all limits. No window ever grants more than its limit. */
export type Counters = Readonly<{
  /** @throws when the counter cannot be reached. */
  lease(name: string, request: LeaseRequest): Promise<Lease>;
}>;

/** Grants as much of a window as its limit leaves. */
export const grantFor = (
  { endsAt, wanted }: WindowRequest,
  { limit, taken }: { limit: number; taken: number },
): WindowGrant => {
  const granted = Math.max(0, Math.min(wanted, limit - taken));
  return { endsAt, granted, taken: taken + granted };
};

/** The REST endpoint of the Upstash Redis database that stores the rate-limit counters. */
export type RedisSettings = Readonly<{ url: string; token: string }>;
