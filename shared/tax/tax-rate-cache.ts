import type { CatalogueVersionCache } from "../catalogue/index.ts";
import { batchedRead, type Context, createPrefetch, type Prefetch } from "../database/index.ts";
import { createTtlCache } from "../kernel/index.ts";
import { findPlaceRates, placeRatesQuery, toPlaceRate } from "./place-rate-repo.ts";
import type { PlaceRate } from "./place-rates.ts";
import type { TaxPlace } from "./tax-place.ts";

const maxEntries = 5_000;

type RateContext = Pick<Context, "db" | "business" | "now">;

/** Caches the rates of places by business and catalogue version, at most 5 s. */
export function createTaxRateCache(versions: CatalogueVersionCache) {
  const cache = createTtlCache<readonly PlaceRate[]>(maxEntries);

  function peek({ business, now }: RateContext, place: TaxPlace): readonly PlaceRate[] | undefined {
    const at = now();
    const version = versions.peek(business.id, at);
    return version === undefined ? undefined : cache.peek(cacheKey(business, version, place), at);
  }

  /** A read of the current rates, for the batch of another catalogue read. */
  function prefetchCurrent(ctx: RateContext, place: TaxPlace): Prefetch<readonly PlaceRate[]> {
    const at = ctx.now();
    const createRead = () =>
      batchedRead([placeRatesQuery(ctx, place)], ([rows]) => rows.map(toPlaceRate));
    return createPrefetch(ctx.db, createRead, (rates, version) =>
      cache.put(cacheKey(ctx.business, version, place), at, rates),
    );
  }

  return {
    /** Finds the rates that may apply at a place. Takes one round trip when they are not cached. */
    async find(ctx: RateContext, place: TaxPlace): Promise<readonly PlaceRate[]> {
      const cached = peek(ctx, place);
      if (cached) return cached;
      const at = ctx.now();
      const { version, rates } = await findPlaceRates(ctx, place);
      versions.remember(ctx.business.id, at, version);
      cache.put(cacheKey(ctx.business, version, place), at, rates);
      return rates;
    },

    peek,

    prefetchCurrent,
  };
}

const cacheKey = ({ id }: { id: string }, version: number, place: TaxPlace) =>
  `${id} ${version} ${place.country} ${place.regionKey} ${place.postalKey}`;
