import { createTtlCache } from "../kernel/index.ts";

const maxBusinesses = 10_000;

export type CatalogueVersionCache = ReturnType<typeof createVersionCache>;

/**
 * The catalogue versions that an isolate has read in the last 5 s. All catalogue caches of the
 * isolate share one, so that carts and lists agree on which products are current.
 */
export function createVersionCache() {
  const versions = createTtlCache<number>(maxBusinesses);
  const newestVersion = (businessId: string, now: number, version: number) =>
    Math.max(version, versions.peek(businessId, now) ?? 0);

  return {
    /** The version, if it was read in the last 5 s. */
    peek: (businessId: string, now: number): number | undefined => versions.peek(businessId, now),

    /** Stores a version that was read at `now`. A slow read never replaces a newer version. */
    remember: (businessId: string, now: number, version: number): void =>
      versions.put(businessId, now, newestVersion(businessId, now, version)),

    /** As `peek`, and refreshes an ageing version in the background. */
    async loadCurrent(
      businessId: string,
      now: number,
      read: () => Promise<number>,
      background: (work: Promise<unknown>) => void,
    ): Promise<number | undefined> {
      if (versions.peek(businessId, now) === undefined) return undefined;
      const load = async () => newestVersion(businessId, now, await read());
      const options = { load, reload: load, background };
      return (await versions.getRevalidating(businessId, now, options)) ?? undefined;
    },
  };
}
