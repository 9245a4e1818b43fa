import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import {
  type ApiClient,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop);
});

const phone = "+233241234567";
const profile = { name: "Ama", email: "ama@example.com" };

/** A cash checkout with these fields; without `customer` the field is left out. */
async function checkOut(ask: ApiClient, fields: object, headers = {}) {
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  const body = { cart_id: dataOf(added).id, payment_method: "cash", ...fields };
  return { body, answer: await ask("POST", "/checkout", { body, headers }) };
}

async function createCustomerWithProfile(): Promise<ApiClient> {
  const { ask } = await createLoggedInShopper(shop, phone);
  await ask("POST", "/auth/profile", { body: profile });
  return ask;
}

const orderContacts = async (orderId: string) =>
  (
    await selectRows(
      shop,
      "select customer_name as name, customer_email as email, customer_phone as phone, customer_notes as notes from orders where id = ?",
      orderId,
    )
  )[0];

const own = { ...profile, phone, notes: null };
const contactRefused = {
  status: 400,
  body: { error: { code: "VALIDATION_ERROR", context: { field: "customer.email" } } },
};

describe("POST /checkout of a logged-in customer", () => {
  it.each([
    [{}, own],
    [{ customer: null }, own],
    [{ customer: {} }, own],
    [{ customer: { notes: "Ring twice" } }, { ...own, notes: "Ring twice" }],
    [{ customer: { name: "Kofi" } }, { ...own, name: "Kofi" }],
    [{ customer: { email: "", phone: null } }, own],
  ])("uses the customer's own contacts for %j", async (fields, expected) => {
    const ask = await createCustomerWithProfile();
    const { answer } = await checkOut(ask, fields);
    expect(answer).toMatchObject({ status: 200 });
    expect(await orderContacts(dataOf(answer).order_id)).toEqual(expected);
  });

  it("uses only the contacts that are sent", async () => {
    const ask = await createCustomerWithProfile();
    const { answer } = await checkOut(ask, { customer: { email: "work@example.com" } });
    expect(await orderContacts(dataOf(answer).order_id)).toEqual({
      name: null,
      email: "work@example.com",
      phone: null,
      notes: null,
    });
  });

  it("uses the verified contact while a change waits to be verified", async () => {
    const ask = await createCustomerWithProfile();
    await ask("POST", "/auth/profile", { body: { phone: "+233201111111" } });
    const { answer } = await checkOut(ask, {});
    expect(await orderContacts(dataOf(answer).order_id)).toMatchObject({ phone });
  });

  it("reads the customer in the round trip of the plan", async () => {
    const ask = await createCustomerWithProfile();
    const mobileMoney = {
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
    };
    const { answer } = await checkOut(ask, mobileMoney);
    expect(answer).toMatchObject({ status: 200 });
    expect(roundTrips(answer)).toMatchObject({ d1: 3, do: 1 });
  });

  it("returns the same order for a repeated key", async () => {
    const ask = await createCustomerWithProfile();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const { body, answer } = await checkOut(ask, {}, headers);
    await ask("POST", "/auth/profile", { body: { name: "Esi" } });
    const again = await ask("POST", "/checkout", { body, headers });
    expect(again.body).toEqual(answer.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("is 401 when the login has ended, and 400 for the guest that the session becomes", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, phone);
    vi.setSystemTime(Date.now() + second);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect((await checkOut(ask, {})).answer).toMatchObject({ status: 401 });
    expect((await checkOut(ask, {})).answer).toMatchObject(contactRefused);
    expect(
      await selectRows(shop, "select id from orders where business_id = ?", shop.business.id),
    ).toEqual([]);
  });
});

describe("POST /checkout of a guest", () => {
  it.each([{}, { customer: null }, { customer: { name: "Ama" } }])(
    "is 400 without a contact, as in %j, and may be repeated after a login",
    async (fields) => {
      const ask = shopper(shop);
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const { body, answer } = await checkOut(ask, fields, headers);
      expect(answer).toMatchObject(contactRefused);
      await createLoggedInShopper(shop, phone, ask);
      expect(await ask("POST", "/checkout", { body, headers })).toMatchObject({ status: 200 });
    },
  );

  it("is 400 without a session, and starts none", async () => {
    const body = { cart_id: "cart_none", payment_method: "cash" };
    const answer = await shopper(shop)("POST", "/checkout", { body });
    expect(answer).toMatchObject(contactRefused);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });
});
