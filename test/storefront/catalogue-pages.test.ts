import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ListIdentity,
  listingRepo,
  type PageStart,
  type ProductFilters,
  productOrders,
  readCursor,
  sortOf,
  writeCursor,
} from "../../shared/catalogue/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, shopper } from "../support/world.ts";
import { dataOf, givenProduct, namesOf, noFilters, type Page } from "./catalogue-stock.ts";

describe("GET /catalogue/products, in order", () => {
  it.each([
    ["newest first", "", ["C", "B", "A"]],
    ["oldest first", "sort_order=asc", ["A", "B", "C"]],
    ["by name", "sort_by=name", ["A", "B", "C"]],
    ["by name, backwards", "sort_by=name&sort_order=desc", ["C", "B", "A"]],
    ["by price", "sort_by=price&sort_order=asc", ["B", "C", "A"]],
    ["by popularity, the most sold first", "sort_by=popularity", ["B", "A", "C"]],
  ])("sorts %s", async (_what, query, names) => {
    const shop = await givenBusiness();
    await givenProduct(shop, { name: "A", defaultPriceMinor: 900, popularity: 2 });
    await givenProduct(shop, { name: "B", defaultPriceMinor: 100, popularity: 7 });
    await givenProduct(shop, { name: "C", defaultPriceMinor: 500 });
    expect(namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`))).toEqual(names);
  });

  it("sorts by name as a dictionary does, whether or not names begin with a capital", async () => {
    const shop = await givenBusiness();
    // Of letters beyond ASCII case counts: they stand last, as they are numbered.
    const names = ["apple", "Apple", "Banana", "cherry", "Date", "Äpfel", "äpfel", "İ", "ẞ"];
    const inOrder = names.map((name) => `${name} tart`);
    for (const [index, name] of [...inOrder.entries()].toReversed()) {
      await givenProduct(shop, { id: `${shop.business.id}_${index}`, name, isFeatured: true });
    }
    const walkOf = async (query: string) => {
      const walked: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page = await shopper(shop)("GET", `/catalogue/products?${query}&limit=1${after}`);
        walked.push(...namesOf(page));
        cursor = dataOf<Page>(page).pagination.next_cursor;
      }
      return walked;
    };
    for (const narrowing of ["", "&search=tart", "&featured=true"]) {
      const query = `sort_by=name${narrowing}`;
      expect([query, await walkOf(query)]).toEqual([query, inOrder]);
      const backwards = `${query}&sort_order=desc`;
      expect([backwards, await walkOf(backwards)]).toEqual([backwards, inOrder.toReversed()]);
    }
  });

  it("by name backwards leads to the very last name, even one that begins with a sign", async () => {
    const shop = await givenBusiness();
    const many = 600; // more than are read and sorted
    await rowsOf(
      shop,
      `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
       insert into products (id, business_id, name, slug, description, default_price_minor,
         product_type, inventory_type, is_active, is_featured, tags, properties, images,
         variant_axes, add_ons, popularity, created_at, updated_at)
       select ?1 || n, ?1, iif(n, 'Tea ' || n, '#1 tea'), n, '', 1000, 'product', 'none', 1, 1, '[]',
         '{}', '[]', '[]', '[]', 0, n, 0 from counted`,
      shop.business.id,
      many,
    );
    const query = `sort_by=name&sort_order=desc&featured=true&limit=100&page=${many / 100}`;
    expect(namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`)).at(-1)).toBe(
      "#1 tea",
    );
  });

  it("puts what fits the words best first, unless told otherwise", async () => {
    const shop = await givenBusiness();
    await givenProduct(shop, { name: "Starts", description: "none" });
    await givenProduct(shop, { name: "Shea butter soap" });
    await givenProduct(shop, { name: "Bread", description: "best with shea butter" });
    await givenProduct(shop, { name: "Raw shea butter" });
    await givenProduct(shop, { name: "Cream", tags: ["shea butter"] });
    const search = async (more = "") =>
      namesOf(await shopper(shop)("GET", `/catalogue/products?search=shea+butter${more}`));
    const byFit = ["Shea butter soap", "Raw shea butter", "Cream", "Bread"];
    expect(await search()).toEqual(byFit);
    expect(await search("&sort_by=name")).toEqual([...byFit].sort());

    const first = dataOf<Page>(
      await shopper(shop)("GET", "/catalogue/products?search=shea+butter&limit=3"),
    );
    expect(await search(`&limit=3&cursor=${first.pagination.next_cursor}`)).toEqual(["Bread"]);
  });

  it("pages by number and by cursor alike, and says when there is no more", async () => {
    const shop = await givenBusiness();
    for (const name of ["A", "B", "C", "D", "E"]) {
      await givenProduct(shop, { name, createdAt: 5 });
    }
    const page = async (query: string) =>
      dataOf<Page>(await shopper(shop)("GET", `/catalogue/products?limit=2&${query}`));
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
    const [shop, other] = [await givenBusiness(), await givenBusiness()];
    for (const owner of [shop, shop, shop, other, other]) await givenProduct(owner);
    const first = async (owner: typeof shop, query = "") => {
      const page = await shopper(owner)("GET", `/catalogue/products?limit=1${query}`);
      return dataOf<Page>(page).pagination.next_cursor ?? "";
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

describe("a walk by cursor", () => {
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
  const narrowings = fc.constantFrom<Partial<ProductFilters>>(
    {},
    { tags: ["hot"] },
    { tags: ["hot", "local"] },
    { isFeatured: true, isInStock: true },
    { minPriceMinor: 1, maxPriceMinor: 2 },
    { properties: { sizes: ["S", "M"] } },
    { tags: ["hot"], minPriceMinor: 1 },
  );
  const walks = fc.record({
    by: fc.constantFrom(...productOrders, null),
    direction: fc.constantFrom("asc", "desc", null),
    search: fc.constantFrom("tea", null, null),
    narrowing: narrowings,
    limit: fc.integer({ min: 1, max: 4 }),
    before: fc.array(added, { minLength: 1, maxLength: 9 }),
    during: fc.array(added, { maxLength: 6 }),
  });

  it("neither repeats nor skips a product while others are added", async () => {
    await fc.assert(
      fc.asyncProperty(
        walks,
        async ({ by, direction, search, narrowing, limit, before, during }) => {
          const shop = await givenBusiness();
          const ctx = contextFor(shop);
          const add = async ({ price, ...row }: (typeof before)[number]) =>
            (await givenProduct(shop, { ...row, defaultPriceMinor: price })).id;
          const old: string[] = [];
          for (const row of before) old.push(await add(row));

          const filters = { ...noFilters, ...narrowing, search };
          const sort = sortOf({ by, direction }, filters);
          const list: ListIdentity = { business: shop.business, filters, sort };
          const wanted = await listingRepo(ctx).list({
            filters,
            sort,
            limit: 100,
            start: { offset: 0 },
          });
          const seen: string[] = [];
          const toAdd = [...during];
          let start: PageStart | null = { offset: 0 };
          for (let page = 0; start !== null; page += 1) {
            expect(page).toBeLessThan(20); // a walk ends
            const { data } = await listingRepo(ctx).list({ filters, sort, limit, start });
            seen.push(...data.items.map(({ id }) => id));
            const row = toAdd.shift();
            if (row) await add(row);
            start = data.next && {
              after: await readCursor(list, await writeCursor(list, data.next)),
            };
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => old.includes(id))).toEqual(
            wanted.data.items.map(({ id }) => id),
          );
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  }, 30_000);
});
