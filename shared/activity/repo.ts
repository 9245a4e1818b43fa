import { type Cart, type CartLine, changedLines } from "../cart/index.ts";
import type { ObjectDatabase } from "../database/index.ts";
import { intentWindowMs } from "./intent.ts";
import {
  type ActivityEvent,
  noActivity,
  type SessionActivity,
  type ViewedCategory,
  type ViewedProduct,
} from "./session-activity.ts";

/**
 * The maximum number of rows that a session stores per table; the oldest rows are deleted first.
 */
const maxStoredRows = { products: 200, categories: 100, events: 200, dismissals: 500 } as const;

/** Migrations of the events table, which every cart write needs. Only append to this list. */
export const activityMigrations: readonly string[] = [
  `create table activity_events (
     id integer primary key autoincrement,
     at integer not null,
     event text not null
   );`,
];

/**
 * Creates all activity tables except the events table, when the first row is written to one of
 * them. Most sessions never need these tables, and creating them costs more than writing a row.
 */
const createViewTables = `
  create table if not exists activity_products (
    product_id text primary key,
    category_id text,
    views integer not null,
    first_at integer not null,
    last_at integer not null
  );
  create table if not exists activity_categories (
    category_id text primary key,
    views integer not null,
    last_at integer not null
  );
  create table if not exists activity_searches (
    only_one integer primary key check (only_one = 1),
    searches integer not null
  );
  create table if not exists dismissed_messages (
    code text primary key,
    last_at integer not null
  );`;

const viewTablesQuery = "select 1 from sqlite_master where name = 'dismissed_messages'";

/**
 * Reads and writes a session's activity. Call the writes inside the Durable Object's transaction.
 */
export function activityRepo({ sql, exist }: ObjectDatabase) {
  const countProduct = (productId: string, categoryId: string | null, now: number) =>
    sql.exec(
      `insert into activity_products (product_id, category_id, views, first_at, last_at)
       values (?, ?, 1, ?, ?)
       on conflict (product_id) do update set views = views + 1,
         category_id = coalesce(excluded.category_id, category_id), last_at = excluded.last_at`,
      productId,
      categoryId,
      now,
      now,
    );

  const countCategory = (categoryId: string, now: number) =>
    sql.exec(
      `insert into activity_categories (category_id, views, last_at) values (?, 1, ?)
       on conflict (category_id) do update set views = views + 1, last_at = excluded.last_at`,
      categoryId,
      now,
    );

  const countSearch = () =>
    sql.exec(
      `insert into activity_searches (only_one, searches) values (1, 1)
       on conflict (only_one) do update set searches = searches + 1`,
    );

  // Not cached: a transaction that is rolled back also removes the tables that it created.
  const hasViewTables = (): boolean => exist() && sql.exec(viewTablesQuery).toArray().length > 0;

  function ensureViewTables(): void {
    if (!hasViewTables()) sql.exec(createViewTables);
  }

  /**
   * Updates the view tables. Cart events are not counted there, because only the intent uses them.
   */
  function countView(event: ActivityEvent, now: number): void {
    if (event.type === "product_view") countProduct(event.productId, event.categoryId, now);
    if (event.type === "category_view") countCategory(event.categoryId, now);
    if (event.type === "search") countSearch();
  }

  const deleteOldest = (table: string, limit: number) =>
    sql.exec(
      `delete from ${table} where rowid in (
         select rowid from ${table} order by last_at desc, rowid desc limit -1 offset ?)`,
      limit,
    );

  /** Returns the new row's id. The ids of a session count from 1. */
  const insertEvent = (event: ActivityEvent, now: number): number =>
    sql
      .exec<{ id: number }>(
        "insert into activity_events (at, event) values (?, ?) returning id",
        now,
        JSON.stringify(event),
      )
      .one().id;

  const queryRows = <R extends Record<string, SqlStorageValue>>(
    query: string,
    ...values: SqlStorageValue[]
  ): R[] => sql.exec<R>(query, ...values).toArray();

  return {
    record(events: readonly ActivityEvent[], now: number): void {
      if (events.length === 0) return;
      if (events.some(isView)) ensureViewTables();
      let lastId = 0;
      for (const event of events) {
        countView(event, now);
        lastId = insertEvent(event, now);
      }
      const types = new Set(events.map(({ type }) => type));
      if (types.has("product_view")) deleteOldest("activity_products", maxStoredRows.products);
      if (types.has("category_view")) deleteOldest("activity_categories", maxStoredRows.categories);
      if (lastId > maxStoredRows.events)
        sql.exec("delete from activity_events where id <= ?", lastId - maxStoredRows.events);
    },

    /** Dismisses a message for the rest of the session. */
    dismiss(code: string, now: number): void {
      ensureViewTables();
      sql.exec("insert or ignore into dismissed_messages (code, last_at) values (?, ?)", code, now);
      deleteOldest("dismissed_messages", maxStoredRows.dismissals);
    },

    read(now: number): SessionActivity {
      if (!exist()) return noActivity;
      const recent = queryRows<EventRow>(
        "select at, event from activity_events where at >= ? order by id",
        now - intentWindowMs,
      ).map(({ at, event }) => ({ ...eventFrom(event), at }));
      return { ...(hasViewTables() ? readViews() : noActivity), recent };
    },
  };

  function readViews(): Omit<SessionActivity, "recent"> {
    const searches = queryRows<{ searches: number }>("select searches from activity_searches");
    const dismissed = queryRows<{ code: string }>("select code from dismissed_messages");
    return {
      products: queryRows<ViewedProduct>(
        `select product_id as productId, category_id as categoryId, views as count,
           first_at as firstViewedAt, last_at as lastViewedAt
         from activity_products order by last_at desc, rowid desc`,
      ),
      categories: queryRows<ViewedCategory>(
        `select category_id as categoryId, views as count from activity_categories
         order by last_at desc, rowid desc`,
      ),
      searchCount: searches[0]?.searches ?? 0,
      dismissed: dismissed.map(({ code }) => code),
    };
  }
}

export type ActivityRepo = ReturnType<typeof activityRepo>;

/** Whether an event also updates the view tables. All events are stored for the intent. */
const isView = ({ type }: ActivityEvent): boolean =>
  type === "product_view" || type === "category_view" || type === "search";

type EventRow = { at: number; event: string };

// Safe: only `record` writes this column.
const eventFrom = (json: string): ActivityEvent => JSON.parse(json) as ActivityEvent;

/**
 * The events for the quantities that a cart write added and removed, one event per changed line.
 */
export function cartChangeEvents(previous: Cart, next: Cart): ActivityEvent[] {
  const { before, after } = changedLines(previous, next);
  const removedLines = new Map(before.map((line) => [line.id, line]));
  const changed = after.flatMap((line) => {
    const stored = removedLines.get(line.id);
    removedLines.delete(line.id);
    return stored === line ? [] : quantityEvents(line, line.quantity - (stored?.quantity ?? 0));
  });
  return [
    ...changed,
    ...[...removedLines.values()].flatMap((line) => quantityEvents(line, -line.quantity)),
  ];
}

function quantityEvents(
  { configuration: { productId } }: CartLine,
  change: number,
): ActivityEvent[] {
  if (change === 0) return [];
  const type = change > 0 ? "cart_add" : "cart_remove";
  return [{ type, productId, quantity: Math.abs(change) }];
}
