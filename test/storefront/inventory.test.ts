import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { findStock } from "../../shared/availability/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import {
  createProductRow,
  createStockLevelRow,
  createVariantRow,
  requireData,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let here: string;

beforeEach(async () => {
  shop = await createBusiness();
  here = shop.business.locations[0]?.id ?? "";
});

const read = (path: string) => shopper(shop)("GET", `/inventory${path}`);

async function createLocation(): Promise<string> {
  const answer = await merchant(shop)("POST", "/locations", {
    body: { name: "Market", timezone: "Africa/Accra" },
  });
  expect(answer).toMatchObject({ status: 201 });
  return Object(answer.body).data.id;
}

/** A shirt tracked by variant: 4 small and 9 large, one of each reserved. */
async function createShirt() {
  const shirt = await createProductRow(shop, { inventoryType: "variant_level" });
  const small = await createVariantRow(shop, shirt, { name: "Small", isDefault: true });
  const large = await createVariantRow(shop, shirt, { name: "Large", position: 1 });
  await createStockLevelRow(shop, shirt, { itemId: small.id, onHand: 4, reserved: 1 });
  await createStockLevelRow(shop, shirt, { itemId: large.id, onHand: 9, reserved: 1 });
  return { shirt, small, large };
}

describe("GET /inventory/products/{product_id}/stock", () => {
  it("returns each location's stock and the totals", async () => {
    const market = await createLocation();
    const tea = await createProductRow(shop, { inventoryType: "tracked" });
    await createStockLevelRow(shop, tea, { onHand: 10, reserved: 3 });
    const level = { itemId: tea.id, productId: tea.id, locationId: market };
    await setStockLevel(contextFor(shop), level, { quantityOnHand: 5 });
    const there = { location_id: market, quantity_on_hand: 5, quantity_reserved: 0 };

    expect(requireData(await read(`/products/${tea.id}/stock`))).toEqual({
      product_id: tea.id,
      inventory_type: "tracked",
      quantity_on_hand: 15,
      quantity_available: 12,
      locations: [
        { location_id: here, quantity_on_hand: 10, quantity_reserved: 3, quantity_available: 7 },
        { ...there, quantity_available: 5 },
      ],
    });
    expect(requireData(await read(`/products/${tea.id}/stock?location_id=${here}`))).toEqual({
      product_id: tea.id,
      inventory_type: "tracked",
      quantity_on_hand: 10,
      quantity_available: 7,
      locations: [
        { location_id: here, quantity_on_hand: 10, quantity_reserved: 3, quantity_available: 7 },
      ],
    });
  });

  it("returns zeros for a tracked product without levels", async () => {
    const tea = await createProductRow(shop, { inventoryType: "tracked" });
    expect(requireData(await read(`/products/${tea.id}/stock`))).toMatchObject({
      quantity_on_hand: 0,
      quantity_available: 0,
      locations: [{ location_id: here, quantity_on_hand: 0, quantity_available: 0 }],
    });
  });

  it.each(["none", "variant_level"] as const)(
    "returns null totals for %s",
    async (inventoryType) => {
      const product = await createProductRow(shop, { inventoryType });
      const variant = await createVariantRow(shop, product);
      await createStockLevelRow(shop, product, { itemId: variant.id, onHand: 4 });
      expect(requireData(await read(`/products/${product.id}/stock`))).toEqual({
        product_id: product.id,
        inventory_type: inventoryType,
        quantity_on_hand: null,
        quantity_available: null,
        locations: [],
      });
    },
  );
});

describe("GET /inventory/variants/{variant_id}/stock", () => {
  it("returns the variant's own stock", async () => {
    const { large } = await createShirt();
    expect(requireData(await read(`/variants/${large.id}/stock?location_id=${here}`))).toEqual({
      variant_id: large.id,
      inventory_type: "variant_level",
      quantity_on_hand: 9,
      quantity_available: 8,
      locations: [
        { location_id: here, quantity_on_hand: 9, quantity_reserved: 1, quantity_available: 8 },
      ],
    });
  });

  it("returns the product's stock when tracked as a whole, and null when untracked", async () => {
    const tea = await createProductRow(shop, { inventoryType: "tracked" });
    const [leaf, plain] = [
      await createVariantRow(shop, tea),
      await createVariantRow(shop, await createProductRow(shop)),
    ];
    await createStockLevelRow(shop, tea, { onHand: 6 });
    expect(requireData(await read(`/variants/${leaf.id}/stock`))).toMatchObject({
      variant_id: leaf.id,
      inventory_type: "tracked",
      quantity_on_hand: 6,
    });
    expect(requireData(await read(`/variants/${plain.id}/stock`))).toMatchObject({
      inventory_type: "none",
      quantity_on_hand: null,
      quantity_available: null,
      locations: [],
    });
  });
});

describe("GET /inventory/…/availability", () => {
  it("returns whether the quantity is available after reservations", async () => {
    const tea = await createProductRow(shop, { inventoryType: "tracked" });
    await createStockLevelRow(shop, tea, { onHand: 10, reserved: 3 });
    expect(requireData(await read(`/products/${tea.id}/availability?quantity=7`))).toEqual({
      product_id: tea.id,
      is_available: true,
      quantity_requested: 7,
      quantity_available: 7,
    });
    expect(
      requireData(await read(`/products/${tea.id}/availability?quantity=8&location_id=${here}`)),
    ).toEqual({
      product_id: tea.id,
      is_available: false,
      quantity_requested: 8,
      quantity_available: 7,
    });
  });

  it("is always available when stock is not tracked", async () => {
    const product = await createProductRow(shop);
    const variant = await createVariantRow(shop, product);
    for (const path of [`/products/${product.id}`, `/variants/${variant.id}`]) {
      expect(requireData(await read(`${path}/availability?quantity=1000000`))).toMatchObject({
        is_available: true,
        quantity_requested: 1_000_000,
        quantity_available: null,
      });
    }
  });

  it("checks the variant, or any variant of a product", async () => {
    const { shirt, small } = await createShirt();
    const variant = async (quantity: number) =>
      requireData(await read(`/variants/${small.id}/availability?quantity=${quantity}`));
    const product = async (quantity: number) =>
      requireData(await read(`/products/${shirt.id}/availability?quantity=${quantity}`));
    expect(await variant(3)).toEqual({
      variant_id: small.id,
      is_available: true,
      quantity_requested: 3,
      quantity_available: 3,
    });
    expect(await variant(4)).toMatchObject({ is_available: false });
    expect(await product(8)).toEqual({
      product_id: shirt.id,
      is_available: true,
      quantity_requested: 8,
      quantity_available: null,
    });
    expect(await product(9)).toMatchObject({ is_available: false });
  });

  it.each(["", "quantity=0", "quantity=1000001", "quantity=1.5", "quantity=many"])(
    "rejects the query ?%s with the field quantity",
    async (query) => {
      const { shirt, small } = await createShirt();
      for (const path of [`/products/${shirt.id}`, `/variants/${small.id}`]) {
        expect(await read(`${path}/availability?${query}`)).toMatchObject({
          status: 400,
          body: { error: { code: "VALIDATION_ERROR", context: { field: "quantity" } } },
        });
      }
    },
  );
});

describe("all inventory calls", () => {
  const calls = (productId: string, variantId: string, query = "") => [
    `/products/${productId}/stock?${query}`,
    `/variants/${variantId}/stock?${query}`,
    `/products/${productId}/availability?quantity=1&${query}`,
    `/variants/${variantId}/availability?quantity=1&${query}`,
  ];

  it.each([
    ["unknown", async () => ({ product: { id: "prod_x" }, variant: { id: "var_x" } })],
    ["inactive", async () => createVariantProduct({ isActive: false }, {})],
    ["archived", async () => createVariantProduct({ archivedAt: 1 }, { archivedAt: 1 })],
    [
      "another business's",
      async () => createVariantProduct({}, {}, await createBusinessOnSameShard(shop)),
    ],
  ] as const)("do not find a product that is %s", async (_what, createVariantProduct) => {
    const { product, variant } = await createVariantProduct();
    for (const path of calls(product.id, variant.id)) {
      expect(await read(path), path).toMatchObject({ status: 404 });
    }
  });

  it("do not find an inactive variant or an unknown location", async () => {
    const { product, variant } = await createVariantProduct({}, { isActive: false });
    expect(await read(`/variants/${variant.id}/stock`)).toMatchObject({ status: 404 });
    const { shirt, small } = await createShirt();
    for (const path of calls(shirt.id, small.id, "location_id=loc_unknown")) {
      expect(await read(path), path).toMatchObject({ status: 404 });
    }
    expect(product.id).not.toBe(shirt.id);
  });

  it("need at most two round trips including the key's, and one with a cached key", async () => {
    const { shirt, small } = await createShirt();
    for (const path of calls(shirt.id, small.id)) {
      const cold = roundTrips(await read(path));
      expect(cold.d1).toBeLessThanOrEqual(2);
      expect(roundTrips(await read(path))).toMatchObject({ d1: 1, do: 0 });
    }
  });

  it("require a key", async () => {
    for (const path of calls("prod_x", "var_x")) {
      expect(
        await shopper({ keys: { ...shop.keys, publishable: "pk_test_wrong" } })(
          "GET",
          `/inventory${path}`,
        ),
      ).toMatchObject({ status: 401 });
    }
  });

  async function createVariantProduct(
    product: Parameters<typeof createProductRow>[1],
    variant: Parameters<typeof createVariantRow>[2],
    owner = shop,
  ) {
    const created = await createProductRow(owner, { inventoryType: "variant_level", ...product });
    return { product: created, variant: await createVariantRow(owner, created, variant) };
  }
});

it.each(["product", "variant"] as const)(
  "reads a %s by id and its levels by an index",
  async (of) => {
    const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
    const plans: string[] = [];
    const explaining = {
      prepare: (query: string) => d1.prepare(`explain query plan ${query}`),
      async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
        const read = await d1.batch<{ detail: string }>(statements);
        plans.push(...read.flatMap(({ results }) => results.map(({ detail }) => detail)));
        return statements.map(() => ({ results: [], success: true }) as never);
      },
    };
    const db = openDb(explaining, createMeter());
    await expect(
      findStock({ db, business: shop.business }, { of, id: "some_1" }),
    ).rejects.toThrow();
    const searches = plans.filter((step) => step.startsWith("SEARCH "));
    expect(searches.length).toBeGreaterThanOrEqual(3);
    expect(plans.filter((step) => /^SCAN (?!CONSTANT)/.test(step))).toEqual([]);
    const byKey = /\((?:business_id=\? AND )?(?:id|product_id|rowid)=\?\)/;
    expect(searches.filter((step) => !byKey.test(step))).toEqual([]);
  },
);
