import { env } from "cloudflare:workers";
import { vi } from "vitest";

type D1Meta = Readonly<{ rows_read: number; rows_written: number }>;
type D1Response = Readonly<{ meta: D1Meta }>;
type Statement = Readonly<{ sql: string }> | string;
type D1SessionInternals = {
  _sendOrThrow: (
    address: string,
    query: Statement | readonly Statement[],
    ...others: unknown[]
  ) => Promise<D1Response | readonly D1Response[]>;
};

/** The rows of tables and indexes that D1 read and wrote, as it bills them. */
export type D1Usage = Readonly<{
  rowsRead: number;
  rowsWritten: number;
  /** The rows read by each statement, all of its executions added up. */
  rowsReadBySql: ReadonlyMap<string, number>;
  /** How often each statement ran. */
  runsBySql: ReadonlyMap<string, number>;
}>;

/** Measures what D1 bills while the work runs, in Workers and in Durable Objects. */
export async function measureD1Usage(work: () => Promise<unknown>): Promise<D1Usage> {
  const usage = {
    rowsRead: 0,
    rowsWritten: 0,
    rowsReadBySql: new Map<string, number>(),
    runsBySql: new Map<string, number>(),
  };
  const session = findSessionPrototype();
  const send = session._sendOrThrow;
  const spy = vi.spyOn(session, "_sendOrThrow").mockImplementation(async function (
    this: D1SessionInternals,
    address,
    query,
    ...others
  ) {
    const responses = await send.call(this, address, query, ...others);
    const statements = [query].flat();
    for (const [index, { meta }] of [responses].flat().entries()) {
      const sql = sqlOf(statements[index]);
      usage.rowsRead += meta.rows_read;
      usage.rowsWritten += meta.rows_written;
      usage.runsBySql.set(sql, (usage.runsBySql.get(sql) ?? 0) + 1);
      usage.rowsReadBySql.set(sql, (usage.rowsReadBySql.get(sql) ?? 0) + meta.rows_read);
    }
    return responses;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return usage;
}

/** The prototype whose method sends every statement of the runtime's D1 client, also of read sessions. */
function findSessionPrototype(): D1SessionInternals {
  const name = "_sendOrThrow";
  let prototype: object | null = env.SHOP_1.withSession();
  while (prototype !== null && !Object.hasOwn(prototype, name))
    prototype = Object.getPrototypeOf(prototype);
  if (prototype === null) throw new Error(`D1's client has no ${name}: count its rows elsewhere.`);
  return prototype as D1SessionInternals; // safe: it has the method
}

const sqlOf = (statement: Statement | undefined): string =>
  typeof statement === "string" ? statement : (statement?.sql ?? "");
