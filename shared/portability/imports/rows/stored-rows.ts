import { storedDefaults } from "../../format/file-tables-query.ts";
import type { FileRow } from "./file-reader.ts";
import type { NewIds, ReplaceIds } from "./new-ids.ts";

type SqlValue = string | number | null;
type StoredRow = Readonly<Record<string, SqlValue>>;
/** A row of a file with what is stored of it. */
export type ReadRow = Readonly<{ source: FileRow; stored: StoredRow }>;
type FileValues = Readonly<Record<string, unknown>>;
type Words = NewIds["wordFor"];

/** The provider of what the business collects itself. Another account took the imported payments. */
const ownCollection = "cash";

/** A charge that is under way at an account that this deployment does not have. */
const openStatuses: readonly unknown[] = ["requires_action", "processing", "failed"];
const settledStatuses: readonly unknown[] = ["captured", "partially_refunded", "refunded"];

const closedStatus = (status: unknown) => (openStatuses.includes(status) ? "pending" : status);

const referenceFor = async (words: Words, reference: unknown): Promise<string | null> =>
  typeof reference === "string" ? `ref_${(await words(reference)).slice(0, 40)}` : null;

/** A session that nobody has, in place of the one that placed the order. */
const sessionOf = (orderId: unknown): string => String(orderId).replace(/^[a-z]+_/, "ses_");

/**
 * What an import changes of a table's rows, so that nothing is charged, sent or opened for them
 * (docs/contract/business.md#import-changes). `row` has its new ids already.
 */
const changes: Readonly<
  Record<string, (row: FileValues, words: Words) => Promise<FileValues> | FileValues>
> = {
  orders: async (row, words) => ({
    bill_token_hash: await words(String(row.id)),
    session_id: sessionOf(row.id),
    payment_status: closedStatus(row.payment_status),
  }),
  payments: async (row, words) => ({
    session_id: sessionOf(row.order_id),
    next_action: { type: "none" },
    provider: ownCollection,
    reference: await referenceFor(words, row.reference),
    status: closedStatus(row.status),
    receipt:
      settledStatuses.includes(row.status) && row.provider !== ownCollection
        ? (row.receipt ?? { method: row.method, reference: row.reference })
        : row.receipt,
  }),
  payment_references: async (row, words) => ({
    reference: await referenceFor(words, row.reference),
    provider: row.provider === null ? null : ownCollection,
    provider_reference: null,
  }),
  refunds: async (row, words) => ({
    reference: await referenceFor(words, row.reference),
    ...(row.status === "pending" && { status: "refund_due", due_at: null }),
  }),
  subscriptions: async (row, words) => ({
    last_reference: await referenceFor(words, row.last_reference),
    ...(row.status !== "cancelled" && {
      status: "paused",
      due_at: row.ends_at,
      attempts: 0,
      failed_at: null,
      failure_reason: null,
      asked_at: null,
    }),
  }),
};

/** The rows as this deployment stores them: with new ids, of the business, without what is due. */
export async function toStoredRows(
  rows: readonly FileRow[],
  { ids, businessId }: Readonly<{ ids: NewIds; businessId: string }>,
): Promise<readonly ReadRow[]> {
  const replaceIds = await ids.prepare(rows.map(({ row }) => row));
  return Promise.all(
    rows.map(async (source) => ({
      source,
      stored: await toStoredRow(source, { replaceIds, ids, businessId }),
    })),
  );
}

async function toStoredRow(
  { table, row }: FileRow,
  {
    replaceIds,
    ids,
    businessId,
  }: Readonly<{ replaceIds: ReplaceIds; ids: NewIds; businessId: string }>,
): Promise<StoredRow> {
  const own = replaceIds(row);
  const changed = { ...own, ...(await changes[table]?.(own, ids.wordFor)) };
  const values = Object.entries(changed).filter(([, value]) => value !== undefined);
  return {
    ...storedDefaults.get(table),
    ...Object.fromEntries(values.map(([name, value]) => [name, toSqlValue(value)])),
    business_id: businessId,
  };
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : JSON.stringify(value);
}
