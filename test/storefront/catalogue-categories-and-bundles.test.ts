import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";
import {
  createBundleRow,
  createCategoryRow,
  createCompositeRow,
  createProductRow,
  createVariantRow,
  requireData,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
const get = (path: string) => shopper(shop)("GET", path);

beforeAll(async () => {
  shop = await createBusiness();
});

describe("GET /catalogue/categories", () => {
  it("lists categories in display order with their number of active products, those of subcategories included", async () => {
    const own = await createBusiness();
    const second = await createCategoryRow(own, { slug: "second", sortOrder: 2 });
    const first = await createCategoryRow(own, { slug: "first", sortOrder: 1, parentId: second });
    await createCategoryRow(own, { slug: "archived", archivedAt: 1 });
    await createProductRow(own, { categoryId: first });
    await createProductRow(own, { categoryId: first, isActive: false });
    await createProductRow(own, { categoryId: first, archivedAt: 1 });
    await createProductRow(own, { categoryId: second });
    expect(requireData(await shopper(own)("GET", "/catalogue/categories"))).toEqual([
      {
        id: first,
        name: "first",
        slug: "first",
        parent_id: second,
        image_url: null,
        product_count: 1,
        sort_order: 1,
      },
      expect.objectContaining({ id: second, parent_id: null, product_count: 2 }),
    ]);
    const products = await shopper(own)("GET", `/catalogue/categories/${second}/products`);
    expect(requireData(products)).toMatchObject({ pagination: { total: 2 } });
    const detail = await shopper(own)("GET", `/catalogue/categories/${first}`);
    expect(requireData(detail)).toMatchObject({ id: first, description: "", product_count: 1 });
  });

  it("lists categories of the same sort order by name", async () => {
    const own = await createBusiness();
    for (const slug of ["Date", "cherry", "Banana", "apple"])
      await createCategoryRow(own, { slug });
    const listed = requireData<{ name: string }[]>(
      await shopper(own)("GET", "/catalogue/categories"),
    );
    expect(listed.map(({ name }) => name)).toEqual(["apple", "Banana", "cherry", "Date"]);
  });

  it("pages the products of a category and its subcategories", async () => {
    const parent = await createCategoryRow(shop, { slug: "parent" });
    const child = await createCategoryRow(shop, { slug: "child", parentId: parent });
    for (const categoryId of [parent, child, parent]) await createProductRow(shop, { categoryId });
    const page = async (query: string) =>
      requireData<{ items: unknown[]; pagination: unknown }>(
        await get(`/catalogue/categories/${parent}/products?${query}`),
      );
    const first = await page("limit=2");
    expect(first.items).toHaveLength(2);
    expect(first.pagination).toEqual({ limit: 2, offset: 0, total: 3, has_more: true });
    const second = await page("limit=2&offset=2");
    expect(second.items).toHaveLength(1);
    expect(second.pagination).toEqual({ limit: 2, offset: 2, total: 3, has_more: false });
  });

  it("does not find another business's category or its products", async () => {
    const foreign = await createCategoryRow(await createBusiness(), { slug: "foreign" });
    expect((await get(`/catalogue/categories/${foreign}`)).status).toBe(404);
    expect((await get(`/catalogue/categories/${foreign}/products`)).status).toBe(404);
  });

  it.each(["limit=0", "limit=101", "offset=-1"])(
    "refuses %s and names the field",
    async (query) => {
      expect(await get(`/catalogue/categories/cat_1/products?${query}`)).toMatchObject({
        status: 400,
        body: { error: { context: { field: query.split("=")[0] } } },
      });
    },
  );
});

describe("GET /catalogue/bundles", () => {
  it("lists, searches and gets bundles with their components", async () => {
    const bread = await createProductRow(shop, { name: "Bread" });
    const product = await createProductRow(shop, {
      name: "Breakfast",
      slug: "breakfast",
      productType: "bundle",
      defaultPriceMinor: 3_000,
    });
    const component = {
      componentId: "c1",
      name: "Bread",
      productId: bread.id,
      defaultVariantId: null,
      quantity: 2,
      isSwappable: true,
    };
    const id = await createBundleRow(shop, product, [component]);
    const hidden = await createBundleRow(
      shop,
      await createProductRow(shop, { isActive: false }),
      [],
    );
    const entry = {
      id,
      product_id: product.id,
      name: "Breakfast",
      slug: "breakfast",
      default_price: "30.00",
      compare_at_price: null,
      currency: "GHS",
      image_url: null,
    };
    expect(requireData(await get("/catalogue/bundles"))).toEqual([entry]);
    expect(requireData(await get("/catalogue/bundles?search=breakf"))).toEqual([entry]);
    expect(requireData(await get("/catalogue/bundles?search=lunch"))).toEqual([]);
    expect(requireData(await get(`/catalogue/bundles/${id}`))).toEqual({
      ...entry,
      description: "",
      components: [
        {
          component_id: "c1",
          name: "Bread",
          product_id: bread.id,
          default_variant_id: null,
          quantity: 2,
          is_swappable: true,
        },
      ],
    });
    const byProduct = await get(`/catalogue/bundles/by-product/${product.id}`);
    expect(requireData(byProduct)).toMatchObject({ id, product_id: product.id });
    expect((await get("/catalogue/bundles/by-product/prod_none")).status).toBe(404);
    expect((await get(`/catalogue/bundles/${hidden}`)).status).toBe(404);
    expect((await get("/catalogue/bundles?limit=101")).status).toBe(400);
  });
});

describe("/catalogue/composites", () => {
  let product: { id: string };
  let id: string;
  let large: { id: string };

  beforeAll(async () => {
    const topping = await createProductRow(shop, { name: "Cheese" });
    large = await createVariantRow(shop, topping, { name: "Large", priceAdjustmentMinor: 150 });
    product = await createProductRow(shop, { name: "Pizza", productType: "composite" });
    id = await createCompositeRow(shop, product, {
      basePriceMinor: 4_000,
      groups: [
        {
          id: "g1",
          name: "Toppings",
          minSelections: 1,
          maxSelections: 3,
          components: [
            { componentId: "cheese", name: "Cheese", priceMinor: 500, productId: topping.id },
            { componentId: "olives", name: "Olives", priceMinor: 250, productId: null },
          ],
        },
      ],
    });
  });

  it("lists composites, and gets one by its id and by its product's id", async () => {
    const entry = {
      id,
      product_id: product.id,
      name: "Pizza",
      base_price: "40.00",
      currency: "GHS",
      image_url: null,
    };
    expect(requireData(await get("/catalogue/composites"))).toEqual([entry]);
    const detail = await get(`/catalogue/composites/${id}`);
    expect(requireData(detail)).toMatchObject({
      ...entry,
      groups: [
        {
          id: "g1",
          min_selections: 1,
          max_selections: 3,
          components: [{ price: "5.00" }, { price: "2.50" }],
        },
      ],
    });
    expect((await get(`/catalogue/composites/by-product/${product.id}`)).body).toEqual(detail.body);
    expect((await get("/catalogue/composites/comp_none")).status).toBe(404);
    expect((await get("/catalogue/composites/by-product/prod_none")).status).toBe(404);
  });

  const price = (body: unknown, composite = id) =>
    shopper(shop)("POST", `/catalogue/composites/${composite}/calculate-price`, { body });

  it("calculates the price of the selections", async () => {
    const selections = [
      { component_id: "cheese", quantity: 2, variant_id: large.id },
      { component_id: "olives", quantity: 1 },
    ];
    expect(requireData(await price({ selections }))).toEqual({
      composite_id: id,
      base_price: "40.00",
      components_total: "15.50",
      subtotal: "55.50",
      currency: "GHS",
      is_complete: true,
      missing: [],
    });
  });

  it("calculates the price so far of an incomplete selection, and names what is missing", async () => {
    const lunch = await merchant(shop)("POST", "/composites", {
      body: {
        name: "Lunch",
        base_price: "10",
        groups: [
          {
            name: "Sides",
            min_selections: 3,
            max_selections: 4,
            components: [{ name: "Rice", price: "2" }],
          },
          {
            name: "Drinks",
            min_selections: 0,
            max_selections: 1,
            components: [{ name: "Water", price: "1.50" }],
          },
        ],
      },
    });
    const { id: lunchId, product_id, groups } = dataOf(lunch);
    const [sides, drinks] = groups;
    const rice = { component_id: sides.components[0].component_id, quantity: 1 };
    const water = { component_id: drinks.components[0].component_id, quantity: 1 };
    expect(await price({ selections: [rice, water] }, lunchId)).toMatchObject({
      status: 200,
      body: {
        data: {
          subtotal: "13.50",
          is_complete: false,
          missing: [{ group_id: sides.id, name: "Sides", quantity: 2 }],
        },
      },
    });
    const body = { item_id: product_id, composite_selections: [rice, water] };
    expect(await shopper(shop)("POST", "/cart/items", { body })).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SELECTION_INVALID" } } },
    });
    expect(dataOf(await price({ selections: [{ ...rice, quantity: 3 }] }, lunchId))).toMatchObject({
      subtotal: "16.00",
      is_complete: true,
      missing: [],
    });
  });

  const one = { component_id: "olives", quantity: 1 };
  it.each([
    ["no selections", { selections: [] }, 400, { context: { field: "selections" } }],
    [
      "a blank component_id",
      { selections: [{ ...one, component_id: " " }] },
      400,
      { context: { field: "selections.0.component_id" } },
    ],
    [
      "a quantity below 1",
      { selections: [{ ...one, quantity: 0 }] },
      400,
      { context: { field: "selections.0.quantity" } },
    ],
    [
      "an unknown component",
      { selections: [{ ...one, component_id: "ham" }] },
      404,
      { code: "NOT_FOUND" },
    ],
    [
      "an unknown location",
      { selections: [one], location_id: "loc_none" },
      404,
      { code: "NOT_FOUND" },
    ],
    [
      "a quantity over the group's maximum",
      { selections: [{ ...one, quantity: 4 }] },
      422,
      { context: { rule: "SELECTION_INVALID" } },
    ],
  ])("refuses %s", async (_what, body, status, error) => {
    expect(await price(body)).toMatchObject({ status, body: { error } });
  });

  it("does not price an unknown composite", async () => {
    expect((await price({ selections: [one] }, "comp_none")).status).toBe(404);
  });
});

describe("GET /business", () => {
  it("returns the business's public details", async () => {
    const answer = await get("/business");
    const { id, name, locations } = shop.business;
    expect(requireData(answer)).toEqual({
      id,
      name,
      slug: shop.business.slug,
      appearance: { logo_url: null, accent_color: null },
      currency: "GHS",
      default_country: "GH",
      timezone: "Africa/Accra",
      payment_methods: ["cash", "mobile_money", "card"],
      locations: [
        {
          id: locations[0]?.id,
          name: "Test shop",
          address: null,
          timezone: "Africa/Accra",
          operating_hours: {},
          offers_pickup: false,
          pickup_instructions: null,
          is_default: true,
        },
      ],
    });
  });
});
