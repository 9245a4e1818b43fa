import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod, createDeliveryZone } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import {
  type ApiClient,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let manage: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  manage = merchant(shop);
});

/** Isolates cache the catalogue and the business for 5 s. */
const expireCaches = () => vi.setSystemTime(Date.now() + 5_001);

type Option = Record<string, unknown>;

const options = async (query = "?country=GH", client = ask): Promise<Option[]> =>
  dataOf(await client("GET", `/delivery/options${query}`));

const pricesOf = (list: readonly Option[]) => list.map(({ name, price }) => `${name} ${price}`);

const add = (productId: string, quantity = 1, fields: object = {}) =>
  ask("POST", "/cart/items", { body: { item_id: productId, quantity, ...fields } });

const offerPickup = async (name: string): Promise<string> => {
  const body = { name, offers_pickup: true, pickup_instructions: "Ring twice." };
  return dataOf(await manage("POST", "/locations", { body })).id;
};

describe("GET /delivery/options", () => {
  it("lists what an option is, the cheapest first, then in the merchant's order", async () => {
    const kiosk = await offerPickup("Kiosk");
    expireCaches();
    const { zoneId } = await createDeliveryMethod(shop, { name: "Slow", sortOrder: 2 });
    await createDeliveryMethod(shop, { zoneId, name: "Slower", sortOrder: 1 });
    await createDeliveryMethod(shop, { zoneId, name: "Hidden", isActive: false });
    const price = { type: "flat", amountMinor: 900 } as const;
    const days = { minDays: 0, maxDays: 1, description: "By bike" };
    const { id } = await createDeliveryMethod(shop, {
      ...{ zoneId, name: "Fast", price, ...days, paymentMethods: ["card", "cash"] },
    });
    const list = await options();
    expect(pricesOf(list)).toEqual(["Kiosk 0.00", "Slower 5.00", "Slow 5.00", "Fast 9.00"]);
    expect(list[0]).toEqual({
      ...{ id: kiosk, type: "pickup", name: "Kiosk", description: "Ring twice." },
      ...{ price: "0.00", currency: "GHS", is_free: true, min_days: null, max_days: null },
      location_id: kiosk,
      payment_methods: ["cash", "mobile_money", "card"],
    });
    expect(list[3]).toEqual({
      ...{ id, type: "delivery", name: "Fast", description: "By bike" },
      ...{ price: "9.00", currency: "GHS", is_free: false, min_days: 0, max_days: 1 },
      location_id: shop.business.locations[0]?.id,
      payment_methods: ["cash", "card"],
    });
  });

  it("offers pickup alone without an address and for an address that no zone serves", async () => {
    await createDeliveryMethod(shop);
    await offerPickup("Kiosk");
    expireCaches();
    for (const query of ["", "?country=NG", "?country=ng&region=Lagos&postal_code=1"])
      expect(pricesOf(await options(query)), query).toEqual(["Kiosk 0.00"]);
    expect(pricesOf(await options("?city=Accra"))).toEqual(["Kiosk 0.00", "Courier 5.00"]);
  });

  it.each([
    ["country", "?country=Ghana"],
    ["country", "?country=XX"],
    ["postal_code", `?country=GH&postal_code=${"1".repeat(41)}`],
  ])("names %s in bad input", async (field, query) => {
    expect(await ask("GET", `/delivery/options${query}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });

  it("prices the cart by its weight and its discounted subtotal", async () => {
    const { zoneId } = await createDeliveryMethod(shop, {
      name: "Weight",
      price: {
        type: "by_weight",
        tiers: [
          { maxGrams: 500, amountMinor: 100 },
          { maxGrams: 1_000, amountMinor: 200 },
        ],
      },
    });
    await createDeliveryMethod(shop, {
      ...{ zoneId, name: "Subtotal", sortOrder: 1 },
      price: {
        type: "by_subtotal",
        tiers: [
          { minSubtotalMinor: 1_000, amountMinor: 700 },
          { minSubtotalMinor: 3_000, amountMinor: 300 },
        ],
      },
    });
    await createDeliveryMethod(shop, { zoneId, name: "Free", freeOverMinor: 2_700, sortOrder: 2 });
    await createDeal(shop); // ten percent of everything
    const weighing = { weightGrams: 500, productType: "product" } as const;
    const tea = await createProduct(shop, weighing);
    const ebook = await createProduct(shop, { ...weighing, productType: "digital" });

    expect(pricesOf(await options())).toEqual(["Weight 1.00", "Free 5.00"]);
    await add(ebook.id);
    expect(await options()).toEqual([]); // nothing is shipped
    await add(tea.id); // 18.00 and 500 g, since the e-book weighs nothing
    expect(pricesOf(await options())).toEqual(["Weight 1.00", "Free 5.00", "Subtotal 7.00"]);
    await add(tea.id); // 27.00 and 1,000 g
    expect(pricesOf(await options())).toEqual(["Free 0.00", "Weight 2.00", "Subtotal 7.00"]);
    await add(tea.id); // 36.00 and 1,500 g
    expect(pricesOf(await options())).toEqual(["Free 0.00", "Subtotal 3.00"]);
    expect(pricesOf(await options("?country=GH", shopper(shop)))).toEqual([
      "Weight 1.00",
      "Free 5.00",
    ]);
  });

  it("weighs variants, and bundles without a weight by what they contain", async () => {
    const { zoneId } = await createDeliveryMethod(shop, { name: "Any" });
    for (const maxGrams of [420, 1_120])
      await createDeliveryMethod(shop, {
        ...{ zoneId, name: `${maxGrams} g`, sortOrder: maxGrams },
        price: { type: "by_weight", tiers: [{ maxGrams, amountMinor: 500 }] },
      });
    const { id, variants } = dataOf(
      await manage("POST", "/products", {
        body: {
          ...{ name: "Tea", default_price: "1", weight_grams: 70 },
          variants: [{ name: "Small" }, { name: "Large", weight_grams: 350 }],
        },
      }),
    );
    const { product_id } = dataOf(
      await manage("POST", "/bundles", {
        body: {
          ...{ name: "Two", pricing: { type: "fixed", value: "2" } },
          components: [
            { name: "Large", product_id: id, default_variant_id: variants[1].id, quantity: 2 },
          ],
        },
      }),
    );
    await add(id, 1, { variant_id: variants[0].id });
    await add(id, 1, { variant_id: variants[1].id }); // 420 g
    expect(pricesOf(await options())).toEqual(["Any 5.00", "420 g 5.00", "1120 g 5.00"]);
    await add(product_id); // 1,120 g
    expect(pricesOf(await options())).toEqual(["Any 5.00", "1120 g 5.00"]);
    await manage("PATCH", `/products/${product_id}`, { body: { weight_grams: 701 } });
    expireCaches();
    expect(pricesOf(await options())).toEqual(["Any 5.00"]);
  });

  it("ships from the cart's location, else from the first of the zone's with all stock", async () => {
    const [home, near, far, other] = [
      String(shop.business.locations[0]?.id),
      ...(await Promise.all(["Near", "Far", "Other"].map(offerPickup))),
    ];
    expireCaches();
    const [first = "", second = ""] = [near, far];
    const zone = await manage("POST", "/delivery/zones", {
      body: { name: "Z", areas: [{ country: "GH" }], location_ids: [first, second] },
    });
    await createDeliveryMethod(shop, { zoneId: dataOf(zone).id });
    const [cup, tea] = await Promise.all(
      ["Cup", "Tea"].map((name) => createProduct(shop, { name, inventoryType: "tracked" })),
    );
    const stocked = (item: string | undefined, location: string | undefined, quantity: number) =>
      manage("PUT", `/inventory/${item}/locations/${location}`, {
        body: { quantity_on_hand: quantity },
      });
    await stocked(cup?.id, near, 5);
    await stocked(tea?.id, near, 1);
    await stocked(cup?.id, far, 5);
    await stocked(tea?.id, far, 2);
    await stocked(tea?.id, home, 9);
    const shipsFrom = async () =>
      (await options()).flatMap(({ type, location_id }) =>
        type === "delivery" ? [location_id] : [],
      );
    expect(await shipsFrom()).toEqual([near]);
    await add(String(cup?.id));
    await add(String(tea?.id));
    expect(await shipsFrom()).toEqual([near]);
    await add(String(tea?.id));
    expect(await shipsFrom()).toEqual([far]);
    await add(String(tea?.id)); // neither has three
    expect(await shipsFrom()).toEqual([near]);
    await manage("DELETE", `/locations/${near}`);
    expireCaches();
    expect(await shipsFrom()).toEqual([far]);

    ask = shopper(shop);
    await add(String(cup?.id), 1, { location_id: far });
    expect((await options()).map(({ type, location_id }) => [type, location_id])).toEqual([
      ["pickup", far],
      ["delivery", far],
    ]);
    ask = shopper(shop);
    const plain = await createProduct(shop, { name: "Plain" });
    await add(plain.id, 1, { location_id: other });
    expect(await shipsFrom()).toEqual([]);
  });

  it("leaves a place to its most specific zone that serves the cart, also without methods", async () => {
    const { zoneId } = await createDeliveryMethod(shop, { name: "Country" });
    const area = { country: "GH", regions: ["Volta"], postalCodePrefixes: ["V1"] };
    await createDeliveryZone(shop, { name: "None", areas: [area] });
    expect(pricesOf(await options("?country=gh&region=volta&postal_code=v%201%202"))).toEqual([]);
    expect(pricesOf(await options("?country=gh&region=volta&postal_code=w1"))).toEqual([
      "Country 5.00",
    ]);
    await manage("PATCH", `/delivery/zones/${zoneId}`, { body: { is_active: false } });
    expireCaches();
    expect(await options()).toEqual([]);
  });

  it("passes over zones of other locations than the cart's", async () => {
    const [home = "", kiosk] = [shop.business.locations[0]?.id, await offerPickup("Kiosk")];
    expireCaches();
    await createDeliveryMethod(shop, { name: "Country" });
    const areas = [{ country: "GH", regions: ["Volta"], postal_code_prefixes: [] }];
    const zone = await manage("POST", "/delivery/zones", {
      body: { name: "Volta", areas, location_ids: [kiosk] },
    });
    await createDeliveryMethod(shop, { zoneId: dataOf(zone).id, name: "Region" });
    const tea = await createProduct(shop);
    const deliveriesFrom = async (fields: object) => {
      ask = shopper(shop);
      await add(tea.id, 1, fields);
      const list = await options("?country=GH&region=Volta");
      return list.flatMap(({ type, name }) => (type === "delivery" ? [name] : []));
    };
    expect(await deliveriesFrom({})).toEqual(["Region"]);
    expect(await deliveriesFrom({ location_id: kiosk })).toEqual(["Region"]);
    expect(await deliveriesFrom({ location_id: home })).toEqual(["Country"]);
    await manage("DELETE", `/locations/${kiosk}`);
    expireCaches();
    expect(await deliveriesFrom({})).toEqual(["Country"]);
  });

  it("reads at most two round trips cold and none again, for any number of prefixes", async () => {
    const prefixes = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const rows = async (zones: number, perZone: number) => {
      shop = await createBusiness();
      ask = shopper(shop);
      for (let zone = 0; zone < zones; zone += 1) {
        const postalCodePrefixes = prefixes(perZone, `Z${zone}X`);
        const areas = [{ country: "GH", regions: [], postalCodePrefixes }];
        const { id } = await createDeliveryZone(shop, { name: `Zone ${zone}`, areas });
        await createDeliveryMethod(shop, { zoneId: id });
      }
      await add((await createProduct(shop)).id);
      expireCaches();
      const place = "/delivery/options?country=GH&region=Volta&postal_code=Z1X4";
      const { rowsRead } = await measureD1Usage(async () => {
        const cold = await ask("GET", place);
        expect(dataOf(cold)).toHaveLength(1);
        expect(roundTrips(cold)).toMatchObject({ d1: 2, do: 1 });
        const warm = await ask("GET", place);
        expect(roundTrips(warm)).toMatchObject({ d1: 0, do: 1 });
      });
      return rowsRead;
    };
    expect(await rows(8, 700)).toBeLessThan((await rows(2, 5)) + 5);
  });
});
