import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { type Migration, migrate } from "../../functions/runtime/objects/migrations.ts";
import { chance } from "../../functions/runtime/runtime.ts";

const table = "create table names (name text)";
const converts = "update names set name = upper(name); insert into names values ('CONVERTED')";

/** What stands in a database that ran these lists, one release after the other. */
const namesAfter = (...releases: readonly (readonly Migration[])[]) =>
  runInDurableObject(env.CART_SESSION.getByName(chance.newId("ses")), (_, { storage }) => {
    for (const migrations of releases) {
      migrate(storage, migrations);
      storage.sql.exec("insert into names values ('ama')");
    }
    return storage.sql
      .exec("select name from names")
      .toArray()
      .map(({ name }) => name);
  });

it("what an earlier release stored is converted, once", async () => {
  const conversion = [table, { converts }];
  expect(await namesAfter([table], conversion, conversion)).toEqual([
    "AMA",
    "CONVERTED",
    "ama",
    "ama",
  ]);
});

it("a new database has nothing to convert, and is not converted later either", async () => {
  const conversion = [table, { converts }];
  expect(await namesAfter(conversion, conversion)).toEqual(["ama", "ama"]);
});
