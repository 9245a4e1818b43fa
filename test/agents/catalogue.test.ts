import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { releases } from "../../shared/agents/index.ts";
import type { NewProduct, Product } from "../../shared/catalogue/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { createCategoryRow } from "../storefront/create-catalogue-rows.ts";
import { createProduct } from "../support/create-product.ts";
import { contextFor, createBusiness, roundTrips } from "../support/world.ts";
import { type AgentClient, agentClient, origin } from "./agent-client.ts";
import { createPlatform, hostProfiles } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

describe.each(releases)("the catalogue in %s", (release) => {
  let shop: Awaited<ReturnType<typeof createBusiness>>;
  let shirt: Product;
  let tea: Product;
  let massage: Product;
  let agent: AgentClient;
  const variant = (name: string) => shirt.variants.find((one) => one.name === name)?.id ?? "";

  beforeAll(async () => {
    shop = await createBusiness();
    const clothes = await createCategoryRow(shop, { slug: "clothes" });
    massage = await createProduct(shop, { name: "Massage", productType: "service" });
    tea = await createProduct(shop, { name: "Tea", description: "Green <leaves>" });
    shirt = await createProduct(shop, {
      name: "Shirt",
      categoryId: clothes,
      compareAtPriceMinor: 3_000,
      defaultPriceMinor: 2_000,
      inventoryType: "variant_level",
      images: [{ url: "/cdn/shirt.jpg", isPrimary: true }],
      tags: ["cotton"],
      variantAxes: [
        { name: "colour", label: "Colour", values: ["Red", "Blue"] },
        { name: "size", label: "Size", values: ["S", "M"] },
      ],
      variants: [
        draft("Red S", { axisValues: { colour: "Red", size: "S" }, isDefault: true, sku: "R-S" }),
        draft("Red M", { axisValues: { colour: "Red", size: "M" }, priceAdjustmentMinor: 500 }),
        draft("Blue S", { axisValues: { colour: "Blue", size: "S" } }),
      ],
    });
    await stock("Red S");
    await stock("Red M");
  });

  beforeEach(async () => {
    agent = agentClient(shop, await createPlatform({ release }));
  });

  async function stock(name: string) {
    const ctx = contextFor(shop);
    const locationId = ctx.business.locations[0]?.id ?? "";
    await setStockLevel(
      ctx,
      { itemId: variant(name), productId: shirt.id, locationId },
      { quantityOnHand: 5 },
    );
  }

  const search = async (body: object) => {
    const response = await agent("POST", "/catalog/search", body);
    expect(response.status).toBe(200);
    await assertValid(release, "search_response", response.body);
    return response;
  };
  const titles = ({ body }: Awaited<ReturnType<AgentClient>>): string[] =>
    body.products.map(({ title }: { title: string }) => title);

  const lookUp = async (body: object) => {
    const response = await agent("POST", "/catalog/lookup", body);
    expect(response.status).toBe(200);
    await assertValid(release, "lookup_response", response.body);
    return response;
  };

  const getProduct = async (body: object) => {
    const response = await agent("POST", "/catalog/product", body);
    expect(response.status).toBe(200);
    await assertValid(release, "get_product_response", response.body);
    return response.body.product;
  };

  it("is searched by text, in one round trip", async () => {
    await search({ query: "tea" });
    const response = await search({ query: "shirt" });
    expect(roundTrips(response).d1).toBe(1);
    expect(response.body.ucp).toEqual({
      version: release,
      status: "success",
      capabilities: { "dev.ucp.shopping.catalog.search": [{ version: release }] },
    });
    const currency = shop.business.currency;
    expect(response.body.products).toMatchObject([
      {
        id: shirt.id,
        handle: "shirt",
        url: `${origin}/shop/${shop.business.slug}/products/shirt`,
        categories: [{ value: "clothes", taxonomy: "merchant" }],
        price_range: { min: { amount: 2_000, currency }, max: { amount: 2_500, currency } },
        list_price_range: { min: { amount: 3_000 }, max: { amount: 3_500 } },
        media: [{ type: "image", url: `${origin}/cdn/shirt.jpg`, alt_text: "Shirt" }],
        tags: ["cotton"],
        variants: [
          {
            id: variant("Red S"),
            sku: "R-S",
            price: { amount: 2_000, currency },
            list_price: { amount: 3_000, currency },
            availability: { available: true, status: "in_stock" },
            options: [
              { name: "Colour", label: "Red" },
              { name: "Size", label: "S" },
            ],
          },
          { id: variant("Red M"), price: { amount: 2_500 } },
          { id: variant("Blue S"), availability: { available: false, status: "out_of_stock" } },
        ],
      },
    ]);
  });

  it("is filtered by category and price, in the business's currency alone", async () => {
    const currency = shop.business.currency;
    expect(titles(await search({ filters: { categories: ["clothes", "none"] } }))).toEqual([
      "Shirt",
    ]);
    const dear = { filters: { price: { min: 1_500 } } };
    expect(titles(await search({ ...dear, context: { currency } }))).toEqual(["Shirt"]);
    const ignored = await search({ ...dear, context: { currency: "XAF" } });
    expect(titles(ignored)).toHaveLength(3);
    expect(ignored.body.messages).toContainEqual(
      expect.objectContaining({ type: "info", code: "price_filter_ignored" }),
    );
  });

  it("is searched page by page", async () => {
    const all = { filters: { price: { min: 0 } } };
    const first = await search({ ...all, pagination: { limit: 2 } });
    expect(first.body.pagination).toMatchObject({ has_next_page: true });
    const { cursor } = first.body.pagination;
    const second = await search({ ...all, pagination: { limit: 2, cursor } });
    expect(second.body.pagination).toEqual({ has_next_page: false });
    expect([...titles(first), ...titles(second)]).toEqual(["Shirt", "Tea", "Massage"]);
    expect(titles(await search({ query: "nothing" }))).toEqual([]);
  });

  it("says which products have to be chosen on their page", async () => {
    const { body } = await search({ query: "massage" });
    expect(body.products[0].variants).toMatchObject([
      { id: massage.id, availability: { available: false } },
    ]);
    expect(body.messages).toEqual([
      expect.objectContaining({
        type: "info",
        path: "$.products[0]",
        code: "hosted_page_required",
      }),
    ]);
  });

  it("is looked up by ids, slugs and SKUs, which each variant names, and then from memory", async () => {
    const ids = [shirt.id, "shirt", "r-s", variant("Red M"), tea.id, tea.id, "none"];
    const { body } = await lookUp({ ids });
    const products = new Map(body.products.map((one: { id: string }) => [one.id, one]));
    expect(products.size).toBe(2);
    expect(products.get(shirt.id)).toMatchObject({
      variants: [
        {
          id: variant("Red S"),
          inputs: [
            { id: shirt.id, match: "featured" },
            { id: "shirt", match: "featured" },
            { id: "r-s", match: "exact" },
          ],
        },
        { id: variant("Red M"), inputs: [{ id: variant("Red M"), match: "exact" }] },
      ],
    });
    expect(products.get(tea.id)).toMatchObject({
      description: { plain: "Green <leaves>" },
      variants: [{ id: tea.id, inputs: [{ id: tea.id, match: "exact" }] }],
    });
    expect(body.messages).toEqual([{ type: "info", code: "not_found", content: "none" }]);
    expect(roundTrips(await lookUp({ ids })).d1).toBe(0);
  });

  it("leaves out of a look-up what its filters exclude", async () => {
    const ids = [shirt.id, tea.id, variant("Red M")];
    const cheap = await lookUp({ ids, filters: { price: { max: 2_000 } } });
    expect(cheap.body.products.flatMap((one: Product) => one.variants.map(({ id }) => id))).toEqual(
      expect.arrayContaining([variant("Red S"), tea.id]),
    );
    const clothes = await lookUp({ ids, filters: { categories: ["clothes"] } });
    expect(titles(clothes)).toEqual(["Shirt"]);
  });

  it("shows a product with the featured variant and what its options leave", async () => {
    const product = await getProduct({ id: shirt.id });
    expect(product.selected).toEqual([
      { name: "Colour", label: "Red" },
      { name: "Size", label: "S" },
    ]);
    expect(product.variants.map(({ id }: { id: string }) => id)).toEqual([variant("Red S")]);
    expect(product.options).toEqual([
      {
        name: "Colour",
        values: [
          { label: "Red", exists: true, available: true },
          { label: "Blue", exists: true, available: false },
        ],
      },
      {
        name: "Size",
        values: [
          { label: "S", exists: true, available: true },
          { label: "M", exists: true, available: true },
        ],
      },
    ]);
  });

  it("narrows a product by selections and drops those that no variant has", async () => {
    const ids = (product: { variants: { id: string }[] }) => product.variants.map(({ id }) => id);
    const red = await getProduct({ id: shirt.id, selected: [{ name: "Colour", label: "Red" }] });
    expect(ids(red)).toEqual([variant("Red S"), variant("Red M")]);

    const selected = [
      { name: "Size", label: "M" },
      { name: "Colour", label: "Blue" },
    ];
    const bySize = await getProduct({ id: shirt.id, selected, preferences: ["Size", "Colour"] });
    expect(bySize.selected).toEqual([selected[0]]);
    expect(ids(bySize)).toEqual([variant("Red M")]);
    const byColour = await getProduct({ id: shirt.id, selected, preferences: ["Colour", "Size"] });
    expect(byColour.selected).toEqual([selected[1]]);

    const anchored = await getProduct({ id: variant("Blue S"), selected });
    expect(ids(anchored)).toEqual([variant("Blue S")]);
    expect(anchored.options[1].values).toEqual([
      { label: "S", exists: true, available: false },
      { label: "M", exists: false, available: false },
    ]);
  });

  it("answers an unknown product with an error, and another business's too", async () => {
    const other = await createBusiness();
    const elsewhere = agentClient(other, await createPlatform({ release }));
    for (const call of [
      () => agent("POST", "/catalog/product", { id: "none" }),
      () => elsewhere("POST", "/catalog/product", { id: shirt.id }),
      () => agent("POST", "/catalog/product", { id: tea.id, filters: { price: { max: 1 } } }),
    ]) {
      const { status, body } = await call();
      expect(status).toBe(200);
      await assertValid(release, "error_response", body);
      expect(body.messages).toMatchObject([{ code: "not_found", severity: "unrecoverable" }]);
    }
  });

  it.each([
    ["/catalog/search", {}, "a query or a filter"],
    ["/catalog/search", { query: "  " }, "a query or a filter"],
    ["/catalog/search", { query: "tea", pagination: { limit: 0 } }, "pagination.limit"],
    ["/catalog/search", { query: "tea", pagination: { cursor: "x" } }, "cursor"],
    ["/catalog/search", { query: 5 }, "query"],
    ["/catalog/lookup", {}, "ids"],
    ["/catalog/lookup", { ids: [] }, "ids"],
    ["/catalog/product", { id: null }, "id"],
    ["/catalog/product", "{", "JSON object"],
    ["/catalog/product", [], "JSON object"],
  ])("refuses %s with %j", async (path, body, content) => {
    const response = await agent("POST", path, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      code: "invalid_request",
      content: expect.stringContaining(content),
    });
  });

  it("refuses too many ids, and methods that a path does not take", async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `id-${index}`);
    expect(await agent("POST", "/catalog/lookup", { ids })).toMatchObject({
      status: 400,
      body: { code: "request_too_large" },
    });
    const response = await agent("GET", "/catalog/search");
    expect(response).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(response.headers.get("allow")).toBe("POST");
    expect(await agent("POST", "/catalog/none", {})).toMatchObject({ status: 404 });
  });

  it("needs the capability of both sides", async () => {
    const platform = await createPlatform({ release, capabilities: ["dev.ucp.shopping.cart"] });
    const { status, body } = await agentClient(shop, platform)("POST", "/catalog/search", {});
    expect(status).toBe(200);
    expect(body.messages).toMatchObject([{ code: "capabilities_incompatible" }]);
  });
});

type VariantDraft = NewProduct["variants"][number];

const draft = (name: string, fields: Partial<VariantDraft>): VariantDraft => ({
  name,
  priceAdjustmentMinor: 0,
  compareAtPriceMinor: null,
  isDefault: false,
  isActive: true,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
  ...fields,
});

describe("amounts", () => {
  it.each([
    ["JPY", 1_000],
    ["EUR", 1_000],
    ["KWD", 1_000],
  ])("are minor units of %s", async (currency, amount) => {
    const shop = await createBusiness({ currency });
    const tea = await createProduct(shop, { defaultPriceMinor: amount });
    const agent = agentClient(shop, await createPlatform());
    const { body } = await agent("POST", "/catalog/product", { id: tea.id });
    expect(body.product.variants[0].price).toEqual({ amount, currency });
  });
});
