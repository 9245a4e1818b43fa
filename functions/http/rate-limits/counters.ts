/** What is asked of one window of a limit, named by the moment it ends (epoch milliseconds). */
export type Ask = Readonly<{ endsAt: number; wanted: number }>;

/** Requests wanted of one limit: of the window that runs and, where traffic is steady, of some to come. */
export type LeaseRequest = Readonly<{ limit: number; windowMs: number; asks: readonly Ask[] }>;

/** What a window gave; `taken` is all that was ever leased of it, by whomever. */
type Granted = Readonly<{ endsAt: number; granted: number; taken: number }>;

/** One entry for each ask, in their order. */
export type Lease = readonly Granted[];

/** Where the limits' counters are kept. However many ask at once, no window gives more than its limit. */
export type Counters = Readonly<{
  /** @throws when the counter cannot be reached. */
  lease(name: string, request: LeaseRequest): Promise<Lease>;
}>;

/** What of a window is granted of which so much is taken already. */
export const grantOf = (
  { endsAt, wanted }: Ask,
  { limit, taken }: { limit: number; taken: number },
): Granted => {
  const granted = Math.max(0, Math.min(wanted, limit - taken));
  return { endsAt, granted, taken: taken + granted };
};
