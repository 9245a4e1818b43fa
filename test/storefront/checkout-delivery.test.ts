import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod, createDeliveryZone } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiClient,
  type ApiResponse,
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

const accra = { street_address: "1 High Street", city: "Accra", country: "GH" };
const cash = { customer: { phone: "0241234567" }, payment_method: "cash" };

const add = (productId: string, quantity = 1) =>
  requireData(ask("POST", "/cart/items", { body: { item_id: productId, quantity } }));

const choose = (option_id: string, address: object | null = accra) =>
  requireData(ask("PUT", "/cart/delivery", { body: { option_id, address } }));

async function checkOut(fields: object = {}, key?: string): Promise<ApiResponse> {
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return ask("POST", "/checkout", { body: { cart_id, ...cash, ...fields }, headers });
}

async function orderOf(response: ApiResponse) {
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return requireData(ask("GET", `/orders/${dataOf(response).order_id}`));
}

const ruleOf = ({ status, body }: ApiResponse): unknown =>
  status === 422 ? Object(body).error.context.rule : status;

const createPickup = async (name: string, fields: object = {}): Promise<string> => {
  const body = { name, offers_pickup: true, ...fields };
  const { id } = await requireData(manage("POST", "/locations", { body }));
  expireCaches();
  return id;
};

describe("POST /checkout with a delivery", () => {
  it("charges the cart's choice, and the order tells how it is delivered", async () => {
    const { id } = await createDeliveryMethod(shop, { minDays: 1, maxDays: 3 });
    await add((await createProduct(shop)).id);
    await choose(id);
    const response = await checkOut({ expected_total: "15.00" });
    expect(roundTrips(response).d1).toBeLessThanOrEqual(3);
    const home = shop.business.locations[0]?.id;
    const delivered = {
      delivery: {
        ...{ type: "delivery", name: "Courier", price: "5.00", address: accra },
        ...{ location_id: home, min_days: 1, max_days: 3 },
      },
      ...{ order_type: "delivery", address_info: accra, location_id: home },
      ...{ subtotal: "10.00", delivery_total: "5.00", total_price: "15.00" },
    };
    const order = await orderOf(response);
    expect(order).toMatchObject(delivered);
    expect(await requireData(manage("GET", `/orders/${order.id}`))).toMatchObject(delivered);
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({ delivery: null });
    const csv = String((await manage("GET", "/orders/export")).body);
    expect(csv).toContain("delivery_total");
    expect(csv).toContain("Courier");
  });

  it("takes the option and the address of the request before those of the cart", async () => {
    const { id, zoneId } = await createDeliveryMethod(shop);
    const fast = await createDeliveryMethod(shop, {
      ...{ zoneId, name: "Fast", price: { type: "flat", amountMinor: 900 } },
    });
    await add((await createProduct(shop)).id);
    await choose(id);
    const volta = { region: "Volta", country: "gh" };
    const order = await orderOf(
      await checkOut({ delivery_option_id: fast.id, address_info: volta }),
    );
    expect(order).toMatchObject({
      delivery: { name: "Fast", price: "9.00", address: volta },
      total_price: "19.00",
    });
    await add((await createProduct(shop)).id);
    expect(
      await orderOf(await checkOut({ delivery_option_id: id, address_info: accra })),
    ).toMatchObject({ delivery: { name: "Courier", address: accra } });
  });

  it("collects at a pickup, where it is taxed and takes its stock", async () => {
    await requireData(
      manage("POST", "/tax/rates", { body: { name: "VAT", country: "KE", rate_percent: "16" } }),
    );
    const nairobi = await createPickup("Nairobi", { address: { country: "KE" } });
    const tea = await createProduct(shop, { inventoryType: "tracked" });
    for (const location of [nairobi, shop.business.locations[0]?.id])
      await manage("PUT", `/inventory/${tea.id}/locations/${location}`, {
        body: { quantity_on_hand: 5 },
      });
    await add(tea.id);
    await choose(nairobi, null);
    const order = await orderOf(await checkOut()); // the order type follows from the option
    expect(order).toMatchObject({
      ...{ order_type: "pickup", location_id: nairobi, fulfilment_status: "not_required" },
      delivery: { type: "pickup", name: "Nairobi", price: "0.00", address: null },
      tax_lines: [{ rate_percent: "16", amount: "1.60" }],
      ...{ address_info: null, delivery_total: "0.00", total_price: "11.60" },
    });
    const reserved = "select location_id from stock_levels where quantity_reserved = 1";
    expect(await selectRows(shop, reserved)).toEqual([{ location_id: nairobi }]);
  });

  it("refuses an order that needs an option and has no valid one", async () => {
    const { id, zoneId } = await createDeliveryMethod(shop, { paymentMethods: ["cash"] });
    const archived = await createDeliveryMethod(shop, { zoneId });
    await manage("DELETE", `/delivery/methods/${archived.id}`);
    const foreign = await createDeliveryMethod(await createBusiness());
    const kiosk = await createPickup("Kiosk");
    await add((await createProduct(shop)).id);
    const card = { payment_method: "card" };
    const cases: readonly (readonly [object, unknown])[] = [
      [{}, "DELIVERY_REQUIRED"],
      [{ order_type: "pickup" }, "DELIVERY_REQUIRED"],
      [{ delivery_option_id: id }, "DELIVERY_UNAVAILABLE"], // without an address
      [{ delivery_option_id: id, address_info: { country: "NG" } }, "DELIVERY_UNAVAILABLE"],
      [{ delivery_option_id: id, address_info: { country: "Ghana" } }, "DELIVERY_UNAVAILABLE"],
      [
        { delivery_option_id: id, address_info: accra, order_type: "pickup" },
        "DELIVERY_UNAVAILABLE",
      ],
      [{ delivery_option_id: kiosk, order_type: "delivery" }, "DELIVERY_UNAVAILABLE"],
      [{ delivery_option_id: id, order_type: "dine-in" }, "DELIVERY_UNAVAILABLE"],
      [{ delivery_option_id: id, address_info: accra, ...card }, "PAYMENT_METHOD_UNAVAILABLE"],
      [{ delivery_option_id: archived.id, address_info: accra }, 404],
      [{ delivery_option_id: foreign.id, address_info: accra }, 404],
      [{ delivery_option_id: "dlm_none", address_info: accra }, 404],
      [{ delivery_option_id: String(shop.business.locations[0]?.id), order_type: "pickup" }, 404],
    ];
    for (const [fields, expected] of cases) {
      expect(ruleOf(await checkOut(fields)), JSON.stringify(fields)).toBe(expected);
    }
    expect(await requireData(manage("GET", "/orders"))).toMatchObject({ items: [] });
    const dineIn = await checkOut({ order_type: "dine-in" });
    expect(await orderOf(dineIn)).toMatchObject({ delivery: null });
  });

  it("needs no option where nothing ships, or where the business has none", async () => {
    const tea = await createProduct(shop);
    await add(tea.id);
    expect(await orderOf(await checkOut({ address_info: accra }))).toMatchObject({
      ...{ delivery: null, delivery_total: "0.00", total_price: "10.00" },
    });
    const zone = await createDeliveryZone(shop);
    await createDeliveryMethod(shop, { zoneId: zone.id });
    const book = await createProduct(shop, { name: "E-book", productType: "digital" });
    await add(book.id);
    expect(await orderOf(await checkOut())).toMatchObject({ delivery: null });
    await manage("PATCH", `/delivery/zones/${zone.id}`, { body: { is_active: false } });
    expireCaches();
    await add(tea.id);
    expect(ruleOf(await checkOut()), "a paused zone").toBe("DELIVERY_REQUIRED");
    await manage("DELETE", `/delivery/zones/${zone.id}`);
    expireCaches();
    expect(await orderOf(await checkOut())).toMatchObject({ delivery: null });
  });

  it("notices the first method at the moment of placing", async () => {
    const tea = await createProduct(shop);
    await add(tea.id);
    await orderOf(await checkOut());
    await add(tea.id); // everything is cached now
    await createDeliveryMethod(shop);
    const response = await checkOut();
    expect(ruleOf(response)).toBe("DELIVERY_REQUIRED");
    expect(await requireData(manage("GET", "/orders"))).toMatchObject({ items: [{}] });
    expect((await requireData(ask("GET", "/cart"))).item_count).toBe(1);
  });
});

describe("a delivery that changes before the order is placed", () => {
  it("is charged at its price of that moment, within three round trips", async () => {
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    await choose(id);
    await manage("PATCH", `/delivery/methods/${id}`, {
      body: { price: { type: "flat", amount: "7" } },
    });
    const response = await checkOut();
    expect(roundTrips(response).d1).toBeLessThanOrEqual(3);
    expect(await orderOf(response)).toMatchObject({ delivery_total: "7.00", total_price: "17.00" });
  });

  it("is compared with the expected total", async () => {
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    await choose(id);
    await manage("PATCH", `/delivery/methods/${id}`, { body: { free_over: "10" } });
    const refused = await checkOut({ expected_total: "15.00" });
    expect(refused.body).toMatchObject({
      error: { context: { rule: "PRICE_CHANGED", total_price: "10.00" } },
    });
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      delivery: { option_id: id, price: "0.00" },
      pricing: { delivery_total: "0.00", total_price: "10.00" },
    });
  });

  it("is refused and leaves the cart when its method or its zone is gone", async () => {
    const tea = await createProduct(shop);
    const zones = await Promise.all(
      ["Volta", "Ashanti", "Bono"].map(async (region) => {
        const areas = [{ country: "GH", regions: [region], postalCodePrefixes: [] }];
        const { id: zoneId } = await createDeliveryZone(shop, { name: region, areas });
        return { region, ...(await createDeliveryMethod(shop, { zoneId })) };
      }),
    );
    const [volta, ashanti, bono] = zones;
    const changes = [
      [volta, "DELETE", `/delivery/methods/${volta?.id}`, {}],
      [ashanti, "PATCH", `/delivery/zones/${ashanti?.zoneId}`, { is_active: false }],
      [bono, "PATCH", `/delivery/zones/${bono?.zoneId}`, { areas: [{ country: "KE" }] }],
    ] as const;
    for (const [method, verb, path, body] of changes) {
      ask = shopper(shop);
      await add(tea.id);
      await choose(String(method?.id), { ...accra, region: method?.region });
      await requireData(manage(verb, path, verb === "PATCH" ? { body } : {}));
      expect(ruleOf(await checkOut()), path).toBe("DELIVERY_UNAVAILABLE");
      expect(await requireData(ask("GET", "/cart")), path).toMatchObject({
        ...{ delivery: null, item_count: 1, pricing: { total_price: "10.00" } },
        notices: [{ code: "DELIVERY_REMOVED", option_id: method?.id }],
      });
    }
    expect(await requireData(manage("GET", "/orders"))).toMatchObject({ items: [] });
  });

  it("loses a pickup at a location that has closed since, and can be ordered with another", async () => {
    const closed = await createPickup("Osu");
    const open = await createPickup("Airport");
    await add((await createProduct(shop)).id);
    await choose(closed, null);
    await requireData(manage("DELETE", `/locations/${closed}`));
    expireCaches();
    expect(ruleOf(await checkOut())).toBe("DELIVERY_UNAVAILABLE");
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      ...{ delivery: null, item_count: 1 },
      notices: [{ code: "DELIVERY_REMOVED", option_id: closed }],
    });
    await choose(open, null);
    expect(await orderOf(await checkOut())).toMatchObject({ location_id: open });
  });

  it("leaves the cart with the tax of its own place after a refusal", async () => {
    for (const [country, rate_percent] of [
      ["GH", "15"],
      ["KE", "7.5"],
    ])
      await requireData(
        manage("POST", "/tax/rates", { body: { name: "VAT", country, rate_percent } }),
      );
    const areas = [{ country: "KE", regions: [], postalCodePrefixes: [] }];
    const { id: zoneId } = await createDeliveryZone(shop, { areas });
    const method = await createDeliveryMethod(shop, { zoneId });
    const other = await createDeliveryMethod(shop);
    const nairobi = { city: "Nairobi", country: "KE" };
    await add((await createProduct(shop)).id);
    await choose(method.id, nairobi);
    const elsewhere = { delivery_option_id: other.id, address_info: accra };
    expect(ruleOf(await checkOut({ ...elsewhere, expected_total: "1.00" }))).toBe("PRICE_CHANGED");
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      delivery: { option_id: method.id, address: nairobi },
      pricing: { tax_total: "0.75", delivery_total: "5.00" },
    });
    await requireData(manage("DELETE", `/delivery/zones/${zoneId}`));
    expect(ruleOf(await checkOut())).toBe("DELIVERY_UNAVAILABLE");
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      ...{ delivery: null, pricing: { tax_total: "1.50" } },
    });
  });

  it("goes to a zone that is more specific since", async () => {
    const { id } = await createDeliveryMethod(shop);
    await add((await createProduct(shop)).id);
    await choose(id, { ...accra, region: "Volta" });
    const areas = [{ country: "GH", regions: ["Volta"], postalCodePrefixes: [] }];
    await createDeliveryZone(shop, { name: "Volta", areas });
    expect(ruleOf(await checkOut())).toBe("DELIVERY_UNAVAILABLE");
  });
});

describe("the amounts of an order with a delivery", () => {
  const createRate = (fields: object) =>
    requireData(
      manage("POST", "/tax/rates", { body: { name: "VAT", applies_to_delivery: true, ...fields } }),
    );

  it("add up with taxes on the delivery, exclusive and inclusive, in two countries", async () => {
    await createRate({ country: "GH", rate_percent: "15" });
    await createRate({ country: "KE", rate_percent: "16", applies_to_delivery: false });
    const areas = ["GH", "KE"].map((country) => ({ country, regions: [], postalCodePrefixes: [] }));
    const { id: zoneId } = await createDeliveryZone(shop, { areas });
    const { id } = await createDeliveryMethod(shop, { zoneId });
    await createDeal(shop); // ten percent of the goods
    const tea = await createProduct(shop);
    const orderTo = async (country: string) => {
      await add(tea.id);
      const { pricing } = await choose(id, { country });
      return orderOf(await checkOut({ expected_total: pricing.total_price }));
    };
    // 10.00 − 1.00 + 5.00 = 14.00, taxed at 15 percent: 2.10, of which 9.00 has 1.35
    expect(await orderTo("GH")).toMatchObject({
      tax_lines: [{ taxable_amount: "14.00", amount: "2.10" }],
      items: [{ tax_amount: "1.35" }],
      ...{ discount_total: "1.00", delivery_total: "5.00", tax_total: "2.10" },
      total_price: "16.10",
    });
    // 16 percent of 9.00 is 1.44
    expect(await orderTo("KE")).toMatchObject({
      tax_lines: [{ taxable_amount: "9.00", amount: "1.44" }],
      ...{ items: [{ tax_amount: "1.44" }], total_price: "15.44" },
    });
    await changeSettings(shop, { tax: { ratePercent: "0", isInclusive: true } });
    expireCaches();
    // 14.00 × 15 ÷ 115 = 1.826 is contained; 9 of 14 parts of it, 1.17, in the goods
    expect(await orderTo("GH")).toMatchObject({
      tax_lines: [{ taxable_amount: "12.17", amount: "1.83" }],
      ...{ items: [{ tax_amount: "1.18" }], tax_total: "1.83", total_price: "14.00" },
    });
    // 9.00 × 16 ÷ 116 = 1.2414
    expect(await orderTo("KE")).toMatchObject({
      tax_lines: [{ taxable_amount: "7.76", amount: "1.24" }],
      total_price: "14.00",
    });
  });

  it("take a deal of free delivery off, once a delivery is chosen", async () => {
    await createDeal(shop, { code: "SHIP", discountType: "free_delivery", value: null });
    const { id } = await createDeliveryMethod(shop);
    await createRate({ country: "GH", rate_percent: "10" });
    await add((await createProduct(shop)).id);
    await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "SHIP" } }));
    const fields = { delivery_option_id: id, address_info: accra };
    expect(await orderOf(await checkOut({ ...fields, expected_total: "11.00" }))).toMatchObject({
      discounts: [{ code: "SHIP", amount: "5.00" }],
      ...{ delivery_total: "5.00", discount_total: "5.00", tax_total: "1.00" },
      total_price: "11.00",
    });
  });
});

describe("an order with a delivery", () => {
  const declined = {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
  };

  it("keeps it in a retry, and a payment method that its delivery refuses cannot pay again", async () => {
    const { id } = await createDeliveryMethod(shop, { paymentMethods: ["mobile_money", "card"] });
    await add((await createProduct(shop)).id);
    await choose(id);
    const failed = await checkOut(declined, "first");
    expect(failed.status).toBe(503);
    await manage("DELETE", `/delivery/methods/${id}`);
    expireCaches();
    expect((await checkOut(declined, "first")).status).toBe(503);
    const orderId = Object(failed.body).error.context.order_id;
    const pay = (body: object) => ask("POST", `/orders/${orderId}/pay`, { body });
    expect(ruleOf(await pay({ payment_method: "cash" }))).toBe("PAYMENT_METHOD_UNAVAILABLE");
    await requireData(pay({ payment_method: "card" }));
    expect(await requireData(ask("GET", `/orders/${orderId}`))).toMatchObject({
      ...{ delivery: { name: "Courier", price: "5.00" }, total_price: "15.00" },
    });
  });

  it("gives its delivery back to the cart, and its stock to the order that replaces it", async () => {
    const [near, far] = [await createPickup("Near"), await createPickup("Far")];
    const zone = await requireData(
      manage("POST", "/delivery/zones", {
        body: { name: "Z", areas: [{ country: "GH" }], location_ids: [near, far] },
      }),
    );
    const { id } = await createDeliveryMethod(shop, { zoneId: zone.id });
    const tea = await createProduct(shop, { inventoryType: "tracked" });
    for (const location of [near, far])
      await manage("PUT", `/inventory/${tea.id}/locations/${location}`, {
        body: { quantity_on_hand: 1 },
      });
    expireCaches();
    await add(tea.id);
    await choose(id);
    const first = await checkOut(declined);
    expect(first.status).toBe(503);
    expireCaches();
    // Near has its unit reserved for the first order, which the second one replaces.
    const second = await checkOut({ ...declined, customer: { phone: "0241234568" } });
    expect(second.status).toBe(503);
    const orderId = Object(second.body).error.context.order_id;
    expect(await requireData(ask("GET", `/orders/${orderId}`))).toMatchObject({
      ...{ location_id: near, delivery: { location_id: near } },
    });
    await requireData(ask("DELETE", "/cart"));
    const reopened = await requireData(ask("POST", `/orders/${orderId}/reopen-cart`, { body: {} }));
    expect(reopened).toMatchObject({
      delivery: { option_id: id, address: accra, price: "5.00" },
      pricing: { total_price: "15.00" },
    });
  });
});
