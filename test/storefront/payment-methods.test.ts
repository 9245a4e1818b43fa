import { beforeEach, expect, it, vi } from "vitest";
import { type CreatedBusiness, paymentMethods } from "../../shared/businesses/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createProduct } from "../support/create-product.ts";
import { changeSettings } from "../support/settings.ts";
import { type ApiClient, createBusiness, dataOf, shopper } from "../support/world.ts";
import { ruleViolationResponse } from "./create-fx-shop.ts";

beforeEach(() => {
  vi.setSystemTime(Date.parse("2031-07-01T12:00:00Z"));
});

const listMethods = async (ask: ApiClient, bindings: object = {}): Promise<string[]> =>
  dataOf(await ask("GET", "/business", { fetch: withBindings(bindings) })).payment_methods;

/** Checks a cart of one product out with a payment method. */
async function checkoutWith(shop: CreatedBusiness, payment_method: string) {
  const ask = shopper(shop);
  const product = await createProduct(shop);
  const cart = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  const body = {
    cart_id: dataOf(cart).id,
    customer: { phone: "0241234567" },
    payment_method,
    mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
  };
  return ask("POST", "/checkout", { body });
}

it("GET /business lists the payment methods that checkout takes, and no other", async () => {
  const shop = await createBusiness();
  await changeSettings(shop, { paymentMethods: ["mobile_money", "cash"] });
  const listed = await listMethods(shopper(shop));
  expect(listed).toEqual(["mobile_money", "cash"]);
  for (const method of paymentMethods) {
    const sold = await checkoutWith(shop, method);
    if (listed.includes(method)) expect(sold.status).toBe(200);
    else expect(sold).toMatchObject(ruleViolationResponse("PAYMENT_METHOD_UNAVAILABLE"));
  }
});

it("GET /business lists only cash when a live business's deployment has no payment provider", async () => {
  const ask = shopper(await createBusiness({ mode: "live" }));
  expect(await listMethods(ask)).toEqual(["cash", "mobile_money", "card"]);
  expect(await listMethods(ask, { PAYSTACK_SECRET_KEY: undefined })).toEqual(["cash"]);
});
