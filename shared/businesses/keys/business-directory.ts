import { createMeter, type Db, type Meter } from "../../database/index.ts";
import { createTtlCache, sha256 } from "../../kernel/index.ts";
import type { Business } from "../business.ts";
import type { HostOwner } from "../domains/domain.ts";
import { hostRepo } from "../domains/domain-repo.ts";
import { businessRepo } from "../repo.ts";
import { type AuthenticatedKey, authenticationRepo } from "./authentication-repo.ts";
import { parseKeyText, shouldRecordUse } from "./key.ts";

type BusinessLookup = Readonly<{
  /** Opens CORE. Round trips of background work count on a separate meter. */
  open: (meter: Meter) => Db;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
}>;

/** Longer than every id. A longer text names no business. */
const maxIdLength = 64;

/** All texts that cannot be an id are the same to the cache as an empty header. */
const withoutLongId = (requestedId: string | null): string | null =>
  requestedId !== null && requestedId.length > maxIdLength ? "" : requestedId;

/**
 * Caches businesses and keys for at most 5 s per isolate, so a revoked key or a changed setting is
 * effective everywhere within 10 s (docs/contract/conventions.md#key-revocation).
 */
export function createBusinessDirectory() {
  const keys = createTtlCache<AuthenticatedKey>(1_000);
  // A publishable key is public and may be sent with any business id. The keys that do not serve
  // the named business have a cache of their own, so that a flood of them evicts no other key.
  const refusedKeys = createTtlCache<AuthenticatedKey>(1_000);
  const businesses = createTtlCache<Business>(1_000);
  const hostOwners = createTtlCache<HostOwner>(1_000);

  return {
    /**
     * Finds a key by its text. Returns null for an invalid, unknown or revoked key.
     *
     * @param assertMayLookUp throws when the caller may not look up a key that is not cached.
     */
    async findByKey(
      keyText: string,
      sentBusinessId: string | null,
      {
        open,
        meter,
        now,
        background,
        assertMayLookUp,
      }: BusinessLookup & Readonly<{ assertMayLookUp: () => void }>,
    ): Promise<AuthenticatedKey | null> {
      if (!parseKeyText(keyText)) return null;
      const requestedBusinessId = withoutLongId(sentBusinessId);
      // An empty header is not the same as no header, so it has a separate cache entry.
      const cacheKey = requestedBusinessId === null ? keyText : `${keyText} ${requestedBusinessId}`;
      let refused = refusedKeys.peek(cacheKey, now) ?? null;
      if (refused) return refused;
      const read = async (readMeter: Meter) => {
        const result = await authenticationRepo(open(readMeter)).findByKey(
          await sha256(keyText),
          requestedBusinessId,
        );
        if (result && shouldRecordUse(result.key, now)) {
          // Runs in the background. When the update fails, the next read of the key repeats it.
          background(
            authenticationRepo(open(createMeter()))
              .recordKeyUse(result.key.id, now)
              .catch(() => {}),
          );
        }
        if (result === null || result.business !== null) return result;
        refused = result;
        refusedKeys.put(cacheKey, now, result);
        return null;
      };
      const served = await keys.getRevalidating(cacheKey, now, {
        load: async () => {
          assertMayLookUp();
          return read(meter);
        },
        reload: () => read(createMeter()),
        background,
      });
      return served ?? refused;
    },

    /** Finds a business by id, without a key. Null when no business has the id. */
    find: (
      id: string,
      { open, meter, now, background }: BusinessLookup,
    ): Promise<Business | null> =>
      businesses.getRevalidating(id, now, {
        load: () => businessRepo(open(meter)).find(id),
        reload: () => businessRepo(open(createMeter())).find(id),
        background,
      }),

    /** As `find`, by the business's slug. */
    findBySlug: (
      slug: string,
      { open, meter, now, background }: BusinessLookup,
    ): Promise<Business | null> =>
      businesses.getRevalidating(`slug ${slug}`, now, {
        load: () => businessRepo(open(meter)).findBySlug(slug),
        reload: () => businessRepo(open(createMeter())).findBySlug(slug),
        background,
      }),

    /** What a hostname leads to. Unknown names are kept too, because every request names a host. */
    findHostOwner: (
      hostname: string,
      { open, meter, now, background }: BusinessLookup,
    ): Promise<HostOwner | null> =>
      hostOwners.getRevalidating(hostname, now, {
        load: () => hostRepo(open(meter)).findOwner(hostname),
        reload: () => hostRepo(open(createMeter())).findOwner(hostname),
        background,
      }),
  };
}
