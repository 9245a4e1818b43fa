import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { migrate } from "../../functions/runtime/objects/migrations.ts";
import { runtime } from "../../functions/runtime/runtime.ts";

const createTable = "create table names (name text)";
const uppercase = "update names set name = upper(name)";

/** The names in a database that ran these lists one after the other, with an insert after each. */
const namesAfter = (...lists: readonly (readonly string[])[]) =>
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, { storage }) => {
    for (const migrations of lists) {
      migrate(storage, migrations);
      storage.sql.exec("insert into names values ('ama')");
    }
    return storage.sql
      .exec("select name from names")
      .toArray()
      .map(({ name }) => name);
  });

it("runs an appended migration once", async () => {
  const both = [createTable, uppercase];
  expect(await namesAfter([createTable], both, both)).toEqual(["AMA", "ama", "ama"]);
});

it("does not run a list twice", async () => {
  const both = [createTable, uppercase];
  expect(await namesAfter(both, both)).toEqual(["ama", "ama"]);
});

it("rolls back a list that fails", () =>
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, { storage }) => {
    expect(() => migrate(storage, [createTable, "no sql"])).toThrow();
    migrate(storage, [createTable]);
    expect(storage.sql.exec("select name from names").toArray()).toEqual([]);
  }));
