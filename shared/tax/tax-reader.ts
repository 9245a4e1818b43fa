import { loginOf, taxExemptionQuery } from "../customers/index.ts";
import {
  batchedRead,
  type Context,
  createPrefetch,
  knownPrefetch,
  type Prefetch,
  requiredPrefetch,
} from "../database/index.ts";
import type { PlaceRate, TaxTerms } from "./place-rates.ts";
import type { TaxPlace } from "./tax-place.ts";
import type { createTaxRateCache } from "./tax-rate-cache.ts";

/** Reads the taxes of a session's carts and checkouts. */
export type TaxReader = Readonly<{
  /**
   * Prefetches what `find` would not find for these places. The exemption of the customer in
   * `known` is read again only when another read runs anyway.
   */
  prefetch: (places: readonly TaxPlace[], known: TaxTerms | null) => readonly Prefetch[];
  /** Finds the rates of a place, at most 5 s old, and whether the customer is exempt. */
  find: (place: TaxPlace, known: TaxTerms | null) => Promise<TaxTerms>;
  /**
   * Reads of the same from the database, for the batch of another catalogue read. A checkout that
   * is resumed names the customer who ordered, because the session's login may have changed since.
   */
  prefetchCurrent: (
    place: TaxPlace,
    orderCustomerId: string | null,
  ) => Readonly<{
    prefetches: readonly Prefetch[];
    load: () => Promise<TaxTerms>;
  }>;
}>;

/**
 * Creates the reader of the taxes of one call. Only a login makes a customer exempt, because anybody
 * can state the contact of an exempt one.
 */
export function createTaxReader(
  ctx: Pick<Context, "db" | "business" | "now" | "actor">,
  rates: ReturnType<typeof createTaxRateCache>,
): TaxReader {
  const customerId = loginOf(ctx.actor)?.customerId ?? null;
  const prefetchExemption = (id: string | null): Prefetch<boolean> =>
    id === null
      ? knownPrefetch(false)
      : createPrefetch(ctx.db, () =>
          batchedRead([taxExemptionQuery(ctx, id)], ([[row]]) => row?.isTaxExempt === true),
        );
  const exemption = prefetchExemption(customerId);
  const knownExemption = (known: TaxTerms | null): boolean | undefined =>
    exemption.received() ?? (known?.customerId === customerId ? known.isExempt : undefined);
  const isExempt = async (known: TaxTerms | null): Promise<boolean> =>
    knownExemption(known) ?? (await exemption.load());

  // What was cached when the call began stays usable: another read of the same call may find a newer
  // catalogue version, under which nothing is cached.
  const received = new Map<string, () => readonly PlaceRate[] | undefined>();

  function prefetchRates(place: TaxPlace): readonly Prefetch[] {
    const cached = rates.peek(ctx, place);
    if (cached) {
      received.set(JSON.stringify(place), () => cached);
      return [];
    }
    const prefetch = rates.prefetchCurrent(ctx, place);
    received.set(JSON.stringify(place), prefetch.received);
    return [requiredPrefetch(prefetch)];
  }

  return {
    prefetch: (places, known) => [
      ...places.flatMap(prefetchRates),
      knownExemption(known) === undefined ? requiredPrefetch(exemption) : exemption,
    ],

    find: async (place, known) => ({
      place,
      customerId,
      isExempt: await isExempt(known),
      rates: received.get(JSON.stringify(place))?.() ?? (await rates.find(ctx, place)),
    }),

    prefetchCurrent(place, orderCustomerId) {
      const ofPlace = rates.prefetchCurrent(ctx, place);
      const ofCustomer = prefetchExemption(orderCustomerId);
      return {
        prefetches: [ofPlace, ofCustomer],
        load: async () => ({
          place,
          customerId: orderCustomerId,
          isExempt: await ofCustomer.load(),
          rates: await ofPlace.load(),
        }),
      };
    },
  };
}
