import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import {
  changeProduct,
  dataOf,
  givenCategory,
  givenProduct,
  givenStock,
  givenVariant,
  namesOf,
} from "./catalogue-stock.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

/** Answers are remembered by their whole query: a further part of it asks anew. */
const listed = async (query: string) =>
  namesOf(await shopper(shop)("GET", `/catalogue/products?${query}`)).sort();

/** How many rows a statement writes, those of indexes and triggers among them. */
async function writtenBy(query: string, values: readonly unknown[]): Promise<number> {
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const { meta } = await d1
    .prepare(query)
    .bind(...values)
    .run();
  return meta.rows_written;
}

/** What stands under facets, beside what the tables say should; and the counts beside the rows. */
async function facetsAndDue() {
  const [stored, due, counts, counted] = await Promise.all([
    rowsOf(
      shop,
      `select product_id, facet, price_minor, created_at from product_facets
       where business_id = ? order by product_id, facet`,
      shop.business.id,
    ),
    rowsOf(
      shop,
      `select due.product_id, due.facet, min(due.price_minor) as price_minor, product.created_at
       from products as product join product_facets_due as due on due.product_id = product.id
       where product.business_id = ? group by due.product_id, due.facet
       order by due.product_id, due.facet`,
      shop.business.id,
    ),
    rowsOf(
      shop,
      "select facet, products from product_facet_counts where business_id = ? order by facet",
      shop.business.id,
    ),
    rowsOf(
      shop,
      `select facet, count(*) as products from product_facets
       where business_id = ? group by facet order by facet`,
      shop.business.id,
    ),
  ]);
  return { stored, due, counts, counted };
}

async function expectInStep(): Promise<void> {
  const { stored, due, counts, counted } = await facetsAndDue();
  expect(stored).toEqual(due);
  expect(counts).toEqual(counted);
}

describe("the facets that lists are read from", () => {
  it("follow a product as its merchant creates, changes and archives it", async () => {
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
    await expectInStep();
    expect(await listed("tags=hot,local&properties=%7B%22sizes%22:%22L%22%7D")).toEqual(["Tea"]);
    expect(await listed("properties=%7B%22weight%22:0.30000000000000004%7D")).toEqual(["Tea"]);
    expect(await listed("properties=%7B%22weight%22:0.3%7D")).toEqual([]);

    await ask("PATCH", `/products/${id}`, {
      body: { tags: ["cold"], default_price: "7.00", featured: true, properties: {} },
    });
    await expectInStep();
    expect(await listed("tags=hot")).toEqual([]);
    expect(await listed("tags=cold&featured=true&min_price=7&max_price=7")).toEqual(["Tea"]);

    await ask("PATCH", `/products/${id}`, { body: { is_active: false } });
    await expectInStep();
    expect(await listed("tags=cold")).toEqual([]);
    await ask("PATCH", `/products/${id}`, { body: { is_active: true } });
    expect(await listed("tags=cold&unseen=1")).toEqual(["Tea"]);
    await ask("DELETE", `/products/${id}`);
    expect(await facetsAndDue()).toEqual({ stored: [], due: [], counts: [], counted: [] });
  });

  it("follow an import, and a second one that changes what the first brought", async () => {
    const send = (rows: string) =>
      merchant(shop)("POST", "/imports", {
        raw: `Handle,Title,Tags,Published,Variant SKU,Variant Inventory Qty,Variant Price\n${rows}\n`,
        headers: { "Content-Type": "text/csv" },
      });
    await send('mug,Mug,"clay, blue",true,M-1,3,12.00\njug,Jug,clay,true,J-1,0,20.00');
    await expectInStep();
    expect(await listed("tags=clay")).toEqual(["Jug", "Mug"]);
    await send("mug,Mug,glass,true,M-1,3,13.00\njug,Jug,clay,false,J-1,0,20.00");
    await expectInStep();
    expect(await listed("tags=clay&unseen=1")).toEqual([]);
    expect(await listed("tags=glass&min_price=13")).toEqual(["Mug"]);
  });

  it("follow stock, and the variants that it is of", async () => {
    const tracked = await givenProduct(shop, { name: "Tracked", inventoryType: "tracked" });
    const byVariant = await givenProduct(shop, { name: "Varied", inventoryType: "variant_level" });
    const variant = await givenVariant(shop, byVariant);
    await givenStock(shop, tracked, { onHand: 2 });
    await givenStock(shop, byVariant, { itemId: variant.id, onHand: 1 });
    await expectInStep();
    expect(await listed("in_stock=true")).toEqual(["Tracked", "Varied"]);

    const setLevels = "update stock_levels set quantity_reserved = ? where business_id = ?";
    await rowsOf(shop, setLevels, 1, shop.business.id);
    await expectInStep();
    expect(await listed("in_stock=true&unseen=1")).toEqual(["Tracked"]);
    await rowsOf(shop, setLevels, 0, shop.business.id);
    await rowsOf(shop, "update product_variants set is_active = 0 where id = ?", variant.id);
    await expectInStep();
    expect(await listed("in_stock=false&unseen=2")).toEqual(["Varied"]);
    await rowsOf(shop, "delete from stock_levels where business_id = ?", shop.business.id);
    await expectInStep();
    await changeProduct(shop, tracked.id, { inventoryType: "none" });
    await expectInStep();
    expect(await listed("in_stock=true&unseen=3")).toEqual(["Tracked"]);
  });

  it("follow the places where a product is had, and the last piece of it that is reserved", async () => {
    const { id } = await givenProduct(shop, { inventoryType: "variant_level" });
    const stockFacets = async () => {
      const { stored } = await facetsAndDue();
      return stored.map(({ facet }) => facet).filter((facet) => String(facet).startsWith("stock "));
    };
    expect(await stockFacets()).toEqual(["stock places []"]);
    for (const [position, place] of ["loc_b", "loc_a", "loc_a"].entries()) {
      const variant = await givenVariant(shop, { id }, { position });
      await rowsOf(
        shop,
        `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
         values (?, ?, ?, ?, 2, 0)`,
        ...[shop.business.id, variant.id, place, id],
      );
    }
    const everywhere = [
      "stock at loc_a",
      "stock at loc_b",
      'stock places ["loc_a","loc_b"]',
      "stock somewhere",
    ];
    expect(await stockFacets()).toEqual(everywhere);
    const reserve = (pieces: number, where: string) =>
      writtenBy(`update stock_levels set quantity_reserved = ? where product_id = ? and ${where}`, [
        pieces,
        id,
      ]);
    // One row for a level, and none for facets, as long as a piece is left there.
    expect(await reserve(1, "true")).toBe(3);
    expect(await reserve(2, "rowid = (select max(rowid) from stock_levels)")).toBe(1);
    expect(await stockFacets()).toEqual(everywhere);
    await reserve(2, "location_id = 'loc_a'");
    await expectInStep();
    expect(await stockFacets()).toEqual([
      "stock at loc_b",
      'stock places ["loc_b"]',
      "stock somewhere",
    ]);
    await reserve(2, "true");
    await expectInStep();
    expect(await stockFacets()).toEqual(["stock places []"]);
    await rowsOf(shop, "update stock_levels set quantity_reserved = 0 where product_id = ?", id);
    await expectInStep();
    expect(await stockFacets()).toEqual(everywhere);
  });

  it("follow the prices that locations give, which a change of the default price leaves alone", async () => {
    const priced = (locationId: string, priceMinor: number, variantId: string | null = null) => {
      return { locationId, variantId, priceMinor };
    };
    const { id } = await givenProduct(shop, {
      defaultPriceMinor: 900,
      priceOverrides: [priced("loc_b", 700), priced("loc_a", 900), priced("loc_c", 1, "var_1")],
    });
    const prices = async () => {
      await expectInStep();
      const { stored } = await facetsAndDue();
      return stored
        .map(({ facet, price_minor }) => `${facet}: ${price_minor}`)
        .filter((line) => line.startsWith("price "));
    };
    expect(await prices()).toEqual([
      "price at loc_a: 900",
      "price at loc_b: 700",
      'price places ["loc_a","loc_b"]: 900',
    ]);
    await changeProduct(shop, id, { defaultPriceMinor: 500 });
    expect(await prices()).toEqual([
      "price at loc_a: 900",
      "price at loc_b: 700",
      'price places ["loc_a","loc_b"]: 500',
    ]);
    await changeProduct(shop, id, {
      defaultPriceMinor: 300,
      priceOverrides: [priced("loc_b", 800)],
      createdAt: 7,
    });
    expect(await prices()).toEqual(["price at loc_b: 800", 'price places ["loc_b"]: 300']);
    await changeProduct(shop, id, { priceOverrides: [] });
    expect(await prices()).toEqual(["price places []: 300"]);
  });

  it("are written only where they differ", async () => {
    const { id } = await givenProduct(shop, { tags: ["a", "b"] });
    const changing = (set: string) => writtenBy(`update products set ${set} where id = ?`, [id]);
    expect(await changing("tags = tags, properties = properties")).toBe(1);
    // A row and two indexes of the facet, and how many stand under it.
    const oneFacet = 4;
    expect(await changing("is_featured = 1")).toBe(1 + oneFacet);
    const ofProduct = 1;
    const ofItsIndex = 1;
    expect(await changing("popularity = popularity + 1")).toBe(ofProduct + ofItsIndex);
    // A row and one index of each: its tags, its stock, that it is featured, and where it is priced.
    expect(await changing("default_price_minor = 5")).toBe(ofProduct + ofItsIndex + 5 * 2);
    await expectInStep();
  });

  it("leave the order by popularity to the products: it follows at once, whatever is asked for", async () => {
    const drinks = await givenCategory(shop, { slug: "drinks" });
    const row = { tags: ["hot"], categoryId: drinks };
    const cold = await givenProduct(shop, { ...row, name: "Iced", popularity: 3 });
    await givenProduct(shop, { ...row, name: "Mint", popularity: 5, isFeatured: true });
    await givenProduct(shop, { ...row, name: "Green", popularity: 4 });
    await givenProduct(shop, { name: "Bread", popularity: 9 });
    const byPopularity = async (query: string) =>
      namesOf(await shopper(shop)("GET", `/catalogue/products?sort_by=popularity${query}`));
    const asked = ["", "&tags=hot", "&category_slug=drinks", "&featured=false", "&max_price=20"];
    for (const query of asked) {
      const tail = ["Mint", "Green", "Iced"].filter(
        (name) => query !== "&featured=false" || name !== "Mint",
      );
      const isAll = !/hot|drinks/.test(query);
      expect(await byPopularity(query)).toEqual(isAll ? ["Bread", ...tail] : tail);
    }
    await changeProduct(shop, cold.id, { popularity: 12 });
    for (const query of asked) {
      expect((await byPopularity(`${query}&unseen=1`))[0]).toBe("Iced");
    }
    expect((await byPopularity("&sort_order=asc")).at(-1)).toBe("Iced");
    await expectInStep();
  });

  it("follow categories: products of an archived one stand in its parent, and are counted there", async () => {
    const drinks = await givenCategory(shop, { slug: "drinks" });
    const tea = await givenCategory(shop, { slug: "tea", parentId: drinks });
    await givenProduct(shop, { name: "Green tea", categoryId: tea });
    await givenProduct(shop, { name: "Retired", categoryId: tea, isActive: false });
    const counts = async () =>
      dataOf<{ categories: { slug: string; product_count: number }[] }>(
        await shopper(shop)("GET", "/catalogue/categories"),
      );
    expect(JSON.stringify(await counts())).toMatch(/"slug":"tea".*?"product_count":1/);
    await merchant(shop)("DELETE", `/categories/${tea}`);
    await expectInStep();
    expect(await listed("category_slug=drinks")).toEqual(["Green tea"]);
    expect(JSON.stringify(await counts())).toMatch(/"slug":"drinks".*?"product_count":1/);
  });

  it("are there for products that came before them", async () => {
    await givenProduct(shop, { name: "Old", tags: ["old"] });
    await rowsOf(shop, "delete from product_facets where business_id = ?", shop.business.id);
    expect(await listed("tags=old")).toEqual([]);
    await rowsOf(
      shop,
      "insert into product_facets_due (product_id) select id from products where business_id = ?",
      shop.business.id,
    );
    await expectInStep();
    expect(await listed("tags=old&unseen=1")).toEqual(["Old"]);
  });
});
