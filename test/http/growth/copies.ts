import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../../shared/database/index.ts";
import { movedTables } from "../../../shared/moves/index.ts";

/** Tables of which a business has one row, or as many as the contract allows and no more. */
const bounded: readonly string[] = [
  "catalogue_versions",
  "order_sequences",
  "webhook_subscriptions",
];

/** Records that copies share: those of CORE, and of the bounded tables. */
const shared: readonly string[] = ["biz", "loc", "key", "whk"];

/** Columns that are unique in a business and hold no identifier. */
const unique: readonly string[] = [
  "slug",
  "code",
  "code_key",
  "order_number",
  "path",
  "email",
  "idempotency_key",
];

type Row = Record<string, unknown>;

/**
 * Makes a business larger: each record that it has is there so many times more, every copy with
 * identifiers of its own, which name each other as those of the first do. Whatever belongs to a record
 * of the first belongs to no copy, and the other way round.
 */
export async function givenCopies({ business }: CreatedBusiness, copies: number): Promise<void> {
  const shop = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  const tables = movedTables.filter(({ name }) => !bounded.includes(name));
  const found = await shop.batch<Row>(
    tables.map(({ name, owner }) =>
      shop.prepare(`select * from ${name} as kept where ${owner("kept")} = ?`).bind(business.id),
    ),
  );
  const inserts = tables.flatMap(({ name, own = [] }, index) => {
    const rows = (found[index]?.results ?? []).map((row) => without(row, own));
    return chunksOf(copiesOf(rows, copies)).map((chunk) => insertOf(shop, name, chunk));
  });
  await shop.batch(inserts);
}

const without = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));

/** The last characters number what one batch made. */
const identifiers = /\b([a-z]+)_([0-9a-z]{18,})[0-9a-z]{4}([0-9a-z]{4})\b/g;
/** Of customers, wherever they stand: with their orders, and as what those are searched for by. */
const phones = /"(\+?\d{10,15})"/g;

function copiesOf(rows: readonly Row[], copies: number): Row[] {
  const text = JSON.stringify(rows);
  return Array.from({ length: copies }, (_, copy): Row[] => {
    const number = String(copy).padStart(4, "0");
    const copied = text
      .replaceAll(identifiers, (id, kind, most, last) =>
        shared.includes(kind) ? id : `${kind}_${most}${number}${last}`,
      )
      .replaceAll(phones, (_, phone) => `"${phone}${number}"`);
    return JSON.parse(copied).map((row: Row) => apart(row, copy));
  }).flat();
}

const apart = (row: Row, copy: number): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "string" && unique.includes(column) ? `${value}-${copy}` : value,
    ]),
  );

/** A statement's parameter may have 2 MB. */
const rowsOfChunk = 500;

const chunksOf = (rows: readonly Row[]): (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / rowsOfChunk) }, (_, chunk) =>
    rows.slice(chunk * rowsOfChunk, (chunk + 1) * rowsOfChunk),
  );

function insertOf(shop: D1Database, table: string, rows: readonly Row[]): D1PreparedStatement {
  const columns = Object.keys(rows[0] ?? {});
  return shop
    .prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(", ")})
       select ${columns.map((name) => `value ->> '${name}'`).join(", ")} from json_each(?)`,
    )
    .bind(JSON.stringify(rows));
}
