import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { migrate, type ObjectSchema } from "../../functions/runtime/objects/migrations.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { sessionSchema } from "../../functions/storefront/objects/cart-session/session-storage.ts";

const createTable = "create table names (name text)";
const uppercase = "update names set name = upper(name)";

const schemaOf = (...migrations: readonly string[]): ObjectSchema => ({
  migrations,
  create: migrations.join(";"),
});

const runInNewObject = <T>(run: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, { storage }) =>
    run(storage),
  );

/** The names in a database that had these schemas one after the other, with an insert after each. */
const namesAfter = (...schemas: readonly ObjectSchema[]) =>
  runInNewObject((storage) => {
    for (const schema of schemas) {
      migrate(storage, schema);
      storage.sql.exec("insert into names values ('ama')");
    }
    return storage.sql
      .exec("select name from names")
      .toArray()
      .map(({ name }) => name);
  });

it("runs an appended migration once", async () => {
  const both = schemaOf(createTable, uppercase);
  expect(await namesAfter(schemaOf(createTable), both, both)).toEqual(["AMA", "ama", "ama"]);
});

it("does not create the tables twice", async () => {
  const both = schemaOf(createTable, uppercase);
  expect(await namesAfter(both, both)).toEqual(["ama", "ama"]);
});

it("rolls back a script that fails", () =>
  runInNewObject((storage) => {
    expect(() => migrate(storage, schemaOf(createTable, "no sql"))).toThrow();
    migrate(storage, schemaOf(createTable));
    expect(storage.sql.exec("select name from names").toArray()).toEqual([]);
  }));

it("creates the tables of a session as its migrations leave them", async () => {
  const created = await runInNewObject((storage) => {
    migrate(storage, sessionSchema);
    return describeTables(storage);
  });
  const migrated = await runInNewObject((storage) => {
    for (const migration of sessionSchema.migrations) storage.sql.exec(migration);
    return describeTables(storage);
  });
  expect(created).toEqual(migrated);
  expect(created.columns).toContainEqual(
    expect.objectContaining({ table: "cart_lines", name: "hold_expires_at" }),
  );
});

/** The columns and indexes of an object's tables, and the rules that only their text has. */
function describeTables({ sql }: DurableObjectStorage) {
  const ownTables = "t.type = 'table' and t.name not glob '_cf_*'";
  const query = (text: string) => sql.exec(text).toArray();
  return {
    columns: query(
      `select t.name as "table", c.* from sqlite_master t, pragma_table_info(t.name) c
       where ${ownTables} order by t.name, c.cid`,
    ),
    indexes: query(
      `select t.name as "table", i.*, m.sql from sqlite_master t, pragma_index_list(t.name) i
       left join sqlite_master m on m.name = i.name where ${ownTables} order by t.name, i.name`,
    ),
    checks: query(
      `select t.name as "table", (length(sql) - length(replace(sql, 'check (', ''))) as checks
       from sqlite_master t where ${ownTables} order by t.name`,
    ),
  };
}
