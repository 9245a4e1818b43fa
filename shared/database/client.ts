import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import { conflict, type Meter, unavailable } from "../kernel/index.ts";
import type { Gate } from "./gate.ts";

type Source = Pick<D1Database, "prepare" | "batch">;

/** A statement that goes along with whatever is written, and fails all of it where it may not be written. */
export type Seal = Readonly<{ sql: string; params: readonly unknown[] }>;

/**
 * Opens a database whose round trips are counted, and whose outages read as 503 (retryable)
 * instead of as a bug, and so do writes of a business that is being moved. `batch` is D1's only transaction.
 *
 * @param gate what the first round trip has to pass; it costs one of its own where that is no batch.
 * @param seal what is marked together with every write.
 */
export const openDb = (
  source: Source,
  meter: Meter,
  gate: Gate | null = null,
  seal: Seal | null = null,
) => drizzle(metered(seal ? sealed(source, seal) : source, meter, gate));

export type Db = ReturnType<typeof openDb>;
export type Write = BatchItem<"sqlite">;

const writing = /^\s*(?:with\b.*\b)?(?:insert (?:or \w+ )?into|update|delete from)\b/is;

/** A database each of whose writes takes the seal along, in the same round trip and all or nothing. */
function sealed(source: Source, seal: Seal): Source {
  const writes = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  async function batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const plain = statements.map((statement) => writes.get(statement) ?? statement);
    if (!statements.some((statement) => writes.has(statement))) return source.batch<T>(plain);
    const mark = source.prepare(seal.sql).bind(...seal.params);
    const [, ...results] = await source.batch<T>([mark, ...plain]);
    return results;
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const alone = async (): Promise<D1Result<Record<string, unknown>>> => {
      const [result] = await batch<Record<string, unknown>>([wrapped]);
      if (!result) throw new Error("A statement has no result.");
      return result;
    };
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: alone,
      all: alone,
      raw: async () => (await alone()).results.map((row) => Object.values(row)),
      first: async (column?: string) => {
        const [row] = (await alone()).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    } as unknown as D1PreparedStatement; // safe: every method of D1PreparedStatement is here
    writes.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query) => (writing.test(query) ? wrap(source.prepare(query)) : source.prepare(query)),
    batch,
  };
}

function metered(source: Source, meter: Meter, gate: Gate | null): D1Database {
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const sent = <T>(ask: () => Promise<T>): Promise<T> => {
    meter.d1 += 1;
    return ask().catch(outageAsRefusal);
  };
  const alone = async (ahead: readonly D1PreparedStatement[]): Promise<D1Result[]> =>
    ahead.length > 0 ? sent(() => source.batch([...ahead])) : [];
  const counted = <T>(ask: () => Promise<T>): Promise<T> =>
    gate ? gate(source, alone).then(() => sent(ask)) : sent(ask);
  const batch = (statements: D1PreparedStatement[]): Promise<D1Result[]> => {
    const plain = statements.map((statement) => inner.get(statement) ?? statement);
    const send = (ahead: readonly D1PreparedStatement[]) =>
      sent(() => source.batch([...ahead, ...plain]));
    return gate ? gate(source, send) : send([]);
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (column?: string) =>
        counted(() => (column === undefined ? statement.first() : statement.first(column))),
      run: () => counted(() => statement.run()),
      all: () => counted(() => statement.all()),
      raw: (options?: { columnNames?: false }) => counted(() => statement.raw(options)),
    } as unknown as D1PreparedStatement; // safe: every method of D1PreparedStatement is here
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query: string) => wrap(source.prepare(query)),
    batch,
  } as unknown as D1Database; // safe: drizzle calls prepare and batch, and nothing else
}

// The texts with which D1 tells that it, and not the statement, failed (platform-facts 1.3).
const outage =
  /network connection lost|overloaded|storage caused object to be reset|code was updated|internal error|timed out|timeout|too many requests|database is locked|exceeded timeout/i;

// The word of the triggers on every table (business_fences in tables.ts).
const fenced = /business_fenced/;

// What a seal fails with (`seal` in idempotency-repo.ts).
const overtaken = /NOT NULL constraint failed: idempotency_keys\.fingerprint/;

function outageAsRefusal(error: unknown): never {
  if (overtaken.test(messageOf(error)))
    throw conflict("A repeat of this request has overtaken it; try again.", { retryable: true });
  if (fenced.test(messageOf(error)))
    throw unavailable("The business is being moved to another database; try again.");
  if (outage.test(messageOf(error))) throw unavailable("The database did not answer; try again.");
  throw error;
}

/** The error's own text and that of its causes: drizzle wraps what D1 said. */
export function messageOf(error: unknown): string {
  const texts: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause)
    texts.push(current.message);
  return texts.length > 0 ? texts.join(": ") : String(error);
}
