import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Columns that name a record or the order that it belongs to. A copy gets a number after them. */
const namingColumns = ["id", "order_id", "order_number", "bill_token_hash", "reference"];
/** Columns of jobs and carts, which must not take a copy for the order itself. */
const clearedColumns = ["cart_id", "cart_turn", "expires_at", "missing_provider", "address_digest"];
/** Columns of times, which become older from copy to copy. */
const timeColumns = ["created_at", "updated_at", "settled_at", "at"];
const ageOfCopyMs = 3_600_000;

const tables = ["orders", "order_lines", "order_history", "order_terms", "payments"];

/**
 * Copies the orders of a demo shop in the databases of a stopped service until it has so many.
 *
 * @returns the id of the shop.
 */
export function growOrders(stateDir: string, count: number): string {
  for (const file of globSync(join(stateDir, "v3/d1/*/*.sqlite"))) {
    const db = new DatabaseSync(file);
    try {
      const shop = findShop(db);
      if (shop === null) continue;
      const copies = Math.ceil(count / shop.orders) - 1;
      db.exec("begin");
      for (const table of tables) copyRows(db, table, { businessId: shop.id, copies });
      db.exec("commit");
      db.exec("analyze");
      return shop.id;
    } finally {
      db.close();
    }
  }
  throw new Error(`No database in ${stateDir} has orders.`);
}

function findShop(db: DatabaseSync): Readonly<{ id: string; orders: number }> | null {
  const hasOrders = db.prepare("select 1 from sqlite_master where name = 'orders'").get();
  const query =
    "select business_id as id, count(*) as orders from orders group by 1 order by 2 desc";
  const row = hasOrders && db.prepare(query).get();
  return row ? { id: String(row.id), orders: Number(row.orders) } : null;
}

function copyRows(
  db: DatabaseSync,
  table: string,
  { businessId, copies }: Readonly<{ businessId: string; copies: number }>,
): void {
  const columns = db
    .prepare("select name from pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name));
  const values = columns.map((name) => {
    if (namingColumns.includes(name)) return `original."${name}" || '-' || copy.value`;
    if (clearedColumns.includes(name)) return "null";
    if (timeColumns.includes(name)) return `original."${name}" - copy.value * ${ageOfCopyMs}`;
    return `original."${name}"`;
  });
  const ofBusiness = columns.includes("business_id")
    ? "original.business_id = ?"
    : "original.order_id in (select id from orders where business_id = ?)";
  db.prepare(
    `with recursive copy (value) as (
      select 1 union all select value + 1 from copy where value < ${copies})
    insert into ${table} select ${values.join(", ")}
    from (select * from ${table} as original where ${ofBusiness} and ${isOriginal(columns)}) as original
      cross join copy`,
  ).run(businessId);
}

/** Whether a row is none of the copies, whose ids have a hyphen. */
const isOriginal = (columns: readonly string[]): string =>
  `original.${columns.includes("order_id") ? "order_id" : "id"} not like '%-%'`;
