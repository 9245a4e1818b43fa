import type { Business } from "../../businesses/index.ts";
import { iso } from "../../kernel/index.ts";
import type { TableLayout } from "../../moves/index.ts";
import type { SupportMessage } from "../../support/index.ts";
import type { RowCounts } from "../job.ts";
import { exportedRows, messagesTable } from "./exported-tables.ts";
import type { FileColumn } from "./file-tables-query.ts";

/** The version of the format, which the first line of a file names. */
export const formatVersion = 1;

const toLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** The first line of a file: whose it is, and how the business is set up. */
export const headerLine = (
  { id, name, slug, mode, currency, defaultCountry, timezone, settings }: Business,
  exportedAt: number,
): string =>
  toLine({
    duka_export: formatVersion,
    exported_at: iso(exportedAt),
    business: {
      ...{ id, name, slug, mode, currency, timezone, settings },
      default_country: defaultCountry,
    },
  });

/** The line of a row, or null for a row that files do not contain. */
export function rowLine(
  table: string,
  row: Readonly<Record<string, unknown>>,
  columns: readonly FileColumn[],
): string | null {
  if (exportedRows[table]?.(row) === false) return null;
  const entries = columns.map(({ name, type }) => [name, toFileValue(row[name], type)] as const);
  return toLine({ table, row: Object.fromEntries(entries) });
}

function toFileValue(value: unknown, type: FileColumn["type"]): unknown {
  if (value === null || value === undefined) return null;
  if (type === "flag") return value === 1;
  return type === "document" ? JSON.parse(String(value)) : value;
}

/** The line of a message of a support conversation. */
export const messageLine = (
  conversationId: string,
  { id, senderType, content, attachments, createdAt }: SupportMessage,
): string =>
  toLine({
    table: messagesTable,
    row: {
      ...{ id, conversation_id: conversationId, sender_type: senderType, content, attachments },
      created_at: createdAt,
    },
  });

/** The last line. Without it a file is cut. */
export const footerLine = (counts: RowCounts): string =>
  toLine({
    end: { rows: Object.values(counts).reduce((sum, rows) => sum + rows, 0), tables: counts },
  });

/** The values of a row by column, from the JSON that SQLite built of it. */
export function toStoredRow(
  { columns }: Pick<TableLayout, "columns">,
  row: string,
): Readonly<Record<string, unknown>> {
  const values: readonly unknown[] = JSON.parse(row).flat();
  return Object.fromEntries(columns.map((name, index) => [name, values[index]]));
}
