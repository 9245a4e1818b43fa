import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { derivedTables, movedTables, shardTables } from "../../shared/moves/index.ts";
import { fenceTriggersOf } from "./fence-triggers.ts";

const rows = async (query: string) => (await env.SHOP_1.prepare(query).all()).results;

describe("the tables of a shard", () => {
  it("are moved, derived from moved tables, or belong to the shard", async () => {
    const tables = await rows(
      `select name from sqlite_master where type = 'table' and name not like '%\\_search%' escape '\\'
        and name not like 'sqlite\\_%' escape '\\' and name not in ('_cf_KV', '_cf_METADATA', 'd1_migrations')`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...movedTables.map(({ name }) => name), ...derivedTables, ...shardTables].sort(),
    );
  });

  it.each(movedTables.map((table) => [table.name, table] as const))(
    "%s has triggers that refuse writes of a fenced business",
    async (name, table) => {
      const triggers = await rows(
        `select name, sql from sqlite_master where type = 'trigger' and name like 'fence\\_${name}\\_%' escape '\\'
          and tbl_name = '${name}'`,
      );
      expect(new Map(triggers.map((row) => [row.name, row.sql]))).toEqual(fenceTriggersOf(table));
    },
  );

  it("contain only text and integers, which JSON represents exactly", async () => {
    const types = await rows(
      `select distinct own.type from json_each('${JSON.stringify(movedTables.map(({ name }) => name))}') as named
        join pragma_table_info(named.value) as own order by own.type`,
    );
    expect(types.map(({ type }) => String(type).toLowerCase())).toEqual(["integer", "text"]);
  });
});
