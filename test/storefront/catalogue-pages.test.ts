import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { productListing } from "../../shared/catalogue/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, shopper } from "../support/world.ts";
import {
  createProductRow,
  namesOf,
  noFilters,
  type ProductListPage,
  requireData,
} from "./create-catalogue-rows.ts";

describe("GET /catalogue/products, in order", () => {
  it.each([
    ["newest first", "", ["C", "B", "A"]],
    ["oldest first", "sort_order=asc", ["A", "B", "C"]],
    ["by name", "sort_by=name", ["A", "B", "C"]],
    ["by name, descending", "sort_by=name&sort_order=desc", ["C", "B", "A"]],
    ["by price", "sort_by=price&sort_order=asc", ["B", "C", "A"]],
    ["by popularity, best-selling first", "sort_by=popularity", ["B", "A", "C"]],
  ])("sorts %s", async (_what, query, names) => {
    const shop = await createBusiness();
    await createProductRow(shop, { name: "A", defaultPriceMinor: 900, popularity: 2 });
    await createProductRow(shop, { name: "B", defaultPriceMinor: 100, popularity: 7 });
    await createProductRow(shop, { name: "C", defaultPriceMinor: 500 });
    expect(namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`))).toEqual(names);
  });

  it("sorts by name without regard to the case of ASCII letters", async () => {
    const shop = await createBusiness();
    // Other letters are sorted by code point, after ASCII.
    const caseNames = ["apple", "Apple", "Banana", "cherry", "Date", "Äpfel", "äpfel", "İ", "ẞ"];
    const inOrder = caseNames.map((name) => `${name} tart`);
    for (const [index, name] of [...inOrder.entries()].toReversed()) {
      await createProductRow(shop, { id: `${shop.business.id}_${index}`, name, isFeatured: true });
    }
    const listAllNames = async (query: string) => {
      const names: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page = await shopper(shop)("GET", `/catalogue/products?${query}&limit=1${after}`);
        names.push(...namesOf(page));
        cursor = requireData<ProductListPage>(page).pagination.next_cursor;
      }
      return names;
    };
    for (const filter of ["", "&search=tart", "&featured=true"]) {
      const query = `sort_by=name${filter}`;
      expect([query, await listAllNames(query)]).toEqual([query, inOrder]);
      const descending = `${query}&sort_order=desc`;
      expect([descending, await listAllNames(descending)]).toEqual([
        descending,
        inOrder.toReversed(),
      ]);
    }
  });

  it("lists a name that starts with a symbol last in descending order", async () => {
    const shop = await createBusiness();
    const productCount = 600; // too productCount to be read and sorted
    await selectRows(
      shop,
      `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
       insert into products (id, business_id, name, slug, description, default_price_minor,
         product_type, inventory_type, is_active, is_featured, tags, properties, images,
         variant_axes, add_ons, popularity, created_at, updated_at)
       select ?1 || n, ?1, iif(n, 'Tea ' || n, '#1 tea'), n, '', 1000, 'product', 'none', 1, 1, '[]',
         '{}', '[]', '[]', '[]', 0, n, 0 from counted`,
      shop.business.id,
      productCount,
    );
    const query = `sort_by=name&sort_order=desc&featured=true&limit=100&page=${productCount / 100}`;
    expect(namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`)).at(-1)).toBe(
      "#1 tea",
    );
  });

  it("sorts search results by relevance by default", async () => {
    const shop = await createBusiness();
    await createProductRow(shop, { name: "Starts", description: "none" });
    await createProductRow(shop, { name: "Shea butter soap" });
    await createProductRow(shop, { name: "Bread", description: "best with shea butter" });
    await createProductRow(shop, { name: "Raw shea butter" });
    await createProductRow(shop, { name: "Cream", tags: ["shea butter"] });
    const search = async (more = "") =>
      namesOf(await shopper(shop)("GET", `/catalogue/products?search=shea+butter${more}`));
    const byRelevance = ["Shea butter soap", "Raw shea butter", "Cream", "Bread"];
    expect(await search()).toEqual(byRelevance);
    expect(await search("&sort_by=name")).toEqual([...byRelevance].sort());

    const first = requireData<ProductListPage>(
      await shopper(shop)("GET", "/catalogue/products?search=shea+butter&limit=3"),
    );
    expect(await search(`&limit=3&cursor=${first.pagination.next_cursor}`)).toEqual(["Bread"]);
  });

  it("returns the same pages by number and by cursor, and marks the last one", async () => {
    const shop = await createBusiness();
    for (const name of ["A", "B", "C", "D", "E"]) {
      await createProductRow(shop, { name, createdAt: 5 });
    }
    const page = async (query: string) =>
      requireData<ProductListPage>(
        await shopper(shop)("GET", `/catalogue/products?limit=2&${query}`),
      );
    const first = await page("");
    expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
    const second = await page(`cursor=${first.pagination.next_cursor}`);
    const third = await page(`cursor=${second.pagination.next_cursor}`);
    expect(third.pagination).toEqual({ limit: 2, next_cursor: null, has_more: false });
    expect([first, second, third].map(({ items }) => items.map(({ name }) => name))).toEqual([
      ["E", "D"],
      ["C", "B"],
      ["A"],
    ]);
    expect((await page("page=2")).items).toEqual(second.items);
    expect((await page("page=4")).items).toEqual([]);
  });

  it("refuses a cursor of another business, filter or order, and a forged one", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    for (const owner of [shop, shop, shop, other, other]) await createProductRow(owner);
    const first = async (owner: typeof shop, query = "") => {
      const page = await shopper(owner)("GET", `/catalogue/products?limit=1${query}`);
      return requireData<ProductListPage>(page).pagination.next_cursor ?? "";
    };
    const cursor = await first(shop);
    const [digest] = JSON.parse(atob(cursor)) as [string];
    const forged = (...position: unknown[]) => btoa(JSON.stringify([digest, ...position]));
    for (const [query, foreign] of [
      ["", await first(other)],
      ["", await first(shop, "&sort_by=price")],
      ["", await first(shop, "&sort_order=asc")],
      ["&featured=false", cursor],
      ["&min_price=1", cursor],
      ["", forged("1000", "prod_1")],
      ["", forged({}, "prod_1")],
      ["", forged(1)],
      ["", forged(1, 2, 3, 4)],
    ] as const) {
      const answer = await shopper(shop)(
        "GET",
        `/catalogue/products?limit=1${query}&cursor=${encodeURIComponent(foreign)}`,
      );
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { context: { field: "cursor" } } },
      });
    }
    const another = await shopper(shop)("GET", `/catalogue/products?limit=2&cursor=${cursor}`);
    expect(another.status).toBe(200);
  });
});

describe("pages by cursor", () => {
  const added = fc.record({
    name: fc.constantFrom("tea", "Tea", "tea cup", "Cup of tea", "Thé", "thé", "bread"),
    description: fc.constantFrom("", "with tea"),
    price: fc.integer({ min: 0, max: 3 }),
    popularity: fc.integer({ min: 0, max: 2 }),
    createdAt: fc.integer({ min: 0, max: 5 }),
    tags: fc.constantFrom([], ["hot"], ["hot", "local"]),
    isFeatured: fc.boolean(),
    properties: fc.constantFrom<Record<string, string[]>>(
      {},
      { sizes: ["S", "M"] },
      { sizes: ["M"] },
    ),
  });
  const filterCases = fc.constantFrom<Partial<productListing.ProductFilters>>(
    {},
    { tags: ["hot"] },
    { tags: ["hot", "local"] },
    { isFeatured: true, isInStock: true },
    { minPriceMinor: 1, maxPriceMinor: 2 },
    { properties: { sizes: ["S", "M"] } },
    { tags: ["hot"], minPriceMinor: 1 },
  );
  const listings = fc.record({
    by: fc.constantFrom(...productListing.productSortKeys, null),
    direction: fc.constantFrom("asc", "desc", null),
    search: fc.constantFrom("tea", null, null),
    filter: filterCases,
    limit: fc.integer({ min: 1, max: 4 }),
    before: fc.array(added, { minLength: 1, maxLength: 9 }),
    during: fc.array(added, { maxLength: 6 }),
  });

  it("neither repeat nor skip a product while others are added", async () => {
    await fc.assert(
      fc.asyncProperty(
        listings,
        async ({ by, direction, search, filter, limit, before, during }) => {
          const shop = await createBusiness();
          const ctx = contextFor(shop);
          const add = async ({ price, ...row }: (typeof before)[number]) =>
            (await createProductRow(shop, { ...row, defaultPriceMinor: price })).id;
          const old: string[] = [];
          for (const row of before) old.push(await add(row));

          const filters = { ...noFilters, ...filter, search };
          const sort = productListing.productSortFor({ by, direction }, filters);
          const list: productListing.ListIdentity = { business: shop.business, filters, sort };
          const expected = await productListing.listProducts(ctx, {
            filters,
            sort,
            limit: 100,
            start: { offset: 0 },
          });
          const seen: string[] = [];
          const remaining = [...during];
          let start: productListing.PageStart | null = { offset: 0 };
          for (let page = 0; start !== null; page += 1) {
            expect(page).toBeLessThan(20); // the list must end
            const { data } = await productListing.listProducts(ctx, {
              filters,
              sort,
              limit,
              start,
            });
            seen.push(...data.items.map(({ id }) => id));
            const row = remaining.shift();
            if (row) await add(row);
            start = data.next && {
              after: await productListing.decodeCursor(
                list,
                await productListing.encodeCursor(list, data.next),
              ),
            };
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => old.includes(id))).toEqual(
            expected.data.items.map(({ id }) => id),
          );
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  }, 30_000);
});
