import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const add = (body: unknown, headers = {}) => ask("POST", "/cart/items", { body, headers });

describe("POST /cart/items", () => {
  it("answers with the cart and the line written", async () => {
    const product = await givenProduct(shop, { name: "Cocoa", defaultPriceMinor: 1_250 });
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

  it("raises the quantity of a line with the same configuration, in whatever order options come", async () => {
    const product = await givenProduct(shop, {
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

  it("takes the default variant when none is chosen", async () => {
    const variant = {
      isActive: true,
      sku: null,
      durationMinutes: null,
      bufferMinutes: null,
      capacity: null,
    };
    const product = await givenProduct(shop, {
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
    { what: "a broken quantity", body: { item_id: "x", quantity: 1.5 }, field: "quantity" },
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
  ])("refuses $what, naming the field", async ({ body, field }) => {
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
    { what: "a variant of nothing", body: { variant_id: "var_unknown" } },
    { what: "an unknown option", body: { add_on_options: ["opt_unknown"] } },
    { what: "a plan that is none", body: { billing_plan_id: "bp_unknown" } },
  ])("answers 404 for $what and leaves the cart as it was", async ({ body }) => {
    const product = await givenProduct(shop);
    expect(await add({ item_id: product.id, ...body })).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 0 } });
  });

  it("does not find another business's product, nor an inactive one", async () => {
    const foreign = await givenProduct(await givenBusiness());
    const inactive = await givenProduct(shop, { isActive: false });
    expect(await add({ item_id: foreign.id })).toMatchObject({ status: 404 });
    expect(await add({ item_id: inactive.id })).toMatchObject({ status: 404 });
  });

  it("refuses more than 100 pieces of one line", async () => {
    const product = await givenProduct(shop);
    await add({ item_id: product.id, quantity: 60 });
    expect(await add({ item_id: product.id, quantity: 41 })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "quantity" } } },
    });
    expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 60 } });
  });

  it("refuses more than there is in stock, and says how much the line may have", async () => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 5);
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

  it("refuses fewer pieces too while they are more than the other lines leave, and says how many those are", async () => {
    const product = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, product, 10);
    const first = await add({ item_id: product.id, quantity: 5 });
    await add({ item_id: product.id, quantity: 5, special_instructions: "gift" });
    await givenStock(shop, product, 6);
    const path = `/cart/items/${Object(first.body).data.item.id}`;
    for (const quantity of [3, 6]) {
      expect(await ask("PATCH", path, { body: { quantity } })).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available: 1 } } },
      });
    }
    expect(await ask("PATCH", path, { body: { quantity: 1 } })).toMatchObject({ status: 200 });
  });

  it("refuses an amount that no sale could charge, and leaves the cart readable", async () => {
    const product = await givenProduct(shop, { defaultPriceMinor: 6_000_000_000_000 });
    await add({ item_id: product.id });
    expect(await add({ item_id: product.id })).toMatchObject({ status: 400 });
    expect(await ask("GET", "/cart")).toMatchObject({
      status: 200,
      body: { data: { item_count: 1 } },
    });
  });

  it("answers a repeated Idempotency-Key byte for byte, and adds once", async () => {
    const product = await givenProduct(shop);
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

  it("stays within its round trips, warm, cold and with stock", async () => {
    const [plain, tracked] = [
      await givenProduct(shop),
      await givenProduct(shop, { inventoryType: "tracked" }),
    ];
    await givenStock(shop, tracked, 5);
    const cold = roundTrips(await add({ item_id: plain.id }));
    expect(cold.d1).toBeLessThanOrEqual(2);
    expect(cold.do).toBe(1);
    expect(roundTrips(await add({ item_id: plain.id }))).toMatchObject({ d1: 0, do: 1 });
    expect(roundTrips(await add({ item_id: tracked.id })).d1).toBeLessThanOrEqual(2);
    expect(roundTrips(await add({ item_id: tracked.id }))).toMatchObject({ d1: 1, do: 1 });
  });

  it("makes one line of many adds at once", async () => {
    const product = await givenProduct(shop);
    await ask("GET", "/cart");
    await Promise.all(Array.from({ length: 20 }, () => add({ item_id: product.id })));
    expect(await ask("GET", "/cart/items")).toMatchObject({ body: { data: [{ quantity: 20 }] } });
  });
});
