import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { redemptionRepo } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn } from "../support/sessions.ts";
import {
  type ApiClient,
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";

const phone = "+233241234567";
const email = "ama@example.com";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop);
  await createDeal(shop, { code: "ONCE", perCustomerLimit: 1 });
});

async function buy(customer: object | undefined, ask: ApiClient = shopper(shop)) {
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  await ask("POST", "/cart/coupons", { body: { coupon_code: "ONCE" } });
  return ask("POST", "/checkout", {
    body: { cart_id: dataOf(added).id, customer, payment_method: "cash" },
  });
}

const isExhausted = { status: 422, body: { error: { context: { rule: "COUPON_EXHAUSTED" } } } };

describe("per_customer_limit", () => {
  it.each([
    ["another tag in the e-mail address", { email: "ama+two@example.com" }],
    ["the same phone with another e-mail address", { email: "other@example.com", phone }],
    ["the phone alone", { phone }],
    ["the e-mail address in capitals", { email: "AMA@Example.com" }],
  ])("counts a guest's earlier order with %s", async (_, customer) => {
    expect(await buy({ email: "ama+one@example.com", phone })).toMatchObject({ status: 200 });
    expect(await buy(customer)).toMatchObject(isExhausted);
    expect(await buy({ email: "kofi@example.com" })).toMatchObject({ status: 200 });
  });

  it("counts a customer's uses after the logout, by contacts that their orders do not name", async () => {
    const { ask } = await createLoggedInShopper(shop, phone);
    expect(await buy({ email }, ask)).toMatchObject({ status: 200 });
    expect(await buy({ phone })).toMatchObject(isExhausted);
    expect(await buy({ email })).toMatchObject(isExhausted);
  });

  it("finds the customer who has verified a guest's contact", async () => {
    const { ask } = await createLoggedInShopper(shop, phone);
    expect(await buy({ email, phone: "+233241234500" }, ask)).toMatchObject({ status: 200 });
    expect(await buy({ phone })).toMatchObject(isExhausted);
  });

  it("counts a guest's uses once they log in, also when the next order names another contact", async () => {
    const guest = shopper(shop);
    expect(await buy({ phone }, guest)).toMatchObject({ status: 200 });
    await logIn(guest, phone);
    expect(await buy({ email: "new@example.com" }, guest)).toMatchObject(isExhausted);
    expect(await buy(undefined, guest)).toMatchObject(isExhausted);
  });

  it("counts an erased customer's uses by their id alone", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, phone);
    expect(await buy({ email }, ask)).toMatchObject({ status: 200 });
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect(
      await selectRows(shop, "select customer_id, email, phone from deal_redemptions"),
    ).toContainEqual({ customer_id: customerId, email: null, phone: null });
  });

  it("reads only the uses of the person", async () => {
    const ctx = contextFor(shop);
    const query = redemptionRepo(ctx).exhaustedDealsQuery(
      { customerId: null, email, phone },
      { couponCodes: ["ONCE"], releasedOrderIds: [] },
    );
    const { sql, params } = query.toSQL();
    const plan = await selectRows(shop, `explain query plan ${sql}`, ...params);
    const details = plan.map(({ detail }) => String(detail));
    expect(details.filter((detail) => /SCAN (?:earlier|customers|deals)/.test(detail))).toEqual([]);
    for (const index of ["customer", "email", "phone"])
      expect(details.join("\n")).toContain(`deal_redemptions_of_${index}`);
  });
});
