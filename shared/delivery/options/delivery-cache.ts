import { type CatalogueVersionCache, catalogueVersionQuery } from "../../catalogue/index.ts";
import {
  type BatchedRead,
  type Context,
  createPrefetch,
  type Prefetch,
  requiredPrefetch,
} from "../../database/index.ts";
import { comparableText, createTtlCache } from "../../kernel/index.ts";
import type { DeliveryPlace } from "../zones/area.ts";
import { type DeliveryOffer, deliveryOfferRead } from "./delivery-offer-query.ts";
import {
  type LocationStock,
  locationStockRead,
  type StockRequest,
} from "./location-stock-query.ts";

type DeliveryReader = Pick<Context, "db" | "business" | "now">;

/** A read through the cache, for one call. */
type CachedRead<K, V> = Readonly<{
  /** Takes one round trip when the value is neither cached nor prefetched. */
  find: (key: K) => Promise<V>;
  /** Prefetches the value unless it is cached. The carrier must run the query. */
  prefetch: (key: K) => readonly Prefetch[];
  /** As `prefetch`, but the carrier runs the query only when it has others to run. */
  prefetchAlong: (key: K) => readonly Prefetch[];
  /** The value if it is cached or was prefetched. */
  known: (key: K) => V | undefined;
  /** A read from the database and not from the cache, for the batch of another read. */
  prefetchCurrent: (key: K) => Prefetch<V>;
}>;

/** What is read about the delivery of one business. */
export type DeliveryReads = Readonly<{
  /** What is offered for a place. */
  offers: CachedRead<DeliveryPlace | null, DeliveryOffer>;
  /** The stock of products at each location. */
  stock: CachedRead<StockRequest, LocationStock>;
}>;

/** Caches reads by business, catalogue version and key, at most 5 s. */
export function createDeliveryCache(versions: CatalogueVersionCache) {
  const offers = createReadCache(versions, { keyOf: placeKey, readOf: deliveryOfferRead });
  const stock = createReadCache(versions, { keyOf: stockKey, readOf: locationStockRead });
  return (reader: DeliveryReader): DeliveryReads => ({
    offers: offers(reader),
    stock: stock(reader),
  });
}

const placeKey = (place: DeliveryPlace | null): string =>
  place === null
    ? ""
    : JSON.stringify([
        place.country,
        comparableText(place.region),
        comparableText(place.postalCode),
      ]);

const stockKey = ({ productIds, releasedOrderIds }: StockRequest): string =>
  [productIds, releasedOrderIds].map((ids) => [...new Set(ids)].sort().join(" ")).join();

const maxEntries = 2_000;

type ReadDefinition<K, V> = Readonly<{
  keyOf: (key: K) => string;
  readOf: (reader: DeliveryReader, key: K) => BatchedRead<V>;
}>;

function createReadCache<K, V>(
  versions: CatalogueVersionCache,
  { keyOf, readOf }: ReadDefinition<K, V>,
) {
  const cache = createTtlCache<Readonly<{ value: V }>>(maxEntries);
  const cacheKey = ({ business }: DeliveryReader, version: number, key: K) =>
    `${business.id} ${version} ${keyOf(key)}`;

  function peek(reader: DeliveryReader, key: K): Readonly<{ value: V }> | undefined {
    const at = reader.now();
    const version = versions.peek(reader.business.id, at);
    return version === undefined ? undefined : cache.peek(cacheKey(reader, version, key), at);
  }

  function prefetchCurrent(reader: DeliveryReader, key: K): Prefetch<V> {
    const at = reader.now();
    const createRead = () => readOf(reader, key);
    return createPrefetch(reader.db, createRead, (value, version) =>
      cache.put(cacheKey(reader, version, key), at, { value }),
    );
  }

  async function load(reader: DeliveryReader, key: K): Promise<V> {
    const { db, business } = reader;
    const at = reader.now();
    const { queries, parse } = readOf(reader, key);
    const [versionRows, ...results] = await db.batch([
      catalogueVersionQuery(db, business.id),
      ...queries,
    ]);
    const version = versionRows[0]?.version ?? 0;
    const value = parse(results);
    versions.remember(business.id, at, version);
    cache.put(cacheKey(reader, version, key), at, { value });
    return value;
  }

  return (reader: DeliveryReader): CachedRead<K, V> => {
    // What was cached when it was prefetched stays usable: another read of the same call may find a
    // newer catalogue version, under which nothing is cached.
    const received = new Map<string, () => Readonly<{ value: V }> | undefined>();

    function registerCurrent(key: K): Prefetch<V> {
      const prefetch = prefetchCurrent(reader, key);
      received.set(keyOf(key), () => {
        const value = prefetch.received();
        return value === undefined ? undefined : { value };
      });
      return prefetch;
    }

    function prefetchAlong(key: K): readonly Prefetch[] {
      const cached = peek(reader, key);
      if (!cached) return [registerCurrent(key)];
      received.set(keyOf(key), () => cached);
      return [];
    }

    const known = (key: K) => received.get(keyOf(key))?.() ?? peek(reader, key);

    return {
      async find(key) {
        const found = known(key);
        return found ? found.value : load(reader, key);
      },
      prefetch: (key) => prefetchAlong(key).map(requiredPrefetch),
      prefetchAlong,
      known: (key) => known(key)?.value,
      prefetchCurrent: registerCurrent,
    };
  };
}
