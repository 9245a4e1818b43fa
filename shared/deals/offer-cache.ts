import type { CatalogueVersionCache } from "../catalogue/index.ts";
import {
  batchedRead,
  type Context,
  createPrefetch,
  type Prefetch,
  requiredPrefetch,
} from "../database/index.ts";
import { createTtlCache } from "../kernel/index.ts";
import { codeKeyOf, type DealWithCoverage } from "./deal.ts";
import { type OfferedDeals, offerRepo, toDealWithCoverage } from "./offer-repo.ts";

type OfferContext = Pick<Context, "db" | "business" | "now">;

type OfferRows = Awaited<ReturnType<ReturnType<typeof offerRepo>["findOffer"]>>["rows"];

/** Caches deals that may apply to carts by business, catalogue version and code, at most 5 s. */
export function createOfferCache(versions: CatalogueVersionCache) {
  const automatic = createTtlCache<readonly DealWithCoverage[]>(1_000);
  /**
   * Each value is a list with the deal of a code. The list is empty for an unknown code, so that
   * unknown codes are cached too.
   */
  const coupons = createTtlCache<readonly DealWithCoverage[]>(5_000);

  function peek({ business, now }: OfferContext, code: string | null): OfferedDeals | undefined {
    const at = now();
    const version = versions.peek(business.id, at);
    const keyPrefix = cacheKeyPrefix(business, version ?? 0);
    const automaticDeals = version === undefined ? undefined : automatic.peek(keyPrefix, at);
    const couponDeals = code === null ? [] : coupons.peek(keyPrefix + codeKeyOf(code), at);
    if (!automaticDeals || !couponDeals) return undefined;
    return { automatic: automaticDeals, coupon: couponDeals[0] ?? null };
  }

  function store(
    { business }: OfferContext,
    code: string | null,
    { at, version, offer }: { at: number; version: number; offer: OfferedDeals },
  ): void {
    const keyPrefix = cacheKeyPrefix(business, version);
    automatic.put(keyPrefix, at, offer.automatic);
    if (code !== null)
      coupons.put(keyPrefix + codeKeyOf(code), at, offer.coupon ? [offer.coupon] : []);
  }

  /** A read of the current deals, for the batch of another catalogue read. */
  function prefetchCurrent(ctx: OfferContext, code: string | null): Prefetch<OfferedDeals> {
    const at = ctx.now();
    const query = offerRepo(ctx).offerQuery(code, at);
    const read = batchedRead([query], ([rows]) => toOffer(rows));
    return createPrefetch(ctx.db, read, (offer, version) =>
      store(ctx, code, { at, version, offer }),
    );
  }

  return {
    /** Finds the deals for carts. Takes one round trip when they are not cached. */
    async find(ctx: OfferContext, code: string | null): Promise<OfferedDeals> {
      const cached = peek(ctx, code);
      if (cached) return cached;
      const at = ctx.now();
      const { version, rows } = await offerRepo(ctx).findOffer(code, at);
      versions.remember(ctx.business.id, at, version);
      const offer = toOffer(rows);
      store(ctx, code, { at, version, offer });
      return offer;
    },

    /**
     * Prefetches the deals that `find` would not find in the cache, so that another catalogue read
     * can run the queries in its batch.
     */
    prefetch: (ctx: OfferContext, code: string | null): readonly Prefetch[] =>
      peek(ctx, code) ? [] : [requiredPrefetch(prefetchCurrent(ctx, code))],

    prefetchCurrent,
  };
}

function toOffer(rows: OfferRows): OfferedDeals {
  const deals = rows.map(toDealWithCoverage);
  return {
    automatic: deals.filter((deal) => deal.code === null),
    coupon: deals.find((deal) => deal.code !== null) ?? null,
  };
}

const cacheKeyPrefix = ({ id }: { id: string }, version: number) => `${id} ${version} `;
