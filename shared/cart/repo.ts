import type { OwnTables } from "../database/index.ts";
import { type Cart, type CartLine, differing, emptyCart } from "./cart.ts";

/** The cart's tables in its session's own database; append-only, run once each. */
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
];

/** Lines of before a line could name a location or a billing plan, and was explained in parts. */
export const linesWithLocation: readonly string[] = [
  `update cart_lines set
     configuration = json_set(configuration, '$.locationId', null, '$.billingPlanId', null),
     snapshot = json_set(snapshot, '$.parts', json('[]'))
   where json_type(configuration, '$.locationId') is null;
   update cart_lines set snapshot = json_set(snapshot, '$.lock.parts', json('[]'))
   where json_type(snapshot, '$.lock') = 'object' and json_type(snapshot, '$.lock.parts') is null;`,
];

type CartRow = { id: string; coupon: string; discounts: string; updated_at: number };

type LineRow = { id: string; quantity: number; configuration: string; snapshot: string };

/**
 * The one cart of a session. It is read from storage once and then kept, since its object is its
 * only writer; a write stores what changed. Before the first write it is `firstCart`, which must be
 * the same however often it is made.
 */
export function cartRepo({ sql, exist }: OwnTables, firstCart: () => Cart) {
  let kept: Cart | null = null;

  function load(): Cart {
    if (!exist()) return firstCart();
    const [row] = sql.exec<CartRow>("select id, coupon, discounts, updated_at from cart").toArray();
    if (!row) return firstCart();
    const lines = sql
      .exec<LineRow>(
        "select id, quantity, configuration, snapshot from cart_lines order by position",
      )
      .toArray();
    return {
      ...emptyCart(row.id, row.updated_at),
      lines: lines.map(lineFromRow),
      coupon: parsed(row.coupon),
      discounts: parsed(row.discounts),
    };
  }

  function storeCart({ id, coupon, discounts, updatedAt }: Cart): void {
    sql.exec(
      `insert into cart (only_one, id, coupon, discounts, updated_at) values (1, ?, ?, ?, ?)
       on conflict (only_one) do update set id = excluded.id, coupon = excluded.coupon,
         discounts = excluded.discounts, updated_at = excluded.updated_at`,
      id,
      JSON.stringify(coupon),
      JSON.stringify(discounts),
      updatedAt,
    );
  }

  function storeLines(was: Cart, is: Cart): void {
    const { before, after } = differing(was, is);
    const staying = new Set(after.map(({ id }) => id));
    const known = new Map(before.map((line) => [line.id, line]));
    for (const { id } of before) {
      if (!staying.has(id)) sql.exec("delete from cart_lines where id = ?", id);
    }
    for (const line of after) {
      if (known.get(line.id) !== line) storeLine(line);
    }
  }

  function storeLine({ id, quantity, configuration, snapshot }: CartLine): void {
    sql.exec(
      `insert into cart_lines (id, position, quantity, configuration, snapshot)
       values (?, (select coalesce(max(position), 0) + 1 from cart_lines), ?, ?, ?)
       on conflict (id) do update set quantity = excluded.quantity, snapshot = excluded.snapshot`,
      id,
      quantity,
      JSON.stringify(configuration),
      JSON.stringify(snapshot),
    );
  }

  return {
    get(): Cart {
      kept ??= load();
      return kept;
    },
    /** To be called inside the object's transaction. */
    save(after: Cart): void {
      const before = this.get();
      if (after === before) return;
      storeCart(after);
      storeLines(before, after);
      kept = after;
    },
    /** Forgets what is kept, for when a transaction was undone. */
    forget(): void {
      kept = null;
    },
  };
}

export type CartRepo = ReturnType<typeof cartRepo>;

function lineFromRow({ id, quantity, configuration, snapshot }: LineRow): CartLine {
  return { id, quantity, configuration: parsed(configuration), snapshot: parsed(snapshot) };
}

// Safe: these columns hold nothing but what a save put there.
const parsed = <T>(json: string): T => JSON.parse(json) as T;
