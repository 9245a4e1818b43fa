import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, expect, it, vi } from "vitest";
import { createMeter, openDb, prepareInsert } from "../../shared/database/index.ts";

const counts = sqliteTable("counts", { id: text("id").primaryKey(), count: integer("count") });

const db = openDb(env.SHOP_1, createMeter());

beforeEach(async () => {
  await env.SHOP_1.exec("drop table if exists counts");
  await env.SHOP_1.exec("create table counts (id text primary key, count integer)");
});

it("builds its SQL once, and inserts the values of each call", async () => {
  const build = vi.fn(
    (database: typeof db, value: (name: "id" | "count") => ReturnType<typeof sql.placeholder>) =>
      database
        .insert(counts)
        .values({ id: value("id"), count: value("count") })
        .onConflictDoUpdate({ target: counts.id, set: { count: sql`${counts.count} + 1` } }),
  );
  const insertCount = prepareInsert<{ id: string; count: number | null }>(counts, build);
  await db.batch([
    insertCount(db, { id: "a", count: 1 }),
    insertCount(db, { id: "b", count: null }),
  ]);
  await insertCount(db, { id: "a", count: 1 });
  expect(build).toHaveBeenCalledTimes(1);
  expect(await db.select().from(counts)).toEqual([
    { id: "a", count: 2 },
    { id: "b", count: null },
  ]);
});

it("uses a value at each of its places", async () => {
  const insertRows = prepareInsert<{ rows: string; more: number }>(counts, (database, value) =>
    database
      .insert(counts)
      .select(
        sql`select value, ${value("more")} + ${value("more")} from json_each(${value("rows")})`,
      ),
  );
  await insertRows(db, { rows: '["x", "y"]', more: 2 });
  expect(await db.select().from(counts)).toEqual([
    { id: "x", count: 4 },
    { id: "y", count: 4 },
  ]);
});
