import { selectRows } from "./select-rows.ts";
import type { TestBusiness } from "./world.ts";

/** The tables with rows of an order, parents first, and which of their rows are the order's. */
const tables = [
  ["orders", "id = ?1"],
  ["order_lines", "order_id = ?1"],
  ["order_history", "order_id = ?1"],
  ["payments", "order_id = ?1"],
  ["payment_references", "payment_id in (select id from payments where order_id = ?1)"],
  ["sandbox_charges", "order_id = ?1"],
  ["stock_reservations", "order_id = ?1"],
] as const;

/** The place of a copy's number in the identifiers of its records. References are hexadecimal. */
const place = "####";
const identifiers = /\b(ord|li|pt|ref)_([0-9a-z]+)[0-9a-z]{5}\b/g;

/** `first` numbers the copies: those of one order must have different numbers, at most 9,999. */
type Copies = Readonly<{ first: number; count: number; expiresAt: number }>;

/**
 * Copies an unpaid order so many times, with its lines, payment, charge and reserved stock, by a few
 * statements. The copies expire at `expiresAt`.
 */
export async function copyUnpaidOrder(
  shop: TestBusiness,
  orderId: string,
  { first, count, expiresAt }: Copies,
): Promise<void> {
  const range = JSON.stringify([first, first + count - 1]);
  for (const [table, isOfOrder] of tables) {
    for (const row of await selectRows(
      shop,
      `select * from ${table} where ${isOfOrder}`,
      orderId,
    )) {
      const columns = Object.keys(row);
      const values = columns.map((column) => copiedValue(column, row[column], expiresAt));
      await selectRows(
        shop,
        `with recursive copy(n) as (select ?1 ->> 0 union all select n + 1 from copy where n < ?1 ->> 1)
          insert into ${table} (${columns.join(", ")})
          select ${columns.map((_, index) => valueSql(values[index], index)).join(", ")} from copy`,
        range,
        ...values,
      );
    }
  }
  await selectRows(
    shop,
    `update stock_levels set quantity_on_hand = quantity_on_hand + ?2 * reserved.quantity,
        quantity_reserved = quantity_reserved + ?2 * reserved.quantity
      from stock_reservations as reserved where reserved.order_id = ?1
        and stock_levels.item_id = reserved.item_id and stock_levels.location_id = reserved.location_id`,
    orderId,
    count,
  );
}

function copiedValue(column: string, value: unknown, expiresAt: number): unknown {
  if (column === "cart_id" || column === "cart_turn") return null;
  if (column === "expires_at") return expiresAt;
  if (typeof value !== "string") return value;
  const copied = value.replaceAll(identifiers, (_, kind, most) => `${kind}_${most}${place}`);
  return column === "order_number" ? `${copied}-${place}` : copied;
}

const valueSql = (value: unknown, index: number): string =>
  typeof value === "string"
    ? `replace(?${index + 2}, '${place}', printf('z%04d', n))`
    : `?${index + 2}`;
