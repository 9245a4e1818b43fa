import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

/**
 * Foreign keys whose child table is looked through when a parent's row is deleted, and why that may be.
 * An index for each would be a row more to write with every child.
 */
const unserved: Readonly<Record<string, string>> = {
  "link_order_intents.business_id → businesses": "nothing deletes a business",
};

describe.each(["CORE", "SHOP_1", "SHOP_2"] as const)("the foreign keys of %s", (name) => {
  const rows = async <T>(query: string) => (await env[name].prepare(query).all<T>()).results;

  async function foreignKeys() {
    const tables = await rows<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like '%\\_search%' escape '\\'
        and name not like '\\_cf\\_%' escape '\\'`,
    );
    return rows<{ child: string; columns: string; parent: string }>(
      `select named.value as child, key."table" as parent, group_concat(key."from") as columns
        from json_each('${JSON.stringify(tables.map((table) => table.name))}') as named
          join pragma_foreign_key_list(named.value) as key
        group by named.value, key.id, key."table" order by named.value, key.id`,
    );
  }

  /** How SQLite finds the rows that name a row of the table, when that is deleted: a line for each foreign key. */
  async function searchesOf(parent: string): Promise<readonly string[]> {
    const plan = await rows<{ detail: string }>(`explain query plan delete from ${parent}`);
    return plan.map(({ detail }) => detail).slice(1);
  }

  it("have an index on the child's columns, except for the listed ones", async () => {
    const keys = await foreignKeys();
    const slow: string[] = [];
    for (const parent of new Set(keys.map((key) => key.parent))) {
      const searches = await searchesOf(parent);
      const children = keys.filter((key) => key.parent === parent);
      const searched = searches.map((search) => search.split(" ")[1]);
      expect(searched.sort()).toEqual(children.map(({ child }) => child).sort());
      for (const { child, columns } of children) {
        const isServed = searches.some((search) => isSearchBy(search, { child, columns }));
        if (!isServed) slow.push(`${child}.${columns} → ${parent}`);
      }
    }
    const here = keys.map(({ child, columns, parent }) => `${child}.${columns} → ${parent}`);
    expect(here.length).toBeGreaterThan(5);
    expect(slow).toEqual(Object.keys(unserved).filter((key) => here.includes(key)));
  });
});

/** Whether it is a search of the child's by exactly the columns of the key. */
function isSearchBy(
  search: string,
  { child, columns }: Readonly<{ child: string; columns: string }>,
): boolean {
  const [, by = ""] = search.match(/\(([^()]*)\)$/) ?? [];
  const plan = by.split(" AND ").map((term) => term.replace(/=\?$/, ""));
  return (
    search.startsWith(`SEARCH ${child} USING `) &&
    plan.sort().join() === columns.split(",").sort().join()
  );
}
