import type { ObjectDatabase } from "../database/index.ts";
import { type Cart, type CartCoupon, type CartLine, changedLines, emptyCart } from "./cart.ts";

/** Migrations of the cart's tables in the session's own database. Only append to this list. */
export const cartMigrations: readonly string[] = [
  `create table cart (
     only_one integer primary key check (only_one = 1),
     id text not null,
     coupon text not null default 'null',
     discounts text not null default '[]',
     updated_at integer not null
   );
   create table cart_lines (
     id text primary key,
     position integer not null,
     quantity integer not null check (quantity between 1 and 100),
     configuration text not null,
     snapshot text not null
   );`,
  "alter table cart add column notices text not null default '[]';",
  "alter table cart add column tax text not null default 'null';",
  `alter table cart add column delivery text not null default 'null';
   alter table cart add column delivery_address text not null default 'null';`,
  "alter table cart_lines add column hold_expires_at integer;",
];

/** Creates the tables as `cartMigrations` leave them. */
export const createCartTables = `
  create table cart (
    only_one integer primary key check (only_one = 1),
    id text not null,
    coupon text not null default 'null',
    discounts text not null default '[]',
    updated_at integer not null,
    notices text not null default '[]',
    tax text not null default 'null',
    delivery text not null default 'null',
    delivery_address text not null default 'null'
  );
  create table cart_lines (
    id text primary key,
    position integer not null,
    quantity integer not null check (quantity between 1 and 100),
    configuration text not null,
    snapshot text not null,
    hold_expires_at integer
  );`;

/** `coupon` is a list of coupons; one coupon or null in a cart of before carts had several. */
type CartRow = Record<CartColumn, string> & { updated_at: number };

type CartColumn =
  | "id"
  | "coupon"
  | "discounts"
  | "notices"
  | "tax"
  | "delivery"
  | "delivery_address";

type LineRow = {
  id: string;
  quantity: number;
  configuration: string;
  snapshot: string;
  hold_expires_at: number | null;
};

/**
 * The cart of a session. The Durable Object is the only writer, so the cart is cached after the
 * first read, and a write stores only what changed. `firstCart()`, the cart before the first write,
 * must always return the same cart.
 */
export function cartRepo({ sql, exist }: ObjectDatabase, firstCart: () => Cart) {
  let cached: Cart | null = null;

  function load(): Cart {
    if (!exist()) return firstCart();
    const [row] = sql.exec<CartRow>("select * from cart").toArray();
    if (!row) return firstCart();
    const lines = sql
      .exec<LineRow>(
        "select id, quantity, configuration, snapshot, hold_expires_at from cart_lines order by position",
      )
      .toArray();
    return {
      ...emptyCart(row.id, row.updated_at),
      lines: lines.map(toCartLine),
      coupons: parseCoupons(row.coupon),
      discounts: parseColumn(row.discounts),
      notices: parseColumn(row.notices),
      tax: parseColumn(row.tax),
      delivery: parseColumn(row.delivery),
      deliveryAddress: parseColumn(row.delivery_address),
    };
  }

  function storeCart({ id, updatedAt, ...cart }: Cart): void {
    const { coupons, discounts, notices, tax, delivery, deliveryAddress } = cart;
    const documents = [coupons, discounts, notices, tax, delivery, deliveryAddress];
    sql.exec(
      `insert into cart (only_one, id, updated_at, coupon, discounts, notices, tax, delivery,
         delivery_address)
       values (1, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (only_one) do update set id = excluded.id, updated_at = excluded.updated_at,
         coupon = excluded.coupon, discounts = excluded.discounts, notices = excluded.notices,
         tax = excluded.tax, delivery = excluded.delivery,
         delivery_address = excluded.delivery_address`,
      id,
      updatedAt,
      ...documents.map((document) => JSON.stringify(document)),
    );
  }

  function storeLines(previous: Cart, next: Cart): void {
    const { before, after } = changedLines(previous, next);
    const remainingIds = new Set(after.map(({ id }) => id));
    const storedLines = new Map(before.map((line) => [line.id, line]));
    for (const { id } of before) {
      if (!remainingIds.has(id)) sql.exec("delete from cart_lines where id = ?", id);
    }
    for (const line of after) {
      if (storedLines.get(line.id) !== line) storeLine(line);
    }
  }

  function storeLine({ id, quantity, configuration, snapshot, holdExpiresAt }: CartLine): void {
    sql.exec(
      `insert into cart_lines (id, position, quantity, configuration, snapshot, hold_expires_at)
       values (?, (select coalesce(max(position), 0) + 1 from cart_lines), ?, ?, ?, ?)
       on conflict (id) do update set quantity = excluded.quantity, snapshot = excluded.snapshot,
         hold_expires_at = excluded.hold_expires_at`,
      id,
      quantity,
      JSON.stringify(configuration),
      JSON.stringify(snapshot),
      holdExpiresAt ?? null,
    );
  }

  return {
    get(): Cart {
      cached ??= load();
      return cached;
    },
    /** Call this inside the object's transaction. */
    save(after: Cart): void {
      const before = this.get();
      if (after === before) return;
      storeCart(after);
      storeLines(before, after);
      cached = after;
    },
    /** Drops the cached cart after a rolled-back transaction. */
    clearCache(): void {
      cached = null;
    },
  };
}

export type CartRepo = ReturnType<typeof cartRepo>;

function toCartLine({
  id,
  quantity,
  configuration,
  snapshot,
  hold_expires_at: holdExpiresAt,
}: LineRow): CartLine {
  return {
    id,
    quantity,
    configuration: parseColumn(configuration),
    snapshot: parseColumn(snapshot),
    holdExpiresAt,
  };
}

function parseCoupons(json: string): readonly CartCoupon[] {
  const stored = parseColumn<readonly CartCoupon[] | CartCoupon | null>(json);
  return [stored ?? []].flat();
}

// The cast is safe, because only `save` writes these columns.
const parseColumn = <T>(json: string): T => JSON.parse(json) as T;
