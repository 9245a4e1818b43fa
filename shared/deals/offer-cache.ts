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
import { offerRepo, toDealWithCoverage } from "./offer-repo.ts";

type OfferContext = Pick<Context, "db" | "business" | "now">;

type OfferRows = Awaited<ReturnType<ReturnType<typeof offerRepo>["findOffer"]>>["rows"];

export type OfferedDeals = Readonly<{
  automatic: readonly DealWithCoverage[];
  coupon: DealWithCoverage | null;
}>;

/**
 * Caches the deals that may apply to carts, for at most 5 s. They are cached by business, catalogue
 * version and coupon code.
 */
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
    { at, version, rows }: { at: number; version: number; rows: OfferRows },
  ): OfferedDeals {
    const keyPrefix = cacheKeyPrefix(business, version);
    const deals = rows.map(toDealWithCoverage);
    const offer = {
      automatic: deals.filter((deal) => deal.code === null),
      coupon: deals.find((deal) => deal.code !== null) ?? null,
    };
    automatic.put(keyPrefix, at, offer.automatic);
    if (code !== null)
      coupons.put(keyPrefix + codeKeyOf(code), at, offer.coupon ? [offer.coupon] : []);
    return offer;
  }

  return {
    /** Finds the deals for carts. Takes one round trip when they are not cached. */
    async find(ctx: OfferContext, code: string | null): Promise<OfferedDeals> {
      const cached = peek(ctx, code);
      if (cached) return cached;
      const at = ctx.now();
      const { version, rows } = await offerRepo(ctx).findOffer(code, at);
      versions.remember(ctx.business.id, at, version);
      return store(ctx, code, { at, version, rows });
    },

    /**
     * Prefetches the deals that `find` would not find in the cache, so that another catalogue read
     * can run the queries in its batch.
     */
    prefetch(ctx: OfferContext, code: string | null): readonly Prefetch[] {
      if (peek(ctx, code)) return [];
      const at = ctx.now();
      const query = offerRepo(ctx).offerQuery(code, at);
      const read = batchedRead([query], ([rows]) => rows);
      const prefetch = createPrefetch(ctx.db, read, (rows, version) =>
        store(ctx, code, { at, version, rows }),
      );
      return [requiredPrefetch(prefetch)];
    },
  };
}

const cacheKeyPrefix = ({ id }: { id: string }, version: number) => `${id} ${version} `;
