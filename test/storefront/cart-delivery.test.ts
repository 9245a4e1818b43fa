import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod, createDeliveryZone } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiClient,
  createBusiness,
  type dataOf,
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

const accra = { street_address: "1 High Street", city: "Accra", country: "GH" };

type CartBody = ReturnType<typeof dataOf>;

const add = (productId: string, quantity = 1, fields: object = {}): Promise<CartBody> =>
  requireData(ask("POST", "/cart/items", { body: { item_id: productId, quantity, ...fields } }));

const put = (optionId: string, fields: object = {}) =>
  ask("PUT", "/cart/delivery", { body: { option_id: optionId, ...fields } });

const choose = (optionId: string, fields: object = {}): Promise<CartBody> =>
  requireData(put(optionId, fields));

const createPickup = async (name: string, fields: object = {}): Promise<string> => {
  const body = { name, offers_pickup: true, ...fields };
  const { id } = await requireData(manage("POST", "/locations", { body }));
  expireCaches();
  return id;
};

describe("PUT /cart/delivery", () => {
  it("chooses a method, whose price is part of the total", async () => {
    const { id } = await createDeliveryMethod(shop);
    const tea = await createProduct(shop);
    expect(await add(tea.id)).toMatchObject({ delivery: null });
    const cart = await choose(id, { address: accra });
    expect(cart.delivery).toEqual({
      ...{ option_id: id, type: "delivery", name: "Courier", price: "5.00", address: accra },
      location_id: shop.business.locations[0]?.id,
    });
    expect(cart.pricing).toMatchObject({ delivery_total: "5.00", total_price: "15.00" });
    expect(cart.notices).toEqual([]);
    expect(await requireData(ask("GET", "/cart"))).toEqual(cart);
    expect((await add(tea.id)).pricing.total_price).toBe("25.00");
  });

  it("chooses a pickup, and takes the earlier address for a delivery without one", async () => {
    const { id } = await createDeliveryMethod(shop);
    const kiosk = await createPickup("Kiosk");
    await add((await createProduct(shop)).id);
    await choose(id, { address: accra });
    const collected = await choose(kiosk);
    expect(collected.delivery).toEqual({
      ...{ option_id: kiosk, type: "pickup", name: "Kiosk", price: "0.00", address: null },
      location_id: kiosk,
    });
    expect(collected.pricing.total_price).toBe("10.00");
    const noted = await choose(kiosk, { address: { note: "The red car" } });
    expect(noted.delivery.address).toEqual({ note: "The red car" });
    expect((await choose(id)).delivery).toMatchObject({ option_id: id, address: accra });
  });

  it("refuses an option without an address, an unknown one, and one that does not apply", async () => {
    const { id, zoneId } = await createDeliveryMethod(shop);
    const hidden = await createDeliveryMethod(shop, { zoneId, isActive: false });
    const other = await createBusiness();
    const foreign = await createDeliveryMethod(other);
    const kiosk = await createPickup("Kiosk");
    const store = await createPickup("Store", { offers_pickup: false });
    await add((await createProduct(shop)).id, 1, { location_id: store });
    const refusals = [
      [id, {}, 400, { field: "address" }],
      [id, { address: {} }, 400, { field: "address" }],
      [id, { address: { country: "Ghana" } }, 400, { field: "address.country" }],
      [id, { address: { country: "NG" } }, 422, { rule: "DELIVERY_UNAVAILABLE" }],
      [kiosk, {}, 422, { rule: "DELIVERY_UNAVAILABLE" }], // the cart has another location
      [store, {}, 404, undefined],
      [hidden.id, { address: accra }, 404, undefined],
      [foreign.id, { address: accra }, 404, undefined],
      [foreign.id, {}, 404, undefined],
      [String(other.business.locations[0]?.id), {}, 404, undefined],
      ["dlm_unknown", { address: accra }, 404, undefined],
    ] as const;
    for (const [optionId, fields, status, context] of refusals) {
      const { body, ...response } = await put(optionId, fields);
      expect(response.status, JSON.stringify([optionId, fields, body])).toBe(status);
      if (context) expect(body).toMatchObject({ error: { context } });
    }
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({ delivery: null });
  });

  it("costs what other writes cost: two round trips cold, none warm", async () => {
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    expireCaches();
    expect(roundTrips(await put(id, { address: accra }))).toMatchObject({ d1: 2, do: 1 });
    expect(roundTrips(await put(id, { address: accra }))).toMatchObject({ d1: 0, do: 1 });
    const tea = { item_id: (await createProduct(shop)).id };
    expireCaches();
    expect(roundTrips(await ask("POST", "/cart/items", { body: tea })).d1).toBe(2);
    expect(roundTrips(await ask("POST", "/cart/items", { body: tea })).d1).toBe(0);
  });
});

describe("the delivery of a cart", () => {
  it("is priced with every write, and costs nothing while the cart is empty", async () => {
    const { zoneId } = await createDeliveryMethod(shop, { name: "Other" });
    const { id } = await createDeliveryMethod(shop, {
      ...{ zoneId, freeOverMinor: 2_500 },
      price: {
        type: "by_weight",
        tiers: [
          { maxGrams: 500, amountMinor: 300 },
          { maxGrams: 1_500, amountMinor: 700 },
        ],
      },
    });
    const tea = await createProduct(shop, { weightGrams: 500 });
    expect((await choose(id, { address: accra })).pricing.total_price).toBe("0.00");
    expect((await add(tea.id)).pricing).toMatchObject({ delivery_total: "3.00" });
    const { items, pricing } = await add(tea.id);
    expect(pricing).toMatchObject({ delivery_total: "7.00", total_price: "27.00" });
    expect((await add(tea.id)).pricing).toMatchObject({ delivery_total: "0.00" });
    await createDeal(shop, { code: "HALF", value: "50" });
    expireCaches();
    const halved = await requireData(
      ask("POST", "/cart/coupons", { body: { coupon_code: "HALF" } }),
    );
    expect(halved.pricing).toMatchObject({ delivery_total: "7.00", total_price: "22.00" });
    const path = `/cart/items/${items[0].id}`;
    const empty = await requireData(ask("DELETE", path));
    expect(empty).toMatchObject({ delivery: { option_id: id }, notices: [] });
    expect(empty.pricing).toMatchObject({ delivery_total: "0.00", total_price: "0.00" });
  });

  it("leaves with a notice when its option stops applying", async () => {
    const { zoneId } = await createDeliveryMethod(shop, { name: "Other" });
    const light = { type: "by_weight", tiers: [{ maxGrams: 600, amountMinor: 300 }] } as const;
    const low = {
      type: "by_subtotal",
      tiers: [{ minSubtotalMinor: 1_000, amountMinor: 1 }],
    } as const;
    const create = async (fields: Parameters<typeof createDeliveryMethod>[1]) => {
      const { id } = await createDeliveryMethod(shop, { zoneId, ...fields });
      return id;
    };
    const tea = await createProduct(shop, { weightGrams: 500 });
    const book = await createProduct(shop, { name: "E-book", productType: "digital" });
    const kiosk = await createPickup("Kiosk");
    const archived = await create({ name: "Archived" });
    const zone = await createDeliveryZone(shop, {
      areas: [{ country: "GH", regions: ["Volta"], postalCodePrefixes: [] }],
    });
    const moved = (await createDeliveryMethod(shop, { zoneId: zone.id })).id;
    const remove = async (cart: CartBody, index: number) =>
      requireData(ask("DELETE", `/cart/items/${cart.items[index].id}`));
    const cases: readonly (readonly [string, object, (cart: CartBody) => Promise<CartBody>])[] = [
      [await create({ price: light }), accra, () => add(tea.id)],
      [
        await create({ price: low }),
        accra,
        async () => {
          await createDeal(shop, {
            code: "ONE",
            value: "1",
          });
          expireCaches();
          return requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "ONE" } }));
        },
      ],
      [await create({ name: "Goods" }), accra, async () => remove(await add(book.id), 0)],
      [
        archived,
        accra,
        async () => {
          await manage("DELETE", `/delivery/methods/${archived}`);
          expireCaches();
          return add(tea.id);
        },
      ],
      [
        moved,
        { ...accra, region: "Volta" },
        async () => {
          const areas = [{ country: "GH", regions: ["Ashanti"] }];
          await requireData(manage("PATCH", `/delivery/zones/${zone.id}`, { body: { areas } }));
          expireCaches();
          return add(tea.id);
        },
      ],
      [
        kiosk,
        accra,
        async () => {
          await manage("PATCH", `/locations/${kiosk}`, { body: { offers_pickup: false } });
          expireCaches();
          return add(tea.id);
        },
      ],
    ];
    for (const [optionId, address, write] of cases) {
      ask = shopper(shop);
      await add(tea.id);
      const before = await choose(optionId, { address });
      const after = await write(before);
      expect(after, optionId).toMatchObject({
        delivery: null,
        pricing: { delivery_total: "0.00" },
        notices: [{ code: "DELIVERY_REMOVED", option_id: optionId }],
      });
      expect((await requireData(ask("GET", "/cart"))).notices).toEqual(after.notices);
      expect((await add(tea.id)).notices).toEqual([]);
    }
  });

  it("is dropped with its address by DELETE /cart/delivery and DELETE /cart", async () => {
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    for (const path of ["/cart/delivery", "/cart"]) {
      await choose(id, { address: accra });
      expect(await requireData(ask("DELETE", path)), path).toMatchObject({
        delivery: null,
        pricing: { delivery_total: "0.00" },
        notices: [],
      });
      expect((await put(id)).status).toBe(400);
    }
  });

  it("ships from the location that has all of the stock", async () => {
    const [near, far] = [await createPickup("Near"), await createPickup("Far")];
    const zone = await requireData(
      manage("POST", "/delivery/zones", {
        body: { name: "Z", areas: [{ country: "GH" }], location_ids: [near, far] },
      }),
    );
    const { id } = await createDeliveryMethod(shop, { zoneId: zone.id });
    const tea = await createProduct(shop, { inventoryType: "tracked" });
    for (const [location, quantity_on_hand] of [
      [near, 1],
      [far, 2],
    ])
      await manage("PUT", `/inventory/${tea.id}/locations/${location}`, {
        body: { quantity_on_hand },
      });
    await add(tea.id);
    expect((await choose(id, { address: accra })).delivery.location_id).toBe(near);
    expect((await add(tea.id)).delivery.location_id).toBe(far);
  });

  it("is what a waiting deal of free delivery takes off", async () => {
    await createDeal(shop, { code: "SHIP", discountType: "free_delivery", value: null });
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    const waiting = await requireData(
      ask("POST", "/cart/coupons", { body: { coupon_code: "SHIP" } }),
    );
    expect(waiting.pricing).toMatchObject({ discount_total: "0.00", total_price: "10.00" });
    const { pricing } = await choose(id, { address: accra });
    expect(pricing).toMatchObject({
      ...{ delivery_total: "5.00", discount_total: "5.00", total_price: "10.00" },
      discounts: [{ code: "SHIP", amount: "5.00" }],
    });
    expect(await requireData(ask("DELETE", "/cart/delivery"))).toMatchObject({
      coupons: [{ code: "SHIP" }],
      pricing: { discount_total: "0.00", total_price: "10.00" },
    });
  });
});

describe("the price of a delivery", () => {
  it("stays the same when a deal on it displaces one on the goods", async () => {
    await createDeal(shop, { value: "20", combinesWith: ["product"] });
    const ship = { code: "SHIP", discountType: "free_delivery", value: null } as const;
    await createDeal(shop, { ...ship, combinesWith: ["product"] });
    const { id } = await createDeliveryMethod(shop, {
      price: {
        type: "by_subtotal",
        tiers: [
          { minSubtotalMinor: 0, amountMinor: 900 },
          { minSubtotalMinor: 750, amountMinor: 300 },
        ],
      },
    });
    const { items } = await add((await createProduct(shop)).id);
    await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "SHIP" } }));
    // 20 percent off 10.00 leaves 8.00, so that the delivery costs 3.00, which SHIP takes off instead.
    const expected = { delivery_total: "3.00", discount_total: "3.00", total_price: "10.00" };
    expect((await choose(id, { address: accra })).pricing).toMatchObject(expected);
    const path = `/cart/items/${items[0].id}`;
    for (let write = 0; write < 2; write += 1)
      expect(
        (await requireData(ask("PATCH", path, { body: { quantity: 1 } }))).pricing,
      ).toMatchObject(expected);
  });
});

describe("the taxes of a cart with a delivery", () => {
  const createRate = (fields: object) =>
    requireData(
      manage("POST", "/tax/rates", {
        body: { name: "VAT", applies_to_delivery: true, ...fields },
      }),
    );

  it("are those of its address, also on the delivery, and those of the location of a pickup", async () => {
    await createRate({ country: "GH", rate_percent: "15" });
    await createRate({ country: "KE", rate_percent: "16", applies_to_delivery: false });
    const areas = ["GH", "KE"].map((country) => ({ country, regions: [], postalCodePrefixes: [] }));
    const { id: zoneId } = await createDeliveryZone(shop, { areas });
    const { id } = await createDeliveryMethod(shop, { zoneId });
    const nairobi = await createPickup("Nairobi", { address: { country: "KE" } });
    await add((await createProduct(shop)).id);
    // 15 percent of 10.00 + 5.00
    expect((await choose(id, { address: accra })).pricing).toMatchObject({
      tax_lines: [{ rate_percent: "15", taxable_amount: "15.00", amount: "2.25" }],
      total_price: "17.25",
    });
    // 16 percent of 10.00, not on the delivery
    expect((await choose(id, { address: { country: "ke" } })).pricing).toMatchObject({
      tax_lines: [{ rate_percent: "16", taxable_amount: "10.00", amount: "1.60" }],
      total_price: "16.60",
    });
    expect((await choose(nairobi)).pricing).toMatchObject({
      tax_lines: [{ rate_percent: "16", amount: "1.60" }],
      total_price: "11.60",
    });
    // The default location is in Ghana.
    expect((await requireData(ask("DELETE", "/cart/delivery"))).pricing).toMatchObject({
      tax_lines: [{ rate_percent: "15", amount: "1.50" }],
    });
    await changeSettings(shop, { tax: { ratePercent: "0", isInclusive: true } });
    // 15.00 × 15 ÷ 115 = 1.9565 is contained
    expect((await choose(id, { address: accra })).pricing).toMatchObject({
      tax_lines: [{ rate_percent: "15", taxable_amount: "13.04", amount: "1.96" }],
      total_price: "15.00",
    });
  });
});
