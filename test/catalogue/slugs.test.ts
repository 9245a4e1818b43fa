import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const records = [
  ["products", { name: "Tea", default_price: "1" }],
  ["categories", { name: "Tea" }],
  ["collections", { name: "Tea", rule: { tags: ["new"] } }],
] as const;

describe.each(records)("the slugs of %s with the same name", (table, body) => {
  const create = async () => dataOf(await ask("POST", `/${table}`, { body }));

  /** Copies the first record under the slugs `tea-{from}` to `tea-{to}`. */
  async function insertNamesakes(from: number, to: number): Promise<void> {
    const columns = await selectRows(shop, "select name from pragma_table_info(?)", table);
    const copiedColumns = columns.map(({ name }) =>
      name === "id"
        ? "first.id || number.value"
        : name === "slug"
          ? "'tea-' || number.value"
          : `${name}`,
    );
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    await selectRows(
      shop,
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
       select ${copiedColumns.map((column) => column.replace(/^(\w+)$/, "first.$1")).join(", ")}
       from ${table} as first, json_each(?2) as number where first.business_id = ?1 and first.slug = 'tea'`,
      shop.business.id,
      JSON.stringify(numbers),
    );
  }

  it("are numbered up to 100; further ones end with a part of the id", async () => {
    expect((await create()).slug).toBe("tea");
    expect((await create()).slug).toBe("tea-2");
    await insertNamesakes(3, 99);
    expect((await create()).slug).toBe("tea-100");
    const [next, another] = [await create(), await create()];
    for (const { id, slug } of [next, another]) expect(slug).toBe(`tea-${id.slice(-10)}`);
    expect(next.slug).not.toBe(another.slug);
  });

  it("reuse the first free number", async () => {
    await create();
    await insertNamesakes(2, 100);
    await selectRows(
      shop,
      `delete from ${table} where slug = 'tea-57' and business_id = ?`,
      shop.business.id,
    );
    expect((await create()).slug).toBe("tea-57");
  });
});
