import { describe, expect, it } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import { createBusinessOnSameShard, merchant, roundTrips, shopper } from "../support/world.ts";
import { createShop, postProduct, teaFields } from "./create-product.ts";

async function createShopWithTwoLocations() {
  const { shop, ask } = await createShop();
  // Uses a new key, because the response to a key is cached briefly.
  const headers = { "X-API-Key": await createKey(shop) };
  const added = await ask("POST", "/locations", { body: { name: "Airport" }, headers });
  const airport = String(valueAt(added, "data.id"));
  return { shop, ask, home: String(shop.business.locations[0]?.id), airport };
}

/** The price is 15.00 at the airport (20.00 for the large variant) and 12.50 at home. */
async function createShopWithPrices() {
  const { ask, ...rest } = await createShopWithTwoLocations();
  const { id, response } = await postProduct(ask);
  const variantId = valueAt(response, "data.variants.1.id");
  const price_overrides = [
    { location_id: rest.airport, variant_id: null, price: "15.00" },
    { location_id: rest.airport, variant_id: variantId, price: "20.00" },
  ];
  const changed = await ask("PATCH", `/products/${id}`, { body: { price_overrides } });
  return { ...rest, ask, id, price_overrides, changed };
}

describe("PATCH /v1/businesses/{business_id}/products/{product_id}, price_overrides", () => {
  it("stores and returns the overrides", async () => {
    const { ask, id, price_overrides, changed } = await createShopWithPrices();
    expect(changed.body).toMatchObject(success({ price_overrides, default_price: "12.50" }));
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
    const renamed = await ask("PATCH", `/products/${id}`, { body: { name: "Other" } });
    expect(renamed.body).toMatchObject(success({ price_overrides }));
  });

  it("deletes the override of a removed variant", async () => {
    const { ask, id, price_overrides } = await createShopWithPrices();
    const left = await ask("PATCH", `/products/${id}`, {
      body: { variants: [{ name: "Small", sku: "T-S", axis_values: { size: "S" } }] },
    });
    expect(valueAt(left, "data.price_overrides")).toEqual(price_overrides.slice(0, 1));
  });

  it.each([
    ["price_overrides.0.location_id", { location_id: "loc_unknown" }],
    ["price_overrides.0.variant_id", { variant_id: "var_unknown" }],
    ["price_overrides.0.price", { price: "-1" }],
    ["price_overrides.0.price", { price: "1.234" }],
    ["price_overrides.0.price", { price: undefined }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask, home } = await createShopWithTwoLocations();
    const { id } = await postProduct(ask);
    const before = await countBusinessRows(shop);
    const body = { price_overrides: [{ location_id: home, price: "1", ...fields }] };
    const responses = [
      await ask("PATCH", `/products/${id}`, { body }),
      await ask("POST", "/products", { body: { ...teaFields, ...body } }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    }
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("rejects another business's location and two overrides for one location", async () => {
    const { shop, ask, home } = await createShopWithTwoLocations();
    const other = await createBusinessOnSameShard(shop);
    const foreign = [{ location_id: other.business.locations[0]?.id, price: "1" }];
    const post = (price_overrides: unknown) =>
      ask("POST", "/products", { body: { ...teaFields, price_overrides } });
    expect(valueAt(await post(foreign), "error.context.field")).toBe(
      "price_overrides.0.location_id",
    );
    const twice = [
      { location_id: home, price: "1" },
      { location_id: home, price: "2" },
    ];
    expect(valueAt(await post(twice), "error.context.field")).toBe("price_overrides.1");
  });
});

describe("storefront prices at a location", () => {
  const detail = async (shop: Parameters<typeof shopper>[0], path: string) =>
    shopper(shop)("GET", `/catalogue/products/${path}`);

  it("are shown for the product and as variant adjustments", async () => {
    const { shop, home, airport, id } = await createShopWithPrices();
    const prices = async (query: string) => {
      const response = await detail(shop, `${id}${query}`);
      return [
        valueAt(response, "data.default_price"),
        valueAt(response, "data.variants.0.price_adjustment"),
        valueAt(response, "data.variants.1.price_adjustment"),
      ];
    };
    expect(await prices("")).toEqual(["12.50", "0.00", "-1.25"]);
    expect(await prices(`?location_id=${home}`)).toEqual(["12.50", "0.00", "-1.25"]);
    expect(await prices(`?location_id=${airport}`)).toEqual(["15.00", "0.00", "5.00"]);
    expect(await prices(`?location_id=${airport}`)).toEqual(["15.00", "0.00", "5.00"]);
  });

  it("are not found for an unknown location", async () => {
    const { shop, id } = await createShopWithPrices();
    expect((await detail(shop, `${id}?location_id=loc_unknown`)).status).toBe(404);
    expect((await detail(shop, "?location_id=loc_unknown")).status).toBe(404);
  });

  it("are shown, sorted, filtered and paginated by in lists", async () => {
    const { shop, ask, airport } = await createShopWithPrices();
    const cheap = { location_id: airport, price: "1" };
    await postProduct(ask, { name: "Dear at home", default_price: "30", price_overrides: [cheap] });
    await postProduct(ask, { name: "Same", default_price: "14" });
    const list = async (query: string) => {
      const { body } = await shopper(shop)("GET", `/catalogue/products?sort_by=price&${query}`);
      const { data } = body as {
        data: {
          items: { name: string; default_price: string }[];
          pagination: { next_cursor: string };
        };
      };
      return {
        prices: data.items.map(({ name, default_price }) => `${name} ${default_price}`),
        cursor: data.pagination.next_cursor,
      };
    };
    const here = `location_id=${airport}`;
    expect((await list("")).prices).toEqual(["Thé noir 12.50", "Same 14.00", "Dear at home 30.00"]);
    expect((await list(here)).prices).toEqual([
      "Dear at home 1.00",
      "Same 14.00",
      "Thé noir 15.00",
    ]);
    expect((await list(`${here}&max_price=14`)).prices).toEqual([
      "Dear at home 1.00",
      "Same 14.00",
    ]);
    expect((await list(`${here}&min_price=15`)).prices).toEqual(["Thé noir 15.00"]);
    const first = await list(`${here}&limit=2`);
    expect((await list(`${here}&limit=2&cursor=${first.cursor}`)).prices).toEqual([
      "Thé noir 15.00",
    ]);
    expect((await list(`${here}&search=home`)).prices).toEqual(["Dear at home 1.00"]);
    expect(roundTrips(await merchant(shop)("GET", "/products")).d1).toBe(1);
  });

  it("apply to a composite's calculated price", async () => {
    const { shop, ask, airport } = await createShopWithTwoLocations();
    const groups = [{ name: "Base", components: [{ name: "Rice", price: "2" }] }];
    const composite = await ask("POST", "/composites", {
      body: {
        name: "Bowl",
        base_price: "10",
        groups,
        price_overrides: [{ location_id: airport, price: "12" }],
      },
    });
    const component_id = valueAt(composite, "data.groups.0.components.0.component_id");
    const price = async (location_id: string | null) =>
      shopper(shop)(
        "POST",
        `/catalogue/composites/${valueAt(composite, "data.id")}/calculate-price`,
        {
          body: { selections: [{ component_id, quantity: 1 }], location_id },
        },
      );
    expect(valueAt(await price(null), "data.subtotal")).toBe("12.00");
    expect(valueAt(await price(airport), "data.base_price")).toBe("12.00");
    expect(valueAt(await price(airport), "data.subtotal")).toBe("14.00");
  });
});
