import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, shopper } from "../support/world.ts";
import {
  createCategoryRow,
  createProductRow,
  createStockLevelRow,
  createVariantRow,
  namesOf,
  updateProductRow,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let drinks: string;
const list = async (query: Record<string, string>) =>
  shopper(shop)("GET", `/catalogue/products?${new URLSearchParams(query)}`);
const listNames = async (query: Record<string, string>) => namesOf(await list(query)).sort();

beforeAll(async () => {
  shop = await createBusiness();
  drinks = await createCategoryRow(shop, { slug: "drinks" });
  const hot = await createCategoryRow(shop, { slug: "hot-drinks", parentId: drinks });
  const tea = await createCategoryRow(shop, { slug: "tea", parentId: hot });
  const food = await createCategoryRow(shop, { slug: "food" });
  await createProductRow(shop, {
    name: "Sobolo",
    categoryId: drinks,
    defaultPriceMinor: 500,
    tags: ["cold", "local"],
    taxonomyId: "tax-1",
    properties: { colour: "red", sizes: ["S", "L"], sugar: true, volume: 330 },
  });
  await createProductRow(shop, {
    name: "Green tea",
    categoryId: tea,
    defaultPriceMinor: 750,
    tags: ["hot"],
    isFeatured: true,
    description: "Leaves from the hills of Café Amedzofe",
    properties: { colour: "green", sugar: false, volume: 250 },
  });
  await createProductRow(shop, {
    name: "Waakye",
    categoryId: food,
    defaultPriceMinor: 2_000,
    tags: ["hot", "local"],
    properties: { colour: "brown", sugar: 1 },
  });
  await createProductRow(shop, {
    name: "Hidden",
    categoryId: drinks,
    isActive: false,
    tags: ["local"],
  });
  await createProductRow(shop, { name: "Gone", categoryId: drinks, archivedAt: 1 });
  const other = await createBusiness();
  await createProductRow(other, { name: "Another's sobolo", tags: ["local"] });
});

describe("GET /catalogue/products", () => {
  it.each([
    ["nothing", {}, ["Green tea", "Sobolo", "Waakye"]],
    ["category_slug with its subcategories", { category_slug: "drinks" }, ["Green tea", "Sobolo"]],
    ["category_slug of a leaf", { category_slug: "tea" }, ["Green tea"]],
    ["an unknown category", { category_id: "cat_none" }, []],
    ["taxonomy_id", { taxonomy_id: "tax-1" }, ["Sobolo"]],
    ["one tag", { tags: "hot" }, ["Green tea", "Waakye"]],
    ["all of several tags, one repeated", { tags: "hot, local,hot" }, ["Waakye"]],
    ["featured", { featured: "true" }, ["Green tea"]],
    ["not featured", { featured: "false" }, ["Sobolo", "Waakye"]],
    ["price bounds, both included", { min_price: "5", max_price: "7.50" }, ["Green tea", "Sobolo"]],
    ["min_price", { min_price: "7.51" }, ["Waakye"]],
    ["a property", { properties: '{"colour":"red"}' }, ["Sobolo"]],
    [
      "any value of a property",
      { properties: '{"colour":["red","green"]}' },
      ["Green tea", "Sobolo"],
    ],
    ["all properties", { properties: '{"colour":["red","green"],"volume":250}' }, ["Green tea"]],
    ["a value within an array", { properties: '{"sizes":"L"}' }, ["Sobolo"]],
    ["true, which differs from 1", { properties: '{"sugar":true}' }, ["Sobolo"]],
    ["1, which differs from true", { properties: '{"sugar":1}' }, ["Waakye"]],
    ["text, which differs from a number", { properties: '{"volume":"250"}' }, []],
    ["an unknown property", { properties: '{"no.such[0]":"x"}' }, []],
    ["a word of the name", { search: "TEA" }, ["Green tea"]],
    ["a prefix of the last word", { search: "green t" }, ["Green tea"]],
    ["a prefix of another word, which matches nothing", { search: "gre tea" }, []],
    ["words across name and description, without accents", { search: "tea cafe" }, ["Green tea"]],
    ["a tag's word", { search: "local" }, ["Sobolo", "Waakye"]],
    ["search syntax as plain words", { search: 'sobolo" OR name:*' }, []],
    ["only punctuation", { search: '"*()^' }, []],
    ["blanks as no search", { search: "  " }, ["Green tea", "Sobolo", "Waakye"]],
    ["a hundred words", { search: "tea ".repeat(50) }, ["Green tea"]],
  ])("filters by %s", async (_what, query, names) => {
    expect(await listNames(query)).toEqual(names);
  });

  it("filters by category_id with its subcategories", async () => {
    expect(await listNames({ category_id: drinks })).toEqual(["Green tea", "Sobolo"]);
  });

  it.each([
    ["limit", { limit: "0" }],
    ["limit", { limit: "101" }],
    ["limit", { limit: "1.5" }],
    ["page", { page: "0" }],
    ["page", { page: "1", cursor: "abc" }],
    ["cursor", { cursor: "abc" }],
    ["cursor", { cursor: "!" }],
    ["sort_by", { sort_by: "colour" }],
    ["sort_order", { sort_order: "up" }],
    ["featured", { featured: "yes" }],
    ["in_stock", { in_stock: "1" }],
    ["min_price", { min_price: "cheap" }],
    ["max_price", { max_price: "1.234" }],
    ["properties", { properties: "red" }],
    ["properties", { properties: "[1]" }],
    ["properties", { properties: "null" }],
    ["properties", { properties: '{"colour":null}' }],
    ["properties", { properties: '{"colour":{"is":"red"}}' }],
    ["properties", { properties: '{"a\\"b":"red"}' }],
    ["search", { search: "a\u0000b" }],
    ["search", { search: "x".repeat(201) }],
  ])("refuses an invalid %s: %o", async (field, query) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("accepts only locations of the business", async () => {
    const other = await createBusiness();
    const ask = (location_id: string) => list({ location_id });
    expect(await ask(shop.business.locations[0]?.id ?? "")).toMatchObject({ status: 200 });
    expect(await ask(other.business.locations[0]?.id ?? "")).toMatchObject({ status: 404 });
  });

  it("searches the current words of a product", async () => {
    const own = await createBusiness();
    const product = await createProductRow(own, { name: "Kelewele" });
    const search = async (words: string) =>
      namesOf(await shopper(own)("GET", `/catalogue/products?search=${words}&in_stock=true`));
    expect(await search("kelewele")).toEqual(["Kelewele"]);
    await updateProductRow(own, product.id, { name: "Tatale" });
    expect(await search("kelewele")).toEqual([]);
    expect(await search("tatale")).toEqual(["Tatale"]);
  });
});

describe("GET /catalogue/products?in_stock", () => {
  it("filters by the current stock", async () => {
    const own = await createBusiness();
    const inStock = async (value: string, more = "") =>
      namesOf(await shopper(own)("GET", `/catalogue/products?in_stock=${value}${more}`)).sort();
    await createProductRow(own, { name: "Uncounted" });
    const counted = await createProductRow(own, { name: "Counted", inventoryType: "tracked" });
    const reserved = await createProductRow(own, { name: "Reserved", inventoryType: "tracked" });
    const byVariant = await createProductRow(own, {
      name: "By variant",
      inventoryType: "variant_level",
    });
    const small = await createVariantRow(own, byVariant);
    const retired = await createVariantRow(own, byVariant, { isActive: false });
    await createStockLevelRow(own, reserved, { onHand: 2, reserved: 2 });
    await createStockLevelRow(own, byVariant, { itemId: retired.id, onHand: 5 });
    expect(await inStock("true")).toEqual(["Uncounted"]);
    expect(await inStock("false")).toEqual(["By variant", "Counted", "Reserved"]);

    await createStockLevelRow(own, counted, { onHand: 1 });
    await createStockLevelRow(own, byVariant, { itemId: small.id, onHand: 1 });
    expect(await inStock("true")).toEqual(["By variant", "Counted", "Uncounted"]);
    const here = own.business.locations[0]?.id ?? "";
    expect(await inStock("true", `&location_id=${here}`)).toEqual([
      "By variant",
      "Counted",
      "Uncounted",
    ]);
    expect(await inStock("false")).toEqual(["Reserved"]);
  });
});
