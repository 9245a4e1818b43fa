import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop);
});

const phone = { phone: "0241234567" };

async function checkout(fields: object) {
  const ask = shopper(shop);
  const { id: cart_id } = dataOf(
    await ask("POST", "/cart/items", { body: { item_id: product.id } }),
  );
  const body = { cart_id, customer: phone, payment_method: "cash", ...fields };
  return ask("POST", "/checkout", { body });
}

describe("POST /checkout", () => {
  it("accepts optional fields that are missing, null or empty", async () => {
    const nothing = {
      order_type: null,
      address_info: null,
      mobile_money_details: null,
      special_instructions: null,
      idempotency_key: null,
      pay_currency: null,
      fx_quote_id: null,
      metadata: null,
    };
    const unsaid = { ...phone, name: null, email: null, notes: null, save_details: null };
    const sold = await checkout({ ...nothing, customer: unsaid });
    expect(sold).toMatchObject({ status: 200, body: { data: { fx: null } } });
    expect(await merchant(shop)("GET", `/orders/${dataOf(sold).order_id}`)).toMatchObject({
      body: { data: { order_type: "delivery", customer_name: null, metadata: {} } },
    });
    const blank = { ...phone, name: " ", email: "", notes: "" };
    const form = await checkout({ customer: blank, special_instructions: "" });
    expect(form).toMatchObject({ status: 200 });
    expect(await merchant(shop)("GET", `/orders/${dataOf(form).order_id}`)).toMatchObject({
      body: { data: { customer_name: null, customer_email: null } },
    });
  });

  it("requires mobile_money_details only for mobile_money", async () => {
    const blank = { phone_number: "", provider: "" };
    for (const mobile_money_details of [{}, blank]) {
      expect(await checkout({ mobile_money_details })).toMatchObject({ status: 200 });
    }
    const wanting = [
      [undefined, "mobile_money_details"],
      [{ provider: "mtn" }, "mobile_money_details.phone_number"],
      [{ ...blank, provider: "mtn" }, "mobile_money_details.phone_number"],
      [{ phone_number: "0241234560" }, "mobile_money_details.provider"],
      [{ phone_number: "0241234560", provider: "" }, "mobile_money_details.provider"],
      [{ phone_number: "0241234560", provider: "other" }, "mobile_money_details.provider"],
    ] as const;
    for (const [mobile_money_details, field] of wanting) {
      expect(
        await checkout({ payment_method: "mobile_money", mobile_money_details }),
        field,
      ).toMatchObject({ status: 400, body: { error: { context: { field } } } });
    }
  });

  it("reads provider_other when provider is not a known one", async () => {
    const details = { phone_number: "0241234560", provider: "other", provider_other: "Tigo" };
    expect(
      await checkout({ payment_method: "mobile_money", mobile_money_details: details }),
    ).toMatchObject({ status: 200, body: { data: { payment_status: "captured" } } });
  });
});

describe("POST /cart/items", () => {
  it("treats null lists as empty and a blank note as none, so that the lines are merged", async () => {
    const ask = shopper(shop);
    const nothing = { add_on_options: null, bundle_selections: null, composite_selections: null };
    for (const body of [
      {},
      nothing,
      { special_instructions: "" },
      { special_instructions: " \n" },
    ]) {
      await ask("POST", "/cart/items", { body: { item_id: product.id, ...body } });
    }
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({
      items: [{ quantity: 4, special_instructions: null, add_on_options: [] }],
    });
    const quote = { add_on_option_ids: null, bundle_selections: null, composite_selections: null };
    expect(
      await ask("POST", "/catalogue/quotes", { body: { product_id: product.id, ...quote } }),
    ).toMatchObject({ status: 200, body: { data: { add_on_option_ids: [] } } });
  });
});

describe("POST /payments/authorization", () => {
  it("accepts a value as long as a 3DS result", async () => {
    const ask = shopper(shop);
    const { paymentId } = await createOrder(shop, product.id, { payWith: "1", ask });
    const authorization = { type: "3ds", value: "x".repeat(6_000) };
    expect(
      await ask("POST", "/payments/authorization", {
        body: { payment_id: paymentId, authorization },
      }),
    ).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AUTHORIZATION_FAILED", attempts_left: 3 } } },
    });
  });
});

describe("an empty token", () => {
  it("counts as none, so that only the customer can read the order", async () => {
    const { ask } = await createLoggedInShopper(shop);
    const { id } = await createOrder(shop, product.id, { ask });
    expect(await ask("GET", `/orders/${id}?token=`)).toMatchObject({ status: 200 });
    expect(await shopper(shop)("GET", `/orders/${id}?token=`)).toMatchObject({ status: 404 });
    expect(await shopper(shop)("GET", `/scheduling/bookings/bk_none?token=`)).toMatchObject({
      status: 404,
    });
  });
});
