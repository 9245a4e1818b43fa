import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { deepestPage, usualReach } from "../../shared/catalogue/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import { dataOf, type Page } from "./catalogue-stock.ts";

/** The oldest, which are not featured: a look along the newest ends before them. */
const plain = 30;
const count = deepestPage + plain;

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await givenBusiness();
  await rowsOf(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
     insert into products (id, business_id, name, slug, description, default_price_minor,
       product_type, inventory_type, is_active, is_featured, tags, properties, images,
       variant_axes, add_ons, popularity, created_at, updated_at)
     select ?1 || printf('_%06d', n), ?1, printf('%06d', n), printf('%06d', n), '', 1000 + n,
       'product', 'none', 1, n < ${deepestPage}, '[]', '{}', '[]', '[]', '[]', 0, ?2 - n, 0 from counted`,
    shop.business.id,
    count,
  );
}, 60_000);

const list = (query: string) => shopper(shop)("GET", `/catalogue/products?${query}`);
const page = async (query: string) => dataOf<Page>(await list(query));
const refused = (field: string) => ({
  status: 400,
  body: { error: { code: "VALIDATION_ERROR", context: { field } } },
});

describe("a page by number", () => {
  it("leads through the first 10,000 products, and no deeper", async () => {
    const { items, pagination } = await page("page=500");
    expect(items.at(0)?.name).toBe("009980");
    expect(items.at(-1)?.name).toBe("009999");
    expect(pagination.has_more).toBe(true);
    expect((await page(`cursor=${pagination.next_cursor}`)).items.at(0)?.name).toBe("010000");
    expect(await list("page=501")).toMatchObject(refused("page"));
    expect(await list("page=101&limit=100")).toMatchObject(refused("page"));
  });

  it("is full as far as 10,000 products are looked at, where a page by cursor ends", async () => {
    const first = await page("featured=true&page=2&sort_by=name");
    expect(first.items).toHaveLength(20);
    const none = await page("featured=false");
    expect(none).toMatchObject({ items: [], pagination: { has_more: true } });
    const byNumber = await page("featured=false&page=1");
    expect(byNumber).toMatchObject({ items: [], pagination: { has_more: true } });
    const further = await page(`featured=false&cursor=${byNumber.pagination.next_cursor}`);
    expect(further.items).toHaveLength(20);
    expect(further.items.at(0)?.name).toBe("010000");
  });

  it("is refused where the look ends on the way to it, and not shown as the list's end", async () => {
    expect(await list("featured=false&page=2")).toMatchObject(refused("page"));
    expect((await page("featured=false&sort_order=asc&page=2")).items).toHaveLength(10);
    expect(await list("featured=false&sort_order=asc&page=2&limit=30")).toMatchObject(
      refused("page"),
    );
  });
});

it("a walk by cursor comes to its end in steps of so many products, full or not", async () => {
  let { next_cursor: cursor } = (await page("featured=false&limit=100")).pagination;
  let pages = 1;
  const found: string[] = [];
  for (; cursor !== null; pages += 1) {
    const next = await page(`featured=false&limit=100&cursor=${cursor}`);
    found.push(...next.items.map(({ name }) => name));
    cursor = next.pagination.next_cursor;
  }
  expect(found).toHaveLength(plain);
  expect(pages).toBeLessThanOrEqual(Math.ceil(count / usualReach));
});
