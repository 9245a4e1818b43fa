import { createMeter, createTtlCache, type Meter, sha256 } from "../kernel/index.ts";
import type { Business } from "./business.ts";
import { parseKeyText, shouldRecordUse } from "./key.ts";
import type { AuthenticatedKey, businessRepo } from "./repo.ts";

type BusinessLookup = Readonly<{
  /** Opens CORE. Background round trips count on a meter of their own. */
  open: (meter: Meter) => ReturnType<typeof businessRepo>;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
}>;

/**
 * Caches businesses and keys for at most 5 s per isolate, so a revoked key or a changed setting is
 * effective everywhere within 10 s (docs/contract/conventions.md#key-revocation).
 */
export function createBusinessDirectory() {
  const keys = createTtlCache<AuthenticatedKey>(1_000);
  const businesses = createTtlCache<Business>(1_000);

  return {
    /**
     * Returns null for an invalid, unknown or revoked key.
     *
     * @param assertMayLookUp throws when the caller may not have an uncached key looked up.
     */
    async findByKey(
      keyText: string,
      requestedBusinessId: string | null,
      {
        open,
        meter,
        now,
        background,
        assertMayLookUp,
      }: BusinessLookup & Readonly<{ assertMayLookUp: () => void }>,
    ): Promise<AuthenticatedKey | null> {
      if (!parseKeyText(keyText)) return null;
      const read = async (readMeter: Meter) => {
        const result = await open(readMeter).findByKey(await sha256(keyText), requestedBusinessId);
        if (result && shouldRecordUse(result.key, now)) {
          // Runs in the background; a lost update is repeated by the next read.
          background(
            open(createMeter())
              .recordKeyUse(result.key.id, now)
              .catch(() => {}),
          );
        }
        return result;
      };
      // An empty header also names a business, so it has a cache entry of its own.
      const cacheKey = requestedBusinessId === null ? keyText : `${keyText} ${requestedBusinessId}`;
      return keys.getRevalidating(cacheKey, now, {
        load: async () => {
          assertMayLookUp();
          return read(meter);
        },
        reload: () => read(createMeter()),
        background,
      });
    },

    /** Finds a business by id, without a key; null for an unknown one. */
    find: (
      id: string,
      { open, meter, now, background }: BusinessLookup,
    ): Promise<Business | null> =>
      businesses.getRevalidating(id, now, {
        load: () => open(meter).find(id),
        reload: () => open(createMeter()).find(id),
        background,
      }),
  };
}
