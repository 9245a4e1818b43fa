import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
});

const records = [
  ["products", { name: "Tea", default_price: "1" }],
  ["categories", { name: "Tea" }],
  ["collections", { name: "Tea", rule: { tags: ["new"] } }],
] as const;

describe.each(records)("%s of one name", (table, body) => {
  const create = async () => dataOf(await ask("POST", `/${table}`, { body }));

  /** The one that is there, so many times more, under the slugs that the next would be given. */
  async function givenNamesakes(from: number, until: number): Promise<void> {
    const columns = await rowsOf(shop, "select name from pragma_table_info(?)", table);
    const copied = columns.map(({ name }) =>
      name === "id"
        ? "first.id || number.value"
        : name === "slug"
          ? "'tea-' || number.value"
          : `${name}`,
    );
    const numbers = Array.from({ length: until - from + 1 }, (_, index) => from + index);
    await rowsOf(
      shop,
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
       select ${copied.map((column) => column.replace(/^(\w+)$/, "first.$1")).join(", ")}
       from ${table} as first, json_each(?2) as number where first.business_id = ?1 and first.slug = 'tea'`,
      shop.business.id,
      JSON.stringify(numbers),
    );
  }

  it("are numbered from the second to the hundredth; the next have a part of their own id", async () => {
    expect((await create()).slug).toBe("tea");
    expect((await create()).slug).toBe("tea-2");
    await givenNamesakes(3, 99);
    expect((await create()).slug).toBe("tea-100");
    const [next, another] = [await create(), await create()];
    for (const { id, slug } of [next, another]) expect(slug).toBe(`tea-${id.slice(-10)}`);
    expect(next.slug).not.toBe(another.slug);
  });

  it("are given the first number that is free again", async () => {
    await create();
    await givenNamesakes(2, 100);
    await rowsOf(
      shop,
      `delete from ${table} where slug = 'tea-57' and business_id = ?`,
      shop.business.id,
    );
    expect((await create()).slug).toBe("tea-57");
  });
});
