import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import {
  changeProduct,
  givenCategory,
  givenProduct,
  givenStock,
  givenVariant,
  namesOf,
} from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let drinks: string;
const list = async (query: Record<string, string>) =>
  shopper(shop)("GET", `/catalogue/products?${new URLSearchParams(query)}`);
const listed = async (query: Record<string, string>) => namesOf(await list(query)).sort();

beforeAll(async () => {
  shop = await givenBusiness();
  drinks = await givenCategory(shop, { slug: "drinks" });
  const hot = await givenCategory(shop, { slug: "hot-drinks", parentId: drinks });
  const tea = await givenCategory(shop, { slug: "tea", parentId: hot });
  const food = await givenCategory(shop, { slug: "food" });
  await givenProduct(shop, {
    name: "Sobolo",
    categoryId: drinks,
    defaultPriceMinor: 500,
    tags: ["cold", "local"],
    taxonomyId: "tax-1",
    properties: { colour: "red", sizes: ["S", "L"], sugar: true, volume: 330 },
  });
  await givenProduct(shop, {
    name: "Green tea",
    categoryId: tea,
    defaultPriceMinor: 750,
    tags: ["hot"],
    isFeatured: true,
    description: "Leaves from the hills of Café Amedzofe",
    properties: { colour: "green", sugar: false, volume: 250 },
  });
  await givenProduct(shop, {
    name: "Waakye",
    categoryId: food,
    defaultPriceMinor: 2_000,
    tags: ["hot", "local"],
    properties: { colour: "brown", sugar: 1 },
  });
  await givenProduct(shop, {
    name: "Hidden",
    categoryId: drinks,
    isActive: false,
    tags: ["local"],
  });
  await givenProduct(shop, { name: "Gone", categoryId: drinks, archivedAt: 1 });
  const other = await givenBusiness();
  await givenProduct(other, { name: "Another's sobolo", tags: ["local"] });
});

describe("GET /catalogue/products", () => {
  it.each([
    ["nothing: every active product", {}, ["Green tea", "Sobolo", "Waakye"]],
    ["category_slug with its subcategories", { category_slug: "drinks" }, ["Green tea", "Sobolo"]],
    ["category_slug of a leaf", { category_slug: "tea" }, ["Green tea"]],
    ["an unknown category", { category_id: "cat_none" }, []],
    ["taxonomy_id", { taxonomy_id: "tax-1" }, ["Sobolo"]],
    ["one tag", { tags: "hot" }, ["Green tea", "Waakye"]],
    ["all of several tags, named twice", { tags: "hot, local,hot" }, ["Waakye"]],
    ["featured", { featured: "true" }, ["Green tea"]],
    ["its contrary", { featured: "false" }, ["Sobolo", "Waakye"]],
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
    ["true, which is not 1", { properties: '{"sugar":true}' }, ["Sobolo"]],
    ["1, which is not true", { properties: '{"sugar":1}' }, ["Waakye"]],
    ["a number, which is no text", { properties: '{"volume":"250"}' }, []],
    ["an unknown property", { properties: '{"no.such[0]":"x"}' }, []],
    ["a word of the name", { search: "TEA" }, ["Green tea"]],
    ["the beginning of the last word", { search: "green t" }, ["Green tea"]],
    ["no beginning of another word", { search: "gre tea" }, []],
    ["words across name and description, without accents", { search: "tea cafe" }, ["Green tea"]],
    ["a tag's word", { search: "local" }, ["Sobolo", "Waakye"]],
    ["syntax taken as words", { search: 'sobolo" OR name:*' }, []],
    ["nothing but signs", { search: '"*()^' }, []],
    ["blanks for no search", { search: "  " }, ["Green tea", "Sobolo", "Waakye"]],
    ["a hundred words", { search: "tea ".repeat(50) }, ["Green tea"]],
  ])("filters by %s", async (_what, query, names) => {
    expect(await listed(query)).toEqual(names);
  });

  it("filters by category_id with its subcategories", async () => {
    expect(await listed({ category_id: drinks })).toEqual(["Green tea", "Sobolo"]);
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
  ])("refuses a bad %s by name: %o", async (field, query) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("knows the business's locations, and no others", async () => {
    const other = await givenBusiness();
    const ask = (location_id: string) => list({ location_id });
    expect(await ask(shop.business.locations[0]?.id ?? "")).toMatchObject({ status: 200 });
    expect(await ask(other.business.locations[0]?.id ?? "")).toMatchObject({ status: 404 });
  });

  it("follows a product's words as they change", async () => {
    const own = await givenBusiness();
    const product = await givenProduct(own, { name: "Kelewele" });
    const search = async (words: string) =>
      namesOf(await shopper(own)("GET", `/catalogue/products?search=${words}&in_stock=true`));
    expect(await search("kelewele")).toEqual(["Kelewele"]);
    await changeProduct(own, product.id, { name: "Tatale" });
    expect(await search("kelewele")).toEqual([]);
    expect(await search("tatale")).toEqual(["Tatale"]);
  });
});

describe("GET /catalogue/products?in_stock", () => {
  it("tells what can be had, as stock stands now", async () => {
    const own = await givenBusiness();
    const inStock = async (value: string, more = "") =>
      namesOf(await shopper(own)("GET", `/catalogue/products?in_stock=${value}${more}`)).sort();
    await givenProduct(own, { name: "Uncounted" });
    const counted = await givenProduct(own, { name: "Counted", inventoryType: "tracked" });
    const reserved = await givenProduct(own, { name: "Reserved", inventoryType: "tracked" });
    const byVariant = await givenProduct(own, {
      name: "By variant",
      inventoryType: "variant_level",
    });
    const small = await givenVariant(own, byVariant);
    const retired = await givenVariant(own, byVariant, { isActive: false });
    await givenStock(own, reserved, { onHand: 2, reserved: 2 });
    await givenStock(own, byVariant, { itemId: retired.id, onHand: 5 });
    expect(await inStock("true")).toEqual(["Uncounted"]);
    expect(await inStock("false")).toEqual(["By variant", "Counted", "Reserved"]);

    await givenStock(own, counted, { onHand: 1 });
    await givenStock(own, byVariant, { itemId: small.id, onHand: 1 });
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
