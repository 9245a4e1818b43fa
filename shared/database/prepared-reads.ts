import type { Query } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Db } from "./client.ts";

/** What a prepared read is about: the ids and texts that its query has as parameters. */
type ReadValues = Readonly<Record<string, string | null>>;

/** A query for a batch, with the type of its result. */
export type Read<T> = RunnableQuery<T, "sqlite">;

/** What Drizzle has built of a select. */
type BuiltSelect = Readonly<{
  getQuery(): Query;
  mapResult(response: unknown, isFromBatch: boolean): unknown;
}>;

type Select = Read<unknown> & Readonly<{ prepare(): BuiltSelect }>;

type ReadsOf<Selects extends readonly Select[]> = {
  readonly [Index in keyof Selects]: Read<Selects[Index]["_"]["result"]>;
};

/** Builds SQL, and is never asked to run it, so that no request's database is kept. */
const sqlBuilder: Db = drizzle(
  { prepare: () => null } as unknown as D1Database, // safe: building SQL calls nothing else
);

/**
 * Defines reads of a batch, which cannot run alone. An isolate keeps their SQL, because building it
 * takes longer than SQLite takes to run it.
 *
 * @param build is called for the first values, with markers in their place and, to compare, with the
 * values. It must depend on nothing else that changes, and may use a value only as a parameter or as a
 * part of one.
 */
export function prepareReads<Values extends ReadValues, const Selects extends readonly Select[]>(
  build: (db: Db, values: Values) => Selects,
): (db: Db, values: Values) => ReadsOf<Selects> {
  /** The reads for each set of values that are not null. */
  const prepared = new Map<string, readonly PreparedRead[]>();
  return (db, values) => {
    const names = Object.keys(values).filter((name) => values[name] !== null);
    const key = names.join();
    let reads = prepared.get(key);
    if (reads === undefined) {
      const built = build(sqlBuilder, values).map((select) => select.prepare().getQuery());
      const markers = createMarkers(built);
      const marked = Object.fromEntries(names.map((name) => [name, markers.markerOf(name)]));
      const selects = build(sqlBuilder, { ...values, ...marked });
      reads = selects.map((select) => new PreparedRead(select.prepare(), markers));
      for (const [index, read] of reads.entries()) read.assertSameQuery(built[index], values);
      prepared.set(key, reads);
    }
    // Safe: the reads are in the order of their selects.
    return reads.map((read) => read.createFor(db, values)) as ReadsOf<Selects>;
  };
}

/** Texts that stand for values while SQL is built. */
type Markers = Readonly<{ markerOf(name: string): string; pattern: RegExp }>;

/**
 * Creates markers that no parameter of the queries contains, also when it is a caller's text. A NUL
 * shows that a value was written into JSON, which escapes it.
 */
function createMarkers(queries: readonly Query[]): Markers {
  const texts = queries.flatMap(({ params }) => params).map(String);
  let start = "\0";
  while (texts.some((text) => text.includes(start))) start += "\0";
  return {
    markerOf: (name) => `${start}${name}\0`,
    pattern: new RegExp(`${start}(\\w+)\0`, "g"),
  };
}

/** The SQL of a select, whose parameters contain markers. */
class PreparedRead {
  readonly #built: BuiltSelect;
  readonly #query: Query;
  readonly #marker: RegExp;

  constructor(built: BuiltSelect, { pattern }: Markers) {
    this.#built = built;
    this.#query = built.getQuery();
    this.#marker = pattern;
  }

  createFor(db: Db, values: ReadValues): Read<unknown> {
    return new ReadOfBatch(db, this.#queryFor(values), this.#built);
  }

  /** @throws Error when the select uses a value otherwise than as a parameter or a part of one. */
  assertSameQuery(expected: Query | undefined, values: ReadValues): void {
    const { sql, params } = this.#queryFor(values);
    const isSame =
      sql === expected?.sql && JSON.stringify(params) === JSON.stringify(expected.params);
    if (!isSame) throw new Error(`A value is changed, or is not a parameter: ${sql}`);
  }

  #queryFor(values: ReadValues): Query {
    const params = this.#query.params.map((param) =>
      typeof param === "string"
        ? param.replace(this.#marker, (_, name: string) => values[name] ?? "")
        : param,
    );
    return { sql: this.#query.sql, params };
  }
}

class ReadOfBatch implements Read<unknown> {
  declare readonly _: Read<unknown>["_"];
  readonly #db: Db;
  readonly #query: Query;
  readonly #built: BuiltSelect;

  constructor(db: Db, query: Query, built: BuiltSelect) {
    this.#db = db;
    this.#query = query;
    this.#built = built;
  }

  /** Drizzle calls it for each query of a batch. */
  _prepare() {
    return {
      getQuery: () => this.#query,
      stmt: this.#db.$client.prepare(this.#query.sql),
      mapResult: (response: unknown) => this.#built.mapResult(response, true),
    };
  }
}
