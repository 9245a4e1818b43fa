import type { BatchResponse } from "drizzle-orm/batch";
import type { Db, Write } from "./client.ts";

/** Queries that run in one D1 batch, and the function that reads their results. */
export type BatchedRead<T> = Readonly<{
  queries: readonly Write[];
  parse: (results: readonly unknown[]) => T;
}>;

export const batchedRead = <const Q extends readonly Write[], T>(
  queries: Q,
  parse: (results: BatchResponse<Q>) => T,
): BatchedRead<T> => ({
  queries,
  // Safe: a batch returns one result per query, in order, with the type of the query.
  parse: (results) => parse(results as unknown as BatchResponse<Q>),
});

/** The read with another value made from its own. */
export const mapRead = <T, V>(
  { queries, parse }: BatchedRead<T>,
  map: (value: T) => V,
): BatchedRead<V> => ({ queries, parse: (results) => map(parse(results)) });

/** Combines reads into one, whose values are in the same order. */
export const combineReads = <T>(reads: readonly BatchedRead<T>[]): BatchedRead<T[]> => ({
  queries: reads.flatMap(({ queries }) => queries),
  parse(results) {
    const resultsByRead = splitResults(reads, results);
    return reads.map(({ parse }, index) => parse(resultsByRead[index] ?? []));
  },
});

/** Runs reads in one round trip and returns their values in the same order. */
export async function readTogether<T>(db: Db, reads: readonly BatchedRead<T>[]): Promise<T[]> {
  const { queries, parse } = combineReads(reads);
  const [first, ...others] = queries;
  return parse(first ? await db.batch([first, ...others]) : []);
}

type NamedReads = Readonly<Record<string, BatchedRead<unknown>>>;
type ReadValues<R extends NamedReads> = {
  readonly [Name in keyof R]: R[Name] extends BatchedRead<infer T> ? T : never;
};

/** Runs reads in one round trip and returns their values under the same keys. */
export async function readTogetherByKey<R extends NamedReads>(
  db: Db,
  reads: R,
): Promise<ReadValues<R>> {
  const values = await readTogether(db, Object.values(reads));
  const entries = Object.keys(reads).map((name, index) => [name, values[index]]);
  return Object.fromEntries(entries) as ReadValues<R>; // safe: one value for each read, in order
}

function splitResults(
  reads: readonly Readonly<{ queries: readonly Write[] }>[],
  results: readonly unknown[],
): unknown[][] {
  const remaining = [...results];
  return reads.map(({ queries }) => remaining.splice(0, queries.length));
}

/**
 * A read that another read (the carrier) can run in its batch. A separate round trip is needed only
 * when no carrier ran the queries.
 */
export type Prefetch<T = unknown> = Readonly<{
  queries: readonly Write[];
  /**
   * True when a carrier must run its batch for this prefetch, even when it has nothing else to
   * read.
   */
  isRequired: boolean;
  /** The carrier calls this with the results of the queries and the data version of its batch. */
  receive: (results: readonly unknown[], version: number) => void;
  /** The value from a carrier's batch; undefined until a carrier has run the queries. */
  received: () => T | undefined;
  /**
   * Returns the received value. When no carrier has run the queries, reads it in a separate round
   * trip.
   */
  load: () => Promise<T>;
}>;

/**
 * Creates a prefetch of a read.
 * @param createRead is called when the queries are first needed, because building SQL takes time and
 * most prefetches are never run.
 * @param onReceive is called when a carrier ran the queries, for example to cache the value.
 */
export function createPrefetch<T>(
  db: Db,
  createRead: () => BatchedRead<T>,
  onReceive: (value: T, version: number) => void = () => {},
): Prefetch<T> {
  let created: BatchedRead<T> | null = null;
  let result: Readonly<{ value: T }> | null = null;
  const read = (): BatchedRead<T> => {
    created ??= createRead();
    return created;
  };
  return {
    get queries() {
      return read().queries;
    },
    isRequired: false,
    receive(results, version) {
      result = { value: read().parse(results) };
      onReceive(result.value, version);
    },
    received: () => result?.value,
    async load() {
      result ??= { value: read().parse(await runAlone(db, read().queries)) };
      return result.value;
    },
  };
}

async function runAlone(db: Db, [first, ...others]: readonly Write[]): Promise<unknown[]> {
  return first ? await db.batch([first, ...others]) : [];
}

/** A prefetch without queries, for a value that is already known. */
export const knownPrefetch = <T>(value: T): Prefetch<T> => ({
  queries: [],
  isRequired: false,
  receive: () => {},
  received: () => value,
  load: async () => value,
});

/** The same prefetch, but a carrier must run it, because the value is needed in any case. */
export const requiredPrefetch = <T>(prefetch: Prefetch<T>): Prefetch<T> => ({
  ...prefetch,
  isRequired: prefetch.queries.length > 0,
});

/** Passes the results of a batch to the prefetches whose queries it ran. */
export function assignPrefetchResults(
  prefetches: readonly Prefetch[],
  results: readonly unknown[],
  version: number,
): void {
  const resultsByPrefetch = splitResults(prefetches, results);
  for (const [index, { receive }] of prefetches.entries()) {
    receive(resultsByPrefetch[index] ?? [], version);
  }
}
