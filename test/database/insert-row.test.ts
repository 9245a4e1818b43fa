import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { createMeter, insertRow, openDb } from "../../shared/database/index.ts";

const columns = {
  id: text("id").primaryKey(),
  label: text("label"),
  flag: integer("flag", { mode: "boolean" }).notNull().default(true),
  at: integer("at", { mode: "timestamp_ms" }),
  weight: real("weight"),
  count: integer("count").default(sql`7`),
  data: text("data", { mode: "json" }),
};
const odd = sqliteTable("odd_columns", columns);

it("stores every type of column as a plain insert does", async () => {
  const db = openDb(env.SHOP_1, createMeter());
  await env.SHOP_1.exec(
    "create table odd_columns (id text primary key, label text, flag integer, at integer, weight real, count integer, data text)",
  );
  const rows = [
    { id: "1", label: 'O\'Neil "x" \\ é€😀\n\t', at: new Date(5), weight: 1, data: { a: ["1"] } },
    { id: "2", label: "12", flag: false, weight: 0.1, count: null, data: "text" },
    { id: "3", label: "", weight: -1e21, count: Number.MAX_SAFE_INTEGER, data: 0 },
    { id: "4", label: null, data: [] },
    { id: "5", label: "a\u0000b" },
  ];
  for (const row of rows) await insertRow(db, odd, row);
  const stored = await db.select().from(odd).orderBy(odd.id);
  await db.delete(odd);
  await db.insert(odd).values(rows);
  expect(stored).toEqual(await db.select().from(odd).orderBy(odd.id));
  const types =
    "select typeof(weight) as w, typeof(label) as l, typeof(count) as c from odd_columns";
  expect(await env.SHOP_1.prepare(`${types} where id = '2'`).first()).toEqual({
    ...{ w: "real", l: "text", c: "null" },
  });
});

it("rejects a value that JSON cannot hold beside an expression", () => {
  const db = openDb(env.SHOP_1, createMeter());
  const content = blob("content", { mode: "buffer" });
  const files = sqliteTable("files", { id: text("id"), content, weight: real("weight") });
  const id = sql`'1'`;
  expect(() => insertRow(db, files, { id, content: sql`x'00'` })).not.toThrow();
  expect(() => insertRow(db, files, { id, weight: Number.NaN })).toThrow(/weight/);
  expect(() => insertRow(db, files, { id, content: Buffer.from([1]) })).toThrow(/content/);
});

it("stores expressions beside plain values, in any order", async () => {
  await env.SHOP_1.exec("create table mixed (a text, b integer, c text, d text)");
  const [a, b, c, d] = [text("a"), integer("b", { mode: "boolean" }), text("c"), text("d")];
  const mixed = sqliteTable("mixed", { a, b, c, d });
  const db = openDb(env.SHOP_1, createMeter());
  await insertRow(db, mixed, { a: "pl\u0000ain", b: true, c: sql`upper(${"x"})`, d: sql`'y'` });
  await insertRow(db, mixed, { a: sql`'z'`, b: false, c: null });
  expect(await db.select().from(mixed)).toEqual([
    { a: "pl\u0000ain", b: true, c: "X", d: "y" },
    { a: "z", b: false, c: null, d: null },
  ]);
});
