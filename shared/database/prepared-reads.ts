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
 * Defines reads for a batch. Their SQL is built once per isolate, because building it takes longer
 * than SQLite takes to run it.
 *
 * @param build is called first with the values, then with markers in their place. It must depend on
 * nothing else, and may use a value only as a parameter or as a part of one.
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
      const markers = Object.fromEntries(names.map((name) => [name, markerOf(name)]));
      const marked = build(sqlBuilder, { ...values, ...markers });
      reads = marked.map((select) => new PreparedRead(select.prepare()));
      for (const [index, select] of build(sqlBuilder, values).entries())
        reads[index]?.assertBuilds(select.prepare().getQuery(), values);
      prepared.set(key, reads);
    }
    // Safe: the reads are in the order of their selects.
    return reads.map((read) => read.of(db, values)) as ReadsOf<Selects>;
  };
}

/** Stands for a value while the SQL is built. No request can contain a NUL. */
const markerOf = (name: string): string => `\0${name}\0`;

const marker = /\0(\w+)\0/g;

/** The SQL of a select, whose parameters have markers. */
class PreparedRead {
  readonly #built: BuiltSelect;
  readonly #query: Query;

  constructor(built: BuiltSelect) {
    this.#built = built;
    this.#query = built.getQuery();
  }

  of(db: Db, values: ReadValues): Read<unknown> {
    return new ReadOfBatch(db, this.#queryFor(values), this.#built);
  }

  /** @throws Error when the select uses a value otherwise than as a parameter or a part of one. */
  assertBuilds({ sql, params }: Query, values: ReadValues): void {
    if (JSON.stringify(this.#queryFor(values)) !== JSON.stringify({ sql, params }))
      throw new Error(`A value is changed, or is not a parameter: ${sql}`);
  }

  #queryFor(values: ReadValues): Query {
    const params = this.#query.params.map((param) =>
      typeof param === "string" && param.includes("\0")
        ? param.replace(marker, (_, name: string) => values[name] ?? "")
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
