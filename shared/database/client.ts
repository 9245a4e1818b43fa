import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { BatchGuard } from "./batch-guard.ts";
import { outageRefusal } from "./outages.ts";

/** The number of round trips of one request, which is reported as Server-Timing. */
export type Meter = { d1: number; do: number; lease: number };

export const createMeter = (): Meter => ({ d1: 0, do: 0, lease: 0 });

type Source = Pick<D1Database, "prepare" | "batch">;

/**
 * A statement that is added to every batch of writes. It fails the batch when another run has taken
 * over the request's idempotency record.
 */
export type IdempotencyMark = Readonly<{ sql: string; params: readonly unknown[] }>;

/**
 * Opens a database that counts its round trips. Outages, and writes of a business that is being
 * moved, are thrown as SERVICE_UNAVAILABLE.
 *
 * @param guard must succeed before the first query. It runs in the first batch, or in a separate
 * round trip when the first query is not in a batch.
 * @param mark is added to every write.
 */
export const openDb = (
  source: Source,
  meter: Meter,
  guard: BatchGuard | null = null,
  mark: IdempotencyMark | null = null,
) =>
  drizzle(
    withMeter(mark ? withMark(source, mark) : source, {
      meter,
      guard,
      name: databaseNames.get(source) ?? "CORE",
    }),
  );

export type Db = ReturnType<typeof openDb>;
export type Write = BatchItem<"sqlite">;

const writeStatement = /^\s*(?:with\b.*\b)?(?:insert (?:or \w+ )?into|update|delete from)\b/is;

/** Adds the mark to every write, in the same transaction. */
function withMark(source: Source, mark: IdempotencyMark): Source {
  const writes = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  async function batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const plain = statements.map((statement) => writes.get(statement) ?? statement);
    if (!statements.some((statement) => writes.has(statement))) return source.batch<T>(plain);
    const markStatement = source.prepare(mark.sql).bind(...mark.params);
    const [, ...results] = await source.batch<T>([markStatement, ...plain]);
    return results;
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const runAlone = async (): Promise<D1Result<Record<string, unknown>>> => {
      const [result] = await batch<Record<string, unknown>>([wrapped]);
      if (!result) throw new Error("A statement has no result.");
      return result;
    };
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: runAlone,
      all: runAlone,
      raw: async () => (await runAlone()).results.map((row) => Object.values(row)),
      first: async (column?: string) => {
        const [row] = (await runAlone()).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    } as unknown as D1PreparedStatement; // safe: every method of D1PreparedStatement is here
    writes.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query) =>
      writeStatement.test(query) ? wrap(source.prepare(query)) : source.prepare(query),
    batch,
  };
}

type Metering = Readonly<{ meter: Meter; guard: BatchGuard | null; name: string }>;

function withMeter(source: Source, { meter, guard, name }: Metering): D1Database {
  const statements = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const send = <T>(run: () => Promise<T>): Promise<T> => {
    meter.d1 += 1;
    return run().catch((error: unknown) => {
      throw outageRefusal(error, name);
    });
  };
  const runAlone = async (ahead: readonly D1PreparedStatement[]): Promise<D1Result[]> =>
    ahead.length > 0 ? send(() => source.batch([...ahead])) : [];
  const runCounted = <T>(run: () => Promise<T>): Promise<T> =>
    guard ? guard(source, runAlone).then(() => send(run)) : send(run);
  const batch = (batched: D1PreparedStatement[]): Promise<D1Result[]> => {
    const plain = batched.map((statement) => statements.get(statement) ?? statement);
    const sendBatch = (ahead: readonly D1PreparedStatement[]) =>
      send(() => source.batch([...ahead, ...plain]));
    return guard ? guard(source, sendBatch) : sendBatch([]);
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (column?: string) =>
        runCounted(() => (column === undefined ? statement.first() : statement.first(column))),
      run: () => runCounted(() => statement.run()),
      all: () => runCounted(() => statement.all()),
      raw: (options?: { columnNames?: false }) => runCounted(() => statement.raw(options)),
    } as unknown as D1PreparedStatement; // safe: every method of D1PreparedStatement is here
    statements.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query: string) => wrap(source.prepare(query)),
    batch,
  } as unknown as D1Database; // safe: drizzle calls prepare and batch, and nothing else
}

/** The shards by binding name, such as `SHOP_1`. */
export type Shards = Readonly<Record<string, D1Database>>;

/**
 * Opens all shards. To get the database of a business, call `shopOf`.
 *
 * @param settings `SHOP_SHARDS`: the binding names, separated by commas.
 */
export function shardsOf(bindings: object, settings: string): Shards {
  const cached = shardsByBindings.get(bindings);
  if (cached?.settings === settings) return cached.shards;
  const shards = openShards(bindings, settings);
  shardsByBindings.set(bindings, { settings, shards });
  return shards;
}

// Cached, because every request needs the shards and the bindings of a Worker never change.
const shardsByBindings = new WeakMap<object, Readonly<{ settings: string; shards: Shards }>>();

function openShards(bindings: object, settings: string): Shards {
  const names = settings
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const bindingsByName = new Map(Object.entries(bindings));
  return Object.fromEntries(
    names.map((name) => {
      const shard = requireDatabase(bindingsByName.get(name), name);
      databaseNames.set(shard, name);
      return [name, shard];
    }),
  );
}

/** The names of the shards that were opened, for the log. */
const databaseNames = new WeakMap<Source, string>();

/** The shard that stores the data of a business. */
export function shopOf(shards: Shards, business: { shard: string }): D1Database {
  return requireDatabase(shards[business.shard], business.shard);
}

function requireDatabase(binding: unknown, name: string): D1Database {
  if (isDatabase(binding)) return binding;
  throw new Error(`SHOP_SHARDS names ${name}, but there is no D1 binding of that name.`);
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "prepare" in binding && "batch" in binding;
