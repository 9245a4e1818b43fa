import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import {
  entriesPerLedgerPage,
  type LedgerQuery,
  type ListedCharge,
  type ProviderLedger,
} from "./ledger.ts";
import { type SandboxStatus, sandboxRepo } from "./sandbox-repo.ts";
import { sandboxCharges, sandboxRefunds } from "./tables.ts";

const chargeRow = sql<number>`sandbox_charges.rowid`;
const refundRow = sql<number>`sandbox_refunds.rowid`;

/**
 * What the test-mode provider of one shard captured and refunded. A cursor is a row id, because an
 * index by time would make every sandbox payment write another row.
 */
export const sandboxLedger = (db: Db): ProviderLedger => ({
  async listCharges(query) {
    const { reference, status, amountMinor, currency, createdAt } = sandboxCharges;
    const rows = await db
      .select({ row: chargeRow, reference, status, amountMinor, currency })
      .from(sandboxCharges)
      .where(isInPage(query, chargeRow, sql`${createdAt}`))
      .orderBy(asc(chargeRow))
      .limit(entriesPerLedgerPage);
    const entries = rows.map(({ row: _, status, ...charge }) => ({
      ...charge,
      state: chargeState(status),
    }));
    return { type: "page", entries, next: nextCursor(rows) };
  },

  async findCharge(reference) {
    const { status, amountMinor, currency } = sandboxCharges;
    const [charge] = await db
      .select({ status, amountMinor, currency })
      .from(sandboxCharges)
      .where(eq(sandboxCharges.reference, reference));
    if (!charge) return null;
    const { status: found, ...amount } = charge;
    return { reference, state: chargeState(found), ...amount };
  },

  async listRefunds(query) {
    const { refundId: id, reference, amountMinor, createdAt } = sandboxRefunds;
    const { currency } = sandboxCharges;
    const rows = await db
      .select({ row: refundRow, id, reference, amountMinor, currency })
      .from(sandboxRefunds)
      .innerJoin(sandboxCharges, eq(sandboxCharges.reference, reference))
      .where(isInPage(query, refundRow, sql`${createdAt}`))
      .orderBy(asc(refundRow))
      .limit(entriesPerLedgerPage);
    const entries = rows.map(({ row: _, ...refund }) => ({
      ...refund,
      state: "refunded" as const,
    }));
    return { type: "page", entries, next: nextCursor(rows) };
  },

  countRefunds: async ({ id }) => ((await sandboxRepo(db).findRefund(id)) === null ? 0 : 1),
});

function chargeState(status: SandboxStatus): ListedCharge["state"] {
  if (status === "captured") return "captured";
  return status === "refunded" ? "returned" : "other";
}

const isInPage = ({ from, to, cursor }: LedgerQuery, row: SQL, createdAt: SQL): SQL =>
  sql`${row} > ${Number(cursor ?? 0)} and ${createdAt} >= ${from} and ${createdAt} < ${to}`;

const nextCursor = (rows: readonly Readonly<{ row: number }>[]): string | null => {
  const last = rows.at(-1);
  return last && rows.length === entriesPerLedgerPage ? String(last.row) : null;
};
