import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant, shopper } from "../support/world.ts";
import {
  createCategoryRow,
  createProductRow,
  createStockLevelRow,
  createVariantRow,
  namesOf,
  requireData,
  updateProductRow,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

/** The sorted names of listed products. An unknown query parameter avoids the cached response. */
const listNames = async (query: string) =>
  namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`)).sort();

/** The number of rows that a statement writes, including those of indexes and triggers. */
async function countRowsWritten(query: string, values: readonly unknown[]): Promise<number> {
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const { meta } = await d1
    .prepare(query)
    .bind(...values)
    .run();
  return meta.rows_written;
}

/** The stored facets and counts, and those that the other tables imply. */
async function loadFacets() {
  const [stored, expected, counts, expectedCounts] = await Promise.all([
    selectRows(
      shop,
      `select product_id, facet, price_minor, created_at from product_facets
       where business_id = ? order by product_id, facet`,
      shop.business.id,
    ),
    selectRows(
      shop,
      `select due.product_id, due.facet, min(due.price_minor) as price_minor, product.created_at
       from products as product join product_facets_due as due on due.product_id = product.id
       where product.business_id = ? group by due.product_id, due.facet
       order by due.product_id, due.facet`,
      shop.business.id,
    ),
    selectRows(
      shop,
      "select facet, products from product_facet_counts where business_id = ? order by facet",
      shop.business.id,
    ),
    selectRows(
      shop,
      `select facet, count(*) as products from product_facets
       where business_id = ? group by facet order by facet`,
      shop.business.id,
    ),
  ]);
  return { stored, expected, counts, expectedCounts };
}

async function expectFacetsInSync(): Promise<void> {
  const { stored, expected, counts, expectedCounts } = await loadFacets();
  expect(stored).toEqual(expected);
  expect(counts).toEqual(expectedCounts);
}

describe("product facets", () => {
  it("change when a product is created, updated and archived", async () => {
    const ask = merchant(shop);
    const created = await ask("POST", "/products", {
      body: {
        name: "Tea",
        default_price: "5.00",
        tags: ["hot", "local"],
        properties: { colour: "red", sizes: ["S", "L", "S"], weight: 0.30000000000000004 },
      },
    });
    const { id } = (created.body as { data: { id: string } }).data;
    await expectFacetsInSync();
    expect(await listNames("tags=hot,local&properties=%7B%22sizes%22:%22L%22%7D")).toEqual(["Tea"]);
    expect(await listNames("properties=%7B%22weight%22:0.30000000000000004%7D")).toEqual(["Tea"]);
    expect(await listNames("properties=%7B%22weight%22:0.3%7D")).toEqual([]);

    await ask("PATCH", `/products/${id}`, {
      body: { tags: ["cold"], default_price: "7.00", featured: true, properties: {} },
    });
    await expectFacetsInSync();
    expect(await listNames("tags=hot")).toEqual([]);
    expect(await listNames("tags=cold&featured=true&min_price=7&max_price=7")).toEqual(["Tea"]);

    await ask("PATCH", `/products/${id}`, { body: { is_active: false } });
    await expectFacetsInSync();
    expect(await listNames("tags=cold")).toEqual([]);
    await ask("PATCH", `/products/${id}`, { body: { is_active: true } });
    expect(await listNames("tags=cold&unseen=1")).toEqual(["Tea"]);
    await ask("DELETE", `/products/${id}`);
    expect(await loadFacets()).toEqual({
      stored: [],
      expected: [],
      counts: [],
      expectedCounts: [],
    });
  });

  it("change with an import and a second one that updates it", async () => {
    const send = (rows: string) =>
      merchant(shop)("POST", "/imports", {
        rawBody: `Handle,Title,Tags,Published,Variant SKU,Variant Inventory Qty,Variant Price\n${rows}\n`,
        headers: { "Content-Type": "text/csv" },
      });
    await send('mug,Mug,"clay, blue",true,M-1,3,12.00\njug,Jug,clay,true,J-1,0,20.00');
    await expectFacetsInSync();
    expect(await listNames("tags=clay")).toEqual(["Jug", "Mug"]);
    await send("mug,Mug,glass,true,M-1,3,13.00\njug,Jug,clay,false,J-1,0,20.00");
    await expectFacetsInSync();
    expect(await listNames("tags=clay&unseen=1")).toEqual([]);
    expect(await listNames("tags=glass&min_price=13")).toEqual(["Mug"]);
  });

  it("change with stock and with the variants that have it", async () => {
    const tracked = await createProductRow(shop, { name: "Tracked", inventoryType: "tracked" });
    const byVariant = await createProductRow(shop, {
      name: "Varied",
      inventoryType: "variant_level",
    });
    const variant = await createVariantRow(shop, byVariant);
    await createStockLevelRow(shop, tracked, { onHand: 2 });
    await createStockLevelRow(shop, byVariant, { itemId: variant.id, onHand: 1 });
    await expectFacetsInSync();
    expect(await listNames("in_stock=true")).toEqual(["Tracked", "Varied"]);

    const setLevels = "update stock_levels set quantity_reserved = ? where business_id = ?";
    await selectRows(shop, setLevels, 1, shop.business.id);
    await expectFacetsInSync();
    expect(await listNames("in_stock=true&unseen=1")).toEqual(["Tracked"]);
    await selectRows(shop, setLevels, 0, shop.business.id);
    await selectRows(shop, "update product_variants set is_active = 0 where id = ?", variant.id);
    await expectFacetsInSync();
    expect(await listNames("in_stock=false&unseen=2")).toEqual(["Varied"]);
    await selectRows(shop, "delete from stock_levels where business_id = ?", shop.business.id);
    await expectFacetsInSync();
    await updateProductRow(shop, tracked.id, { inventoryType: "none" });
    await expectFacetsInSync();
    expect(await listNames("in_stock=true&unseen=3")).toEqual(["Tracked"]);
  });

  it("change with the locations in stock, and when the last unit is reserved", async () => {
    const { id } = await createProductRow(shop, { inventoryType: "variant_level" });
    const stockFacets = async () => {
      const { stored } = await loadFacets();
      return stored.map(({ facet }) => facet).filter((facet) => String(facet).startsWith("stock "));
    };
    expect(await stockFacets()).toEqual(["stock places []"]);
    for (const [position, locationId] of ["loc_b", "loc_a", "loc_a"].entries()) {
      const variant = await createVariantRow(shop, { id }, { position });
      await selectRows(
        shop,
        `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
         values (?, ?, ?, ?, 2, 0)`,
        ...[shop.business.id, variant.id, locationId, id],
      );
    }
    const everywhere = [
      "stock at loc_a",
      "stock at loc_b",
      'stock places ["loc_a","loc_b"]',
      "stock somewhere",
    ];
    expect(await stockFacets()).toEqual(everywhere);
    const reserve = (quantity: number, where: string) =>
      countRowsWritten(
        `update stock_levels set quantity_reserved = ? where product_id = ? and ${where}`,
        [quantity, id],
      );
    // One row for each stock level, and none for facets while a unit is left there.
    expect(await reserve(1, "true")).toBe(3);
    expect(await reserve(2, "rowid = (select max(rowid) from stock_levels)")).toBe(1);
    expect(await stockFacets()).toEqual(everywhere);
    await reserve(2, "location_id = 'loc_a'");
    await expectFacetsInSync();
    expect(await stockFacets()).toEqual([
      "stock at loc_b",
      'stock places ["loc_b"]',
      "stock somewhere",
    ]);
    await reserve(2, "true");
    await expectFacetsInSync();
    expect(await stockFacets()).toEqual(["stock places []"]);
    await selectRows(
      shop,
      "update stock_levels set quantity_reserved = 0 where product_id = ?",
      id,
    );
    await expectFacetsInSync();
    expect(await stockFacets()).toEqual(everywhere);
  });

  it("change with location prices, which do not depend on the default price", async () => {
    const priced = (locationId: string, priceMinor: number, variantId: string | null = null) => {
      return { locationId, variantId, priceMinor };
    };
    const { id } = await createProductRow(shop, {
      defaultPriceMinor: 900,
      priceOverrides: [priced("loc_b", 700), priced("loc_a", 900), priced("loc_c", 1, "var_1")],
    });
    const prices = async () => {
      await expectFacetsInSync();
      const { stored } = await loadFacets();
      return stored
        .map(({ facet, price_minor }) => `${facet}: ${price_minor}`)
        .filter((line) => line.startsWith("price "));
    };
    expect(await prices()).toEqual([
      "price at loc_a: 900",
      "price at loc_b: 700",
      'price places ["loc_a","loc_b"]: 900',
    ]);
    await updateProductRow(shop, id, { defaultPriceMinor: 500 });
    expect(await prices()).toEqual([
      "price at loc_a: 900",
      "price at loc_b: 700",
      'price places ["loc_a","loc_b"]: 500',
    ]);
    await updateProductRow(shop, id, {
      defaultPriceMinor: 300,
      priceOverrides: [priced("loc_b", 800)],
      createdAt: 7,
    });
    expect(await prices()).toEqual(["price at loc_b: 800", 'price places ["loc_b"]: 300']);
    await updateProductRow(shop, id, { priceOverrides: [] });
    expect(await prices()).toEqual(["price places []: 300"]);
  });

  it("are written only if they change", async () => {
    const { id } = await createProductRow(shop, { tags: ["a", "b"] });
    const update = (set: string) =>
      countRowsWritten(`update products set ${set} where id = ?`, [id]);
    expect(await update("tags = tags, properties = properties")).toBe(1);
    // A facet's row, its two index entries and its count.
    const rowsPerFacet = 4;
    expect(await update("is_featured = 1")).toBe(1 + rowsPerFacet);
    const productRows = 1;
    const indexRows = 1;
    expect(await update("popularity = popularity + 1")).toBe(productRows + indexRows);
    // A row and an index entry for each facet: two tags, stock, featured and location prices.
    expect(await update("default_price_minor = 5")).toBe(productRows + indexRows + 5 * 2);
    await expectFacetsInSync();
  });

  it("do not delay the order by popularity, with any filter", async () => {
    const drinks = await createCategoryRow(shop, { slug: "drinks" });
    const row = { tags: ["hot"], categoryId: drinks };
    const cold = await createProductRow(shop, { ...row, name: "Iced", popularity: 3 });
    await createProductRow(shop, { ...row, name: "Mint", popularity: 5, isFeatured: true });
    await createProductRow(shop, { ...row, name: "Green", popularity: 4 });
    await createProductRow(shop, { name: "Bread", popularity: 9 });
    const byPopularity = async (query: string) =>
      namesOf(await shopper(shop)("GET", `/catalogue/products?sort_by=popularity${query}`));
    const filters = ["", "&tags=hot", "&category_slug=drinks", "&featured=false", "&max_price=20"];
    for (const query of filters) {
      const filtered = ["Mint", "Green", "Iced"].filter(
        (name) => query !== "&featured=false" || name !== "Mint",
      );
      const isAll = !/hot|drinks/.test(query);
      expect(await byPopularity(query)).toEqual(isAll ? ["Bread", ...filtered] : filtered);
    }
    await updateProductRow(shop, cold.id, { popularity: 12 });
    for (const query of filters) {
      expect((await byPopularity(`${query}&unseen=1`))[0]).toBe("Iced");
    }
    expect((await byPopularity("&sort_order=asc")).at(-1)).toBe("Iced");
    await expectFacetsInSync();
  });

  it("move to the parent category when a category is archived", async () => {
    const drinks = await createCategoryRow(shop, { slug: "drinks" });
    const tea = await createCategoryRow(shop, { slug: "tea", parentId: drinks });
    await createProductRow(shop, { name: "Green tea", categoryId: tea });
    await createProductRow(shop, { name: "Retired", categoryId: tea, isActive: false });
    const counts = async () =>
      requireData<{ categories: { slug: string; product_count: number }[] }>(
        await shopper(shop)("GET", "/catalogue/categories"),
      );
    expect(JSON.stringify(await counts())).toMatch(/"slug":"tea".*?"product_count":1/);
    await merchant(shop)("DELETE", `/categories/${tea}`);
    await expectFacetsInSync();
    expect(await listNames("category_slug=drinks")).toEqual(["Green tea"]);
    expect(JSON.stringify(await counts())).toMatch(/"slug":"drinks".*?"product_count":1/);
  });

  it("can be rebuilt for existing products", async () => {
    await createProductRow(shop, { name: "Old", tags: ["old"] });
    await selectRows(shop, "delete from product_facets where business_id = ?", shop.business.id);
    expect(await listNames("tags=old")).toEqual([]);
    await selectRows(
      shop,
      "insert into product_facets_due (product_id) select id from products where business_id = ?",
      shop.business.id,
    );
    await expectFacetsInSync();
    expect(await listNames("tags=old&unseen=1")).toEqual(["Old"]);
  });
});
