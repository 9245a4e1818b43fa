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

const maxBusinesses = 1_000;
const maxCodes = 5_000;

/** Caches deals that may apply to carts by business, catalogue version and code, at most 5 s. */
export function createOfferCache(versions: CatalogueVersionCache) {
  const automatic = createTtlCache<readonly DealWithCoverage[]>(maxBusinesses);
  /**
   * Each value is a list with the deal of a code. The list is empty for an unknown code, so that
   * unknown codes are cached too.
   */
  const coupons = createTtlCache<readonly DealWithCoverage[]>(maxCodes);

  function peek(
    { business, now }: OfferContext,
    codes: readonly string[],
  ): OfferedDeals | undefined {
    const at = now();
    const version = versions.peek(business.id, at);
    if (version === undefined) return undefined;
    const keyPrefix = cacheKeyPrefix(business, version);
    const automaticDeals = automatic.peek(keyPrefix, at);
    const couponDeals = codes.map((code) => coupons.peek(keyPrefix + codeKeyOf(code), at));
    if (!automaticDeals || couponDeals.includes(undefined)) return undefined;
    return { automatic: automaticDeals, coupons: couponDeals.flatMap((deals) => deals ?? []) };
  }

  function store(
    { business }: OfferContext,
    codes: readonly string[],
    { at, version, offer }: { at: number; version: number; offer: OfferedDeals },
  ): void {
    const keyPrefix = cacheKeyPrefix(business, version);
    automatic.put(keyPrefix, at, offer.automatic);
    for (const code of codes) {
      const deals = offer.coupons.filter((deal) => isDealOf(deal, code));
      coupons.put(keyPrefix + codeKeyOf(code), at, deals);
    }
  }

  /** A read of the current deals, for the batch of another catalogue read. */
  function prefetchCurrent(ctx: OfferContext, codes: readonly string[]): Prefetch<OfferedDeals> {
    const at = ctx.now();
    const createRead = () =>
      batchedRead([offerRepo(ctx).offerQuery(codes, at)], ([rows]) => toOffer(rows, codes));
    return createPrefetch(ctx.db, createRead, (offer, version) =>
      store(ctx, codes, { at, version, offer }),
    );
  }

  return {
    /** Finds the deals for carts. Takes one round trip when they are not cached. */
    async find(ctx: OfferContext, codes: readonly string[]): Promise<OfferedDeals> {
      const cached = peek(ctx, codes);
      if (cached) return cached;
      const at = ctx.now();
      const { version, rows } = await offerRepo(ctx).findOffer(codes, at);
      versions.remember(ctx.business.id, at, version);
      const offer = toOffer(rows, codes);
      store(ctx, codes, { at, version, offer });
      return offer;
    },

    /**
     * Prefetches the deals that `find` would not find in the cache, so that another catalogue read
     * can run the queries in its batch.
     */
    prefetch: (ctx: OfferContext, codes: readonly string[]): readonly Prefetch[] =>
      peek(ctx, codes) ? [] : [requiredPrefetch(prefetchCurrent(ctx, codes))],

    prefetchCurrent,

    /** The deals of `find` when they are cached. */
    peek,
  };
}

/** The deals of the codes come in the order of the codes. */
function toOffer(rows: OfferRows, codes: readonly string[]): OfferedDeals {
  const deals = rows.map(toDealWithCoverage);
  return {
    automatic: deals.filter((deal) => deal.code === null),
    coupons: codes.flatMap((code) => deals.find((deal) => isDealOf(deal, code)) ?? []),
  };
}

const isDealOf = ({ code: own }: DealWithCoverage, code: string): boolean =>
  own !== null && codeKeyOf(own) === codeKeyOf(code);

const cacheKeyPrefix = ({ id }: { id: string }, version: number) => `${id} ${version} `;
