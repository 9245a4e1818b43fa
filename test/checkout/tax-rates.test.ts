import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createProduct } from "../support/create-product.ts";
import { logIn } from "../support/sessions.ts";
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
import { expireCaches, maxRoundTrips } from "./create-tea-shop.ts";

let shop: CreatedBusiness;
let ask: ApiClient;

const ofMerchant = (method: string, path: string, body: object) =>
  requireData(merchant(shop)(method, path, { body }));

const createRate = (fields: object) =>
  ofMerchant("POST", "/tax/rates", { name: "GST", country: "CA", rate_percent: "5", ...fields });

/** A business in Canada at 20 percent, with GST everywhere, PST in a region, and reduced books. */
beforeEach(async () => {
  shop = await createBusiness({ defaultCountry: "CA" });
  await changeSettings(shop, { tax: { ratePercent: "20", isInclusive: false } });
  await ofMerchant("POST", "/tax/classes", { code: "reduced", name: "Books" });
  ask = shopper(shop);
});

/** Adds 10.00 of each class to the cart. */
async function addBoth(): Promise<ReturnType<typeof dataOf>> {
  const tea = await createProduct(shop);
  const book = await createProduct(shop, { name: "Book", taxClass: "reduced" });
  await requireData(ask("POST", "/cart/items", { body: { item_id: tea.id } }));
  return requireData(ask("POST", "/cart/items", { body: { item_id: book.id } }));
}

async function checkOut(fields: object = {}): Promise<ApiResponse> {
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  const body = { cart_id, customer: { phone: "0241234567" }, payment_method: "cash", ...fields };
  return ask("POST", "/checkout", { body });
}

async function orderOf(response: ApiResponse): Promise<ReturnType<typeof dataOf>> {
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return requireData(ask("GET", `/orders/${dataOf(response).order_id}`));
}

const bc = { country: "ca", region: "British Columbia", postal_code: "V5K 0A1" };
const gst = { name: "GST", rate_percent: "5" };
const pst = { name: "PST", rate_percent: "7", region: "british columbia" };
const setting = { name: "Tax", rate_percent: "20", taxable_amount: "10.00", amount: "2.00" };

describe("taxes of a cart and its order", () => {
  it("are those of the setting for the class standard, and none for other classes", async () => {
    const cart = await addBoth();
    expect(cart.pricing).toMatchObject({ tax_lines: [setting], total_price: "22.00" });
    expect(await orderOf(await checkOut({ address_info: bc }))).toMatchObject({
      tax_lines: [setting],
      tax_total: "2.00",
      total_price: "22.00",
    });
  });

  it("are those of the address of a delivery, and of the location otherwise", async () => {
    await createRate({});
    await createRate(pst);
    await createRate({ tax_class: "reduced", region: pst.region, postal_code_prefix: "v5" });
    const cart = await addBoth();
    const ofCountry = { ...gst, taxable_amount: "10.00", amount: "0.50" };
    expect(cart.pricing).toMatchObject({ tax_lines: [ofCountry], total_price: "20.50" });
    const delivered = await orderOf(await checkOut({ address_info: bc }));
    expect(delivered).toMatchObject({
      tax_lines: [
        ofCountry,
        { name: "PST", rate_percent: "7", taxable_amount: "10.00", amount: "0.70" },
        ofCountry,
      ],
      items: [{ tax_amount: "1.20" }, { tax_amount: "0.50" }],
      tax_total: "1.70",
      total_price: "21.70",
    });
    await addBoth();
    const pickedUp = await orderOf(await checkOut({ address_info: bc, order_type: "pickup" }));
    expect(pickedUp).toMatchObject({ tax_lines: [ofCountry], total_price: "20.50" });
  });

  it("are those of the location that the lines name", async () => {
    const { id } = await ofMerchant("POST", "/locations", {
      name: "Lagos",
      address: { country: "NG" },
    });
    await createRate({ name: "VAT", country: "NG", rate_percent: "7.5" });
    const tea = await createProduct(shop);
    const body = { item_id: tea.id, location_id: id };
    expireCaches();
    const cart = await requireData(ask("POST", "/cart/items", { body }));
    const vat = { name: "VAT", rate_percent: "7.5", taxable_amount: "10.00", amount: "0.75" };
    expect(cart.pricing.tax_lines).toEqual([vat]);
    expect(await orderOf(await checkOut({ order_type: "dine-in" }))).toMatchObject({
      tax_lines: [vat],
    });
  });

  it("are not charged at a rate that changed since, and cost no further round trip", async () => {
    const { id } = await createRate({});
    const tea = await createProduct(shop);
    await requireData(ask("POST", "/cart/items", { body: { item_id: tea.id } }));
    await merchant(shop)("PATCH", `/tax/rates/${id}`, { body: { rate_percent: "10" } });
    await createRate({ name: "Levy", rate_percent: "1" });
    const response = await checkOut();
    expect(roundTrips(response).d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await orderOf(response)).toMatchObject({ tax_total: "1.10", total_price: "11.10" });
  });

  it("are in the total that the shopper agrees to", async () => {
    await createRate({});
    await createRate(pst);
    await addBoth();
    const refused = await checkOut({ address_info: bc, expected_total: "20.50" });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PRICE_CHANGED", total_price: "21.20" } } },
    });
    expect((await requireData(ask("GET", "/cart"))).pricing.total_price).toBe("21.20");
    const agreed = await checkOut({ address_info: bc, expected_total: "21.20" });
    expect(await orderOf(agreed)).toMatchObject({ total_price: "21.20" });
  });
});

describe("an exempt customer", () => {
  const phone = "+233241234567";

  const exempt = async (is_tax_exempt: boolean) => {
    const { items } = await requireData(merchant(shop)("GET", "/customers"));
    return ofMerchant("PATCH", `/customers/${items[0].id}`, { is_tax_exempt });
  };

  it("pays no tax when logged in, and an included tax is taken off", async () => {
    await createRate({});
    await logIn(ask, phone);
    await exempt(true);
    const cart = await addBoth();
    expect(cart.pricing).toMatchObject({ tax_lines: [], tax_total: "0.00", total_price: "20.00" });
    expect(await orderOf(await checkOut())).toMatchObject({
      tax_lines: [],
      tax_total: "0.00",
      total_price: "20.00",
    });
    await changeSettings(shop, { tax: { ratePercent: "20", isInclusive: true } });
    await addBoth();
    expect(await orderOf(await checkOut())).toMatchObject({
      tax_total: "0.00",
      total_price: "19.52",
    });
  });

  it("is not made by a contact that a guest states", async () => {
    await requireData(
      merchant(shop)("POST", "/customers", { body: { name: "Ama", phone, is_tax_exempt: true } }),
    );
    await addBoth();
    const response = await checkOut({ customer: { phone } });
    expect(await orderOf(response)).toMatchObject({ tax_total: "2.00", total_price: "22.00" });
  });

  it("is exempt in a checkout as the business says at that moment", async () => {
    await logIn(ask, phone);
    await addBoth();
    await exempt(true);
    const first = await checkOut();
    expect(roundTrips(first).d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await orderOf(first)).toMatchObject({ tax_total: "0.00", total_price: "20.00" });
    await addBoth();
    await exempt(false);
    expect(await orderOf(await checkOut())).toMatchObject({ total_price: "22.00" });
  });
});
