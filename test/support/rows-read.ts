import { env } from "cloudflare:workers";
import { vi } from "vitest";

type Meta = Readonly<{ rows_read: number; rows_written: number }>;
type Sent = Readonly<{ meta: Meta }>;
type Statement = Readonly<{ sql: string }> | string;
type Session = {
  _sendOrThrow: (
    address: string,
    query: Statement | readonly Statement[],
    ...more: unknown[]
  ) => Promise<Sent | readonly Sent[]>;
};

/** What D1 says that it read and wrote, as it is paid for: rows of tables and of indexes. */
export type PaidFor = Readonly<{
  rowsRead: number;
  rowsWritten: number;
  /** The rows that each statement read, those of its repeats added. */
  readBy: ReadonlyMap<string, number>;
}>;

/** What D1 is paid for while the work is done, whoever sends it: Workers and objects alike. */
export async function paidFor(work: () => Promise<unknown>): Promise<PaidFor> {
  const paid = { rowsRead: 0, rowsWritten: 0, readBy: new Map<string, number>() };
  const session = sessionClass();
  const send = session._sendOrThrow;
  const spy = vi.spyOn(session, "_sendOrThrow").mockImplementation(async function (
    this: Session,
    address,
    query,
    ...more
  ) {
    const sent = await send.call(this, address, query, ...more);
    const asked = [query].flat();
    for (const [index, { meta }] of [sent].flat().entries()) {
      const text = textOf(asked[index]);
      paid.rowsRead += meta.rows_read;
      paid.rowsWritten += meta.rows_written;
      paid.readBy.set(text, (paid.readBy.get(text) ?? 0) + meta.rows_read);
    }
    return sent;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return paid;
}

/** Where every statement of the runtime's own client passes, those of read sessions too. */
function sessionClass(): Session {
  const name = "_sendOrThrow";
  let prototype: object | null = env.SHOP_1.withSession();
  while (prototype !== null && !Object.hasOwn(prototype, name))
    prototype = Object.getPrototypeOf(prototype);
  if (prototype === null) throw new Error(`D1's client has no ${name}: count its rows elsewhere.`);
  return prototype as Session; // safe: it has that method
}

const textOf = (statement: Statement | undefined): string =>
  typeof statement === "string" ? statement : (statement?.sql ?? "");
