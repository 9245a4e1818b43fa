import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { productListing } from "../../shared/catalogue/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, shopper } from "../support/world.ts";
import { type ProductListPage, requireData } from "./create-catalogue-rows.ts";

/** The oldest products are not featured, and a scan from the newest ends before them. */
const unfeaturedCount = 30;
const count = productListing.maxPageDepth + unfeaturedCount;

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await createBusiness();
  await selectRows(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
     insert into products (id, business_id, name, slug, description, default_price_minor,
       product_type, inventory_type, is_active, is_featured, tags, properties, images,
       variant_axes, add_ons, popularity, created_at, updated_at)
     select ?1 || printf('_%06d', n), ?1, printf('%06d', n), printf('%06d', n), '', 1000 + n,
       'product', 'none', 1, n < ${productListing.maxPageDepth}, '[]', '{}', '[]', '[]', '[]', 0, ?2 - n, 0 from counted`,
    shop.business.id,
    count,
  );
}, 60_000);

const list = (query: string) => shopper(shop)("GET", `/catalogue/products?${query}`);
const page = async (query: string) => requireData<ProductListPage>(await list(query));
const validationError = (field: string) => ({
  status: 400,
  body: { error: { code: "VALIDATION_ERROR", context: { field } } },
});

describe("a page by number", () => {
  it("is limited to the first 10,000 products", async () => {
    const { items, pagination } = await page("page=500");
    expect(items.at(0)?.name).toBe("009980");
    expect(items.at(-1)?.name).toBe("009999");
    expect(pagination.has_more).toBe(true);
    expect((await page(`cursor=${pagination.next_cursor}`)).items.at(0)?.name).toBe("010000");
    expect(await list("page=501")).toMatchObject(validationError("page"));
    expect(await list("page=101&limit=100")).toMatchObject(validationError("page"));
  });

  it("is filled from up to 10,000 scanned products, after which a cursor continues", async () => {
    const first = await page("featured=true&page=2&sort_by=name");
    expect(first.items).toHaveLength(20);
    const empty = await page("featured=false");
    expect(empty).toMatchObject({ items: [], pagination: { has_more: true } });
    const byNumber = await page("featured=false&page=1");
    expect(byNumber).toMatchObject({ items: [], pagination: { has_more: true } });
    const continued = await page(`featured=false&cursor=${byNumber.pagination.next_cursor}`);
    expect(continued.items).toHaveLength(20);
    expect(continued.items.at(0)?.name).toBe("010000");
  });

  it("is refused when the scan ends before it, instead of returned empty", async () => {
    expect(await list("featured=false&page=2")).toMatchObject(validationError("page"));
    expect((await page("featured=false&sort_order=asc&page=2")).items).toHaveLength(10);
    expect(await list("featured=false&sort_order=asc&page=2&limit=30")).toMatchObject(
      validationError("page"),
    );
  });
});

it("pages by cursor reach the end of the list, even if some are not full", async () => {
  let { next_cursor: cursor } = (await page("featured=false&limit=100")).pagination;
  let pages = 1;
  const names: string[] = [];
  for (; cursor !== null; pages += 1) {
    const next = await page(`featured=false&limit=100&cursor=${cursor}`);
    names.push(...next.items.map(({ name }) => name));
    cursor = next.pagination.next_cursor;
  }
  expect(names).toHaveLength(unfeaturedCount);
  expect(pages).toBeLessThanOrEqual(Math.ceil(count / productListing.defaultScanLimit));
});
