import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { productListing } from "../../shared/catalogue/index.ts";
import { noFilters } from "../storefront/create-catalogue-rows.ts";
import { contextFor, createBusiness, type TestBusiness } from "../support/world.ts";

// More hits than a search sorts, so that it scans an index.
const productCount = 1_300;

/** How a name, tags or a description fit the search "oat milk". The best one has the index 3. */
const texts = [
  { name: "Barista", tags: [], description: "milk of oat" },
  { name: "Barista", tags: ["oat", "milk"], description: "" },
  { name: "Barista milk of oat", tags: [], description: "" },
  { name: "Oat milk", tags: [], description: "" },
] as const;

type Fit = 0 | 1 | 2 | 3;

type CatalogueCase = Readonly<{
  title: string;
  /** The fit of the product with this index in the order of storage, and its time of creation. */
  product: (index: number) => Readonly<{ fit: Fit; createdAt: number }>;
}>;

const cases: readonly CatalogueCase[] = [
  {
    title: "stored in the order of their age, which fit equally",
    product: (index) => ({ fit: 1, createdAt: index }),
  },
  {
    title: "a few of which fit better",
    product: (index) => ({
      fit: index === 7 ? 3 : index % 100 === 0 ? 2 : index % 150 === 1 ? 1 : 0,
      createdAt: index,
    }),
  },
  {
    title: "most of which begin with the words",
    product: (index) => ({ fit: index % 9 === 0 ? 1 : 3, createdAt: index }),
  },
  {
    title: "stored in another order than that of their age",
    product: (index) => ({
      fit: index % 100 === 0 ? 3 : 2,
      createdAt: (index * 7) % productCount,
    }),
  },
  {
    title: "of the same age",
    product: (index) => ({ fit: index % 2 === 0 ? 3 : 0, createdAt: 0 }),
  },
];

type StoredProduct = Readonly<{
  id: string;
  fit: Fit;
  createdAt: number;
  name: string;
  price: number;
  isActive: boolean;
  tags: readonly string[];
}>;

type Query = Pick<productListing.ProductListQuery, "sort"> &
  Readonly<{
    title: string;
    filters: Partial<productListing.ProductListQuery["filters"]>;
    matches: (product: StoredProduct) => boolean;
    compare: (a: StoredProduct, b: StoredProduct) => number;
  }>;

const byRelevance = {
  sort: { by: "relevance", direction: "desc" },
  compare: (a: StoredProduct, b: StoredProduct) => b.fit - a.fit || b.createdAt - a.createdAt,
} as const;

const queries: readonly Query[] = [
  { ...byRelevance, title: "all of them", filters: {}, matches: () => true },
  {
    ...byRelevance,
    title: "those with a tag of few products",
    filters: { tags: ["rare"] },
    matches: ({ tags }) => tags.includes("rare"),
  },
  {
    ...byRelevance,
    title: "those with a tag of many products",
    filters: { tags: ["usual"] },
    matches: ({ tags }) => tags.includes("usual"),
  },
  {
    ...byRelevance,
    title: "the expensive ones",
    filters: { minPriceMinor: 195 },
    matches: ({ price }) => price >= 195,
  },
  {
    title: "all by name",
    sort: { by: "name", direction: "asc" },
    filters: {},
    matches: () => true,
    compare: (a, b) => compareTexts(a.name, b.name),
  },
  {
    title: "all by price",
    sort: { by: "price", direction: "desc" },
    filters: {},
    matches: () => true,
    compare: (a, b) => b.price - a.price,
  },
  {
    title: "all by age",
    sort: { by: "created_at", direction: "desc" },
    filters: {},
    matches: () => true,
    compare: (a, b) => b.createdAt - a.createdAt,
  },
];

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe.each(cases)("a search that finds 1,300 products $title", ({ product }) => {
  let shop: TestBusiness;
  let stored: readonly StoredProduct[];

  beforeAll(async () => {
    shop = await createBusiness();
    const ctx = contextFor(shop);
    const rows = Array.from({ length: productCount }, (_, index) => {
      const { fit, createdAt } = product(index);
      const { name, tags, description } = texts[fit];
      return {
        id: ctx.newId("prod"),
        fit,
        createdAt: 1_000_000 + createdAt,
        name: `${name} ${index % 50}`,
        description,
        price: 100 + (index % 100),
        isActive: index % 20 !== 3,
        tags: [
          ...tags,
          ...(index % 60 === 0 ? ["rare"] : []),
          ...(index % 40 === 0 ? [] : ["usual"]),
        ],
      };
    });
    await ctx.db.run(sql`insert into products (id, business_id, name, slug, description,
        default_price_minor, product_type, inventory_type, is_active, is_featured, tags, properties,
        images, variant_axes, add_ons, created_at, updated_at)
      select value ->> 'id', ${shop.business.id}, value ->> 'name', value ->> 'id',
        value ->> 'description', value ->> 'price', 'product', 'none', value ->> 'isActive', 0,
        value -> 'tags', '{}', '[]', '[]', '[]', value ->> 'createdAt', 0
      from json_each(${JSON.stringify(rows)})`);
    stored = rows.filter(({ isActive }) => isActive);
  });

  it.each(queries)("lists $title in order, by cursor and by number", async (query) => {
    const { sort, matches, compare } = query;
    const ctx = contextFor(shop);
    const direction = sort.direction === "asc" ? 1 : -1;
    const expected = stored
      .filter(matches)
      .toSorted((a, b) => compare(a, b) || direction * compareTexts(a.id, b.id))
      .map(({ id }) => id);
    const filters = { ...noFilters, search: "oat milk", ...query.filters };
    const listed: string[] = [];
    let start: productListing.ProductListQuery["start"] | null = { offset: 0 };
    while (start && listed.length <= expected.length) {
      // The first pages are so small that some end in one of the better fits.
      const limit = listed.length < 20 ? 5 : 90;
      const { data } = await productListing.listProducts(ctx, { filters, sort, limit, start });
      listed.push(...data.items.map(({ id }) => id));
      start = data.next && { after: data.next };
    }
    expect(listed).toEqual(expected);
    for (const offset of [20, 300, expected.length - 5]) {
      const { data } = await productListing.listProducts(ctx, {
        ...{ filters, sort, limit: 20 },
        start: { offset },
      });
      expect(data.items.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 20));
    }
  });
});
