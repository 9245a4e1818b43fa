import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../../shared/database/index.ts";
import { movedTables } from "../../../shared/moves/index.ts";

/** Tables with one row per business, or with a limit on their rows. */
const tablesNotCopied: readonly string[] = [
  "catalogue_versions",
  "order_sequences",
  "webhook_subscriptions",
];

/** Id prefixes of records that copies share: those in CORE and in the tables above. */
const sharedIdPrefixes: readonly string[] = ["biz", "loc", "key", "whk"];

/** Columns without an identifier in which copies differ, such as a customer's contacts. */
const uniqueColumns: readonly string[] = [
  "slug",
  "code",
  "code_key",
  "order_number",
  "path",
  "postal_prefix",
  "email",
  "contact_digest",
  "idempotency_key",
  "postal_key",
];

type Row = Record<string, unknown>;

/**
 * Copies every record of a business so many times. Each copy has its own identifiers, and the
 * references among copied records lead to records of the same copy.
 */
export async function copyRecords({ business }: CreatedBusiness, copies: number): Promise<void> {
  const shop = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  const tables = movedTables.filter(({ name }) => !tablesNotCopied.includes(name));
  const found = await shop.batch<Row>(
    tables.map(({ name, businessIdOf: owner }) =>
      shop.prepare(`select * from ${name} as kept where ${owner("kept")} = ?`).bind(business.id),
    ),
  );
  const inserts = tables.flatMap(({ name, generatedColumns: own = [] }, index) => {
    const rows = (found[index]?.results ?? []).map((row) => without(row, own));
    return chunksOf(copyRows(rows, copies)).map((chunk) => insertStatement(shop, name, chunk));
  });
  await shop.batch(inserts);
}

const without = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));

/** The last four characters number the identifiers of one batch. */
const identifiers = /\b([a-z]+)_([0-9a-z]{18,})[0-9a-z]{4}([0-9a-z]{4})\b/g;
/** Customers' phone numbers, in their orders and search columns as well. */
const phones = /"(\+?\d{10,15})"/g;

function copyRows(rows: readonly Row[], copies: number): Row[] {
  const text = JSON.stringify(rows);
  return Array.from({ length: copies }, (_, copy): Row[] => {
    const number = String(copy).padStart(4, "0");
    const copied = text
      .replaceAll(identifiers, (id, kind, most, last) =>
        sharedIdPrefixes.includes(kind) ? id : `${kind}_${most}${number}${last}`,
      )
      .replaceAll(phones, (_, phone) => `"${phone}${number}"`);
    return JSON.parse(copied).map((row: Row) => withUniqueValues(row, copy));
  }).flat();
}

const withUniqueValues = (row: Row, copy: number): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, uniqueValue(column, value, copy)]),
  );

function uniqueValue(column: string, value: unknown, copy: number): unknown {
  if (column === "sequence") return 0; // a trigger assigns the next one
  return typeof value === "string" && uniqueColumns.includes(column) ? `${value}-${copy}` : value;
}

/** A parameter of a D1 statement may have 2 MB. */
const rowsPerStatement = 500;

const chunksOf = (rows: readonly Row[]): (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, chunk) =>
    rows.slice(chunk * rowsPerStatement, (chunk + 1) * rowsPerStatement),
  );

function insertStatement(
  shop: D1Database,
  table: string,
  rows: readonly Row[],
): D1PreparedStatement {
  const columns = Object.keys(rows[0] ?? {});
  return shop
    .prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(", ")})
       select ${columns.map((name) => `value ->> '${name}'`).join(", ")} from json_each(?)`,
    )
    .bind(JSON.stringify(rows));
}
