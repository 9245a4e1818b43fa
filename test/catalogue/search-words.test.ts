import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { productListing } from "../../shared/catalogue/index.ts";
import { noFilters } from "../storefront/create-catalogue-rows.ts";
import { contextFor, createBusiness, type TestBusiness } from "../support/world.ts";

type Listed = Readonly<{ name: string; description?: string; tags?: readonly string[] }>;

let createdAt = 1_000_000;

/** Creates products, each newer than the one before. */
async function createProducts(shop: TestBusiness, listed: readonly Listed[]): Promise<void> {
  const ctx = contextFor(shop);
  const rows = listed.map(({ name, description = "", tags = [] }) => {
    createdAt += 1;
    return { id: ctx.newId("prod"), name, description, tags, createdAt };
  });
  await ctx.db.run(sql`insert into products (id, business_id, name, slug, description,
      default_price_minor, product_type, inventory_type, is_active, is_featured, tags, properties,
      images, variant_axes, add_ons, created_at, updated_at)
    select value ->> 'id', ${ctx.business.id}, value ->> 'name', value ->> 'id', value ->> 'description',
      100, 'product', 'none', 1, 0, value -> 'tags', '{}', '[]', '[]', '[]',
      value ->> 'createdAt', 0
    from json_each(${JSON.stringify(rows)})`);
}

async function searchNames(shop: TestBusiness, search: string, limit = 20): Promise<string[]> {
  const { data } = await productListing.listProducts(contextFor(shop), {
    filters: { ...noFilters, search },
    sort: { by: "relevance", direction: "desc" },
    limit,
    start: { offset: 0 },
  });
  return data.items.map(({ name }) => name);
}

const namesOf = (products: readonly Listed[]): string[] => products.map(({ name }) => name);

describe("the last word of a search", () => {
  let shop: TestBusiness;
  const endings = Array.from({ length: 20 }, (_, index) => String.fromCharCode(100 + index));
  const few = endings.slice(0, 16).map((ending) => ({ name: `Green lamp${ending}` }));
  const many = endings.map((ending) => ({ name: `Green shade${ending}` }));
  const accented = [{ name: "Café" }, { name: "CAFETIERE" }, { name: "Tea", tags: ["cafés"] }];

  beforeAll(async () => {
    shop = await createBusiness();
    await createProducts(shop, [...few, ...many, ...accented]);
    await createProducts(await createBusiness(), [{ name: "Green lampshade" }]);
  });

  it.each([
    ["stands for as many terms as a search replaces it by", "lamp", few],
    ["stands for more terms", "shade", many],
    ["is in capitals", "LAMP", few],
  ])("finds every product when it %s", async (_, search, expected) => {
    expect(await searchNames(shop, search)).toEqual(namesOf(expected.toReversed()));
    expect(await searchNames(shop, `green ${search}`)).toEqual(namesOf(expected.toReversed()));
  });

  it("stands for terms with and without accents", async () => {
    expect(await searchNames(shop, "cafe")).toEqual(["CAFETIERE", "Café", "Tea"]);
    expect(await searchNames(shop, "café")).toEqual(["CAFETIERE", "Café", "Tea"]);
  });

  it("finds a whole term that no other begins with", async () => {
    expect(await searchNames(shop, "lamps")).toEqual(["Green lamps"]);
    expect(await searchNames(shop, "lampshade")).toEqual([]);
  });

  it("does not stand for the first words", async () => {
    expect(await searchNames(shop, "gree lamps")).toEqual([]);
    expect(await searchNames(shop, "lamps gree")).toEqual(["Green lamps"]);
  });
});

describe("a search with more hits than it sorts", () => {
  const hits = Array.from({ length: 1_100 }, (_, index) => ({
    name: `Chair ${index}`,
    description: "wooden",
  }));

  it("finds the newest when no other product is newer", async () => {
    const shop = await createBusiness();
    await createProducts(shop, hits);
    expect(await searchNames(shop, "wooden")).toEqual(namesOf(hits.slice(-20).reverse()));
  });

  it("finds the newest when many other products are newer", async () => {
    const shop = await createBusiness();
    await createProducts(shop, hits);
    await createProducts(
      shop,
      Array.from({ length: 400 }, (_, index) => ({ name: `Sofa ${index}` })),
    );
    expect(await searchNames(shop, "wooden")).toEqual(namesOf(hits.slice(-20).reverse()));
  });

  it("lists a better fit first, also an old one", async () => {
    const shop = await createBusiness();
    await createProducts(shop, [{ name: "Old", tags: ["wooden"] }, ...hits]);
    const newest = namesOf(hits.slice(-19).reverse());
    expect(await searchNames(shop, "wooden")).toEqual(["Old", ...newest]);
    await createProducts(shop, [{ name: "The wooden one" }, { name: "Wooden" }]);
    expect(await searchNames(shop, "wooden")).toEqual([
      ...["Wooden", "The wooden one", "Old"],
      ...newest.slice(0, -2),
    ]);
  });
});
