import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { tracesOf } from "../support/traces.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";
import { created, shopAndAsk, tea } from "./given-product.ts";

async function shopWithTwoPlaces() {
  const { shop, ask } = await shopAndAsk();
  // With a key of its own, as what a key serves is remembered for a moment.
  const headers = { "X-API-Key": await givenKey(shop) };
  const added = await ask("POST", "/locations", { body: { name: "Airport" }, headers });
  const airport = String(at(added, "data.id"));
  return { shop, ask, home: String(shop.business.locations[0]?.id), airport };
}

/** The airport's price is 15.00, of its large variant 20.00; at home the product costs 12.50. */
async function shopWithPrices() {
  const { ask, ...rest } = await shopWithTwoPlaces();
  const { id, answer } = await created(ask);
  const variantId = at(answer, "data.variants.1.id");
  const price_overrides = [
    { location_id: rest.airport, variant_id: null, price: "15.00" },
    { location_id: rest.airport, variant_id: variantId, price: "20.00" },
  ];
  const changed = await ask("PATCH", `/products/${id}`, { body: { price_overrides } });
  return { ...rest, ask, id, price_overrides, changed };
}

describe("PATCH /v1/businesses/{business_id}/products/{product_id}, price_overrides", () => {
  it("keeps the prices, and tells them again", async () => {
    const { ask, id, price_overrides, changed } = await shopWithPrices();
    expect(changed.body).toMatchObject(success({ price_overrides, default_price: "12.50" }));
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
    const renamed = await ask("PATCH", `/products/${id}`, { body: { name: "Other" } });
    expect(renamed.body).toMatchObject(success({ price_overrides }));
  });

  it("drops the price of a variant that leaves", async () => {
    const { ask, id, price_overrides } = await shopWithPrices();
    const left = await ask("PATCH", `/products/${id}`, {
      body: { variants: [{ name: "Small", sku: "T-S", axis_values: { size: "S" } }] },
    });
    expect(at(left, "data.price_overrides")).toEqual(price_overrides.slice(0, 1));
  });

  it.each([
    ["price_overrides.0.location_id", { location_id: "loc_unknown" }],
    ["price_overrides.0.variant_id", { variant_id: "var_unknown" }],
    ["price_overrides.0.price", { price: "-1" }],
    ["price_overrides.0.price", { price: "1.234" }],
    ["price_overrides.0.price", { price: undefined }],
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask, home } = await shopWithTwoPlaces();
    const { id } = await created(ask);
    const before = await tracesOf(shop);
    const body = { price_overrides: [{ location_id: home, price: "1", ...fields }] };
    const answers = [
      await ask("PATCH", `/products/${id}`, { body }),
      await ask("POST", "/products", { body: { ...tea, ...body } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    }
    expect(await tracesOf(shop)).toEqual(before);
  });

  it("refuses another business's location, and two prices for one place", async () => {
    const { shop, ask, home } = await shopWithTwoPlaces();
    const other = await givenNeighbour(shop);
    const foreign = [{ location_id: other.business.locations[0]?.id, price: "1" }];
    const post = (price_overrides: unknown) =>
      ask("POST", "/products", { body: { ...tea, price_overrides } });
    expect(at(await post(foreign), "error.context.field")).toBe("price_overrides.0.location_id");
    const twice = [
      { location_id: home, price: "1" },
      { location_id: home, price: "2" },
    ];
    expect(at(await post(twice), "error.context.field")).toBe("price_overrides.1");
  });
});

describe("the public's prices at a location", () => {
  const detail = async (shop: Parameters<typeof shopper>[0], path: string) =>
    shopper(shop)("GET", `/catalogue/products/${path}`);

  it("are on the detail: the product's own, and the variants' differences from it", async () => {
    const { shop, home, airport, id } = await shopWithPrices();
    const prices = async (query: string) => {
      const answer = await detail(shop, `${id}${query}`);
      return [
        at(answer, "data.default_price"),
        at(answer, "data.variants.0.price_adjustment"),
        at(answer, "data.variants.1.price_adjustment"),
      ];
    };
    expect(await prices("")).toEqual(["12.50", "0.00", "-1.25"]);
    expect(await prices(`?location_id=${home}`)).toEqual(["12.50", "0.00", "-1.25"]);
    expect(await prices(`?location_id=${airport}`)).toEqual(["15.00", "0.00", "5.00"]);
    expect(await prices(`?location_id=${airport}`)).toEqual(["15.00", "0.00", "5.00"]);
  });

  it("do not exist for an unknown location", async () => {
    const { shop, id } = await shopWithPrices();
    expect((await detail(shop, `${id}?location_id=loc_unknown`)).status).toBe(404);
    expect((await detail(shop, "?location_id=loc_unknown")).status).toBe(404);
  });

  it("are what a list shows, sorts, bounds and pages by", async () => {
    const { shop, ask, airport } = await shopWithPrices();
    const cheap = { location_id: airport, price: "1" };
    await created(ask, { name: "Dear at home", default_price: "30", price_overrides: [cheap] });
    await created(ask, { name: "Same", default_price: "14" });
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

  it("are what a composite's calculated price starts from", async () => {
    const { shop, ask, airport } = await shopWithTwoPlaces();
    const groups = [{ name: "Base", components: [{ name: "Rice", price: "2" }] }];
    const composite = await ask("POST", "/composites", {
      body: {
        name: "Bowl",
        base_price: "10",
        groups,
        price_overrides: [{ location_id: airport, price: "12" }],
      },
    });
    const component_id = at(composite, "data.groups.0.components.0.component_id");
    const price = async (location_id: string | null) =>
      shopper(shop)("POST", `/catalogue/composites/${at(composite, "data.id")}/calculate-price`, {
        body: { selections: [{ component_id, quantity: 1 }], location_id },
      });
    expect(at(await price(null), "data.subtotal")).toBe("12.00");
    expect(at(await price(airport), "data.base_price")).toBe("12.00");
    expect(at(await price(airport), "data.subtotal")).toBe("14.00");
  });
});
