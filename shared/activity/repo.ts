import type { OwnTables } from "../database/index.ts";
import type { ActivityEvent } from "./event.ts";
import { intentWindowMs } from "./intent.ts";
import {
  noActivity,
  type SessionActivity,
  type ViewedCategory,
  type ViewedProduct,
} from "./session-activity.ts";

/** What a session remembers at most; beyond it the oldest goes. */
const kept = { products: 200, categories: 100, events: 200, dismissals: 500 } as const;

/** The events' table in the session's own database: every cart write needs it. Append-only, run once each. */
export const activityMigrations: readonly string[] = [
  `create table activity_events (
     id integer primary key autoincrement,
     at integer not null,
     event text not null
   );`,
];

/**
 * The other tables, made with the first row of one of them: most sessions never have any, and a
 * table costs a new session more than a row. Sessions of an earlier release have had them all along.
 */
const viewTables = `
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

const viewTablesMade = "select 1 from sqlite_master where name = 'dismissed_messages'";

/** A session's activity. What writes is to be called inside the object's transaction. */
export function activityRepo({ sql, exist }: OwnTables) {
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

  // Asked anew each time: a transaction that is undone takes the tables with it.
  const hasViews = (): boolean => exist() && sql.exec(viewTablesMade).toArray().length > 0;

  function needViews(): void {
    if (!hasViews()) sql.exec(viewTables);
  }

  /** An add or a removal counts for the intent alone. */
  function count(event: ActivityEvent, now: number): void {
    if (event.type === "product_view") countProduct(event.productId, event.categoryId, now);
    if (event.type === "category_view") countCategory(event.categoryId, now);
    if (event.type === "search") countSearch();
  }

  const keepLatest = (table: string, limit: number) =>
    sql.exec(
      `delete from ${table} where rowid in (
         select rowid from ${table} order by last_at desc, rowid desc limit -1 offset ?)`,
      limit,
    );

  function keep(event: ActivityEvent, now: number): void {
    const json = JSON.stringify(event);
    sql.exec("insert into activity_events (at, event) values (?, ?)", now, json);
  }

  const rows = <R extends Record<string, SqlStorageValue>>(
    query: string,
    ...values: SqlStorageValue[]
  ): R[] => sql.exec<R>(query, ...values).toArray();

  return {
    record(events: readonly ActivityEvent[], now: number): void {
      if (events.length === 0) return;
      if (events.some(isOfViews)) needViews();
      for (const event of events) {
        count(event, now);
        keep(event, now);
      }
      const types = new Set(events.map(({ type }) => type));
      if (types.has("product_view")) keepLatest("activity_products", kept.products);
      if (types.has("category_view")) keepLatest("activity_categories", kept.categories);
      sql.exec(
        "delete from activity_events where id <= (select max(id) from activity_events) - ?",
        kept.events,
      );
    },

    /** Sends a message away for as long as the session lives. */
    dismiss(code: string, now: number): void {
      needViews();
      sql.exec("insert or ignore into dismissed_messages (code, last_at) values (?, ?)", code, now);
      keepLatest("dismissed_messages", kept.dismissals);
    },

    read(now: number): SessionActivity {
      if (!exist()) return noActivity;
      const recent = rows<EventRow>(
        "select at, event from activity_events where at >= ? order by id",
        now - intentWindowMs,
      ).map(({ at, event }) => ({ ...eventFrom(event), at }));
      return { ...(hasViews() ? views() : noActivity), recent };
    },
  };

  function views(): Omit<SessionActivity, "recent"> {
    const searches = rows<{ searches: number }>("select searches from activity_searches");
    const dismissed = rows<{ code: string }>("select code from dismissed_messages");
    return {
      products: rows<ViewedProduct>(
        `select product_id as productId, category_id as categoryId, views as count,
           first_at as firstViewedAt, last_at as lastViewedAt
         from activity_products order by last_at desc, rowid desc`,
      ),
      categories: rows<ViewedCategory>(
        `select category_id as categoryId, views as count from activity_categories
         order by last_at desc, rowid desc`,
      ),
      searchCount: searches[0]?.searches ?? 0,
      dismissed: dismissed.map(({ code }) => code),
    };
  }
}

export type ActivityRepo = ReturnType<typeof activityRepo>;

/** Whether an event is counted, and not only kept for the intent. */
const isOfViews = ({ type }: ActivityEvent): boolean =>
  type === "product_view" || type === "category_view" || type === "search";

type EventRow = { at: number; event: string };

// Safe: the column holds nothing but what `record` put there.
const eventFrom = (json: string): ActivityEvent => JSON.parse(json) as ActivityEvent;
