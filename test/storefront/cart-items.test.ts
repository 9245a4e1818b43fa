import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const add = (body: unknown, headers = {}) => ask("POST", "/cart/items", { body, headers });

describe("POST /cart/items", () => {
  it("returns the cart and the written line", async () => {
    const product = await createProduct(shop, { name: "Cocoa", defaultPriceMinor: 1_250 });
    expect(
      await add({ item_id: product.id, quantity: 3, special_instructions: "no sugar" }),
    ).toMatchObject({
      status: 200,
      body: {
        data: {
          business_id: shop.business.id,
          item_count: 3,
          pricing: { subtotal: "37.50", total_price: "37.50" },
          item: {
            item_id: product.id,
            name: "Cocoa",
            variant_id: null,
            quantity: 3,
            unit_price: "12.50",
            line_total: "37.50",
            special_instructions: "no sugar",
          },
        },
      },
    });
  });

  it("increases the quantity of an equal configuration, for any order of options", async () => {
    const product = await createProduct(shop, {
      addOns: [
        {
          name: "Toppings",
          selectionType: "multiple",
          isRequired: false,
          options: [
            { name: "Cream", priceMinor: 200 },
            { name: "Honey", priceMinor: 100 },
          ],
        },
      ],
    });
    const [cream, honey] = (product.addOns[0]?.options ?? []).map(({ id }) => id);
    await add({ item_id: product.id, add_on_options: [cream, honey] });
    await add({ item_id: product.id, add_on_options: [honey, cream], quantity: 2 });
    await add({ item_id: product.id, add_on_options: [honey] });
    expect(await ask("GET", "/cart/items")).toMatchObject({
      body: {
        data: [
          { quantity: 3, unit_price: "13.00" },
          { quantity: 1, unit_price: "11.00" },
        ],
      },
    });
  });

  it("uses the default variant when none is chosen", async () => {
    const variant = {
      isActive: true,
      sku: null,
      durationMinutes: null,
      bufferMinutes: null,
      capacity: null,
    };
    const product = await createProduct(shop, {
      variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
      variants: [
        {
          ...variant,
          name: "Small",
          priceAdjustmentMinor: -100,
          isDefault: false,
          axisValues: { size: "Small" },
        },
        {
          ...variant,
          name: "Large",
          priceAdjustmentMinor: 300,
          isDefault: true,
          axisValues: { size: "Large" },
        },
      ],
    });
    expect(await add({ item_id: product.id })).toMatchObject({
      body: { data: { item: { variant_name: "Large", unit_price: "13.00" } } },
    });
    const large = product.variants.find(({ name }) => name === "Large")?.id;
    expect(await add({ item_id: product.id, variant_id: large })).toMatchObject({
      body: { data: { items: [{ variant_id: large, quantity: 2 }] } },
    });
  });

  it.each([
    { what: "an empty item_id", body: { item_id: "" }, field: "item_id" },
    { what: "no item_id", body: {}, field: "item_id" },
    { what: "a quantity of 0", body: { item_id: "x", quantity: 0 }, field: "quantity" },
    { what: "a quantity of 101", body: { item_id: "x", quantity: 101 }, field: "quantity" },
    { what: "a fractional quantity", body: { item_id: "x", quantity: 1.5 }, field: "quantity" },
    {
      what: "a control character",
      body: { item_id: "x", special_instructions: "a\u0000b" },
      field: "special_instructions",
    },
    {
      what: "a blank component",
      body: { item_id: "x", bundle_selections: [{ component_id: "" }] },
      field: "bundle_selections.0.component_id",
    },
  ])("rejects $what with its field", async ({ body, field }) => {
    expect(await add(body)).toMatchObject({
      status: 400,
      body: {
        success: false,
        error: { code: "VALIDATION_ERROR", retryable: false, context: { field } },
      },
    });
  });

  it.each([
    { what: "an unknown product", body: { item_id: "prod_unknown" } },
    { what: "an unknown quote", body: { quote_id: "pq_unknown" } },
    { what: "an unknown variant", body: { variant_id: "var_unknown" } },
    { what: "an unknown option", body: { add_on_options: ["opt_unknown"] } },
    { what: "an unknown plan", body: { billing_plan_id: "bp_unknown" } },
  ])("returns 404 for $what and does not change the cart", async ({ body }) => {
    const product = await createProduct(shop);
    expect(await add({ item_id: product.id, ...body })).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 0 } });
  });

  it("does not find another business's product or an inactive one", async () => {
    const foreign = await createProduct(await createBusiness());
    const inactive = await createProduct(shop, { isActive: false });
    expect(await add({ item_id: foreign.id })).toMatchObject({ status: 404 });
    expect(await add({ item_id: inactive.id })).toMatchObject({ status: 404 });
  });

  it("rejects more than 100 units of one line", async () => {
    const product = await createProduct(shop);
    await add({ item_id: product.id, quantity: 60 });
    expect(await add({ item_id: product.id, quantity: 41 })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "quantity" } } },
    });
    expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 60 } });
  });

  it("rejects more than is in stock and returns the available quantity", async () => {
    const product = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, product, 5);
    await add({ item_id: product.id, quantity: 3 });
    expect(
      await add({ item_id: product.id, quantity: 3, special_instructions: "gift" }),
    ).toMatchObject({
      status: 422,
      body: {
        error: {
          code: "BUSINESS_RULE_VIOLATION",
          context: { rule: "OUT_OF_STOCK", quantity_available: 2 },
        },
      },
    });
  });

  it("rejects a smaller quantity that still exceeds the stock left by other lines", async () => {
    const product = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, product, 10);
    const first = await add({ item_id: product.id, quantity: 5 });
    await add({ item_id: product.id, quantity: 5, special_instructions: "gift" });
    await setStock(shop, product, 6);
    const path = `/cart/items/${Object(first.body).data.item.id}`;
    for (const quantity of [3, 6]) {
      expect(await ask("PATCH", path, { body: { quantity } })).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available: 1 } } },
      });
    }
    expect(await ask("PATCH", path, { body: { quantity: 1 } })).toMatchObject({ status: 200 });
  });

  it("rejects an amount too large to charge and keeps the cart readable", async () => {
    const product = await createProduct(shop, { defaultPriceMinor: 6_000_000_000_000 });
    await add({ item_id: product.id });
    expect(await add({ item_id: product.id })).toMatchObject({ status: 400 });
    expect(await ask("GET", "/cart")).toMatchObject({
      status: 200,
      body: { data: { item_count: 1 } },
    });
  });

  it("replays a repeated Idempotency-Key byte for byte and adds once", async () => {
    const product = await createProduct(shop);
    await ask("GET", "/cart");
    const key = { "Idempotency-Key": "5f1d3c1e-add" };
    const first = await add({ item_id: product.id, quantity: 2 }, key);
    const again = await add({ item_id: product.id, quantity: 2 }, key);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 2 } });
    expect(await add({ item_id: product.id, quantity: 3 }, key)).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false } },
    });
  });

  it("stays within its round-trip budget: warm, cold and with stock", async () => {
    const [plain, tracked] = [
      await createProduct(shop),
      await createProduct(shop, { inventoryType: "tracked" }),
    ];
    await setStock(shop, tracked, 5);
    const cold = roundTrips(await add({ item_id: plain.id }));
    expect(cold.d1).toBeLessThanOrEqual(2);
    expect(cold.do).toBe(1);
    expect(roundTrips(await add({ item_id: plain.id }))).toMatchObject({ d1: 0, do: 1 });
    expect(roundTrips(await add({ item_id: tracked.id })).d1).toBeLessThanOrEqual(2);
    expect(roundTrips(await add({ item_id: tracked.id }))).toMatchObject({ d1: 1, do: 1 });
  });

  it("merges concurrent adds into one line", async () => {
    const product = await createProduct(shop);
    await ask("GET", "/cart");
    await Promise.all(Array.from({ length: 20 }, () => add({ item_id: product.id })));
    expect(await ask("GET", "/cart/items")).toMatchObject({ body: { data: [{ quantity: 20 }] } });
  });
});
