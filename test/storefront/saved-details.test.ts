import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createCustomer, emailContact } from "../support/create-customer.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn, readAuthStatus } from "../support/sessions.ts";
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

const contact = "+233241234567";
const details = { name: "Ama Serwaa", email: "Ama@Example.com", phone: "020 111 1111" };

/** A cash checkout with the given customer fields. */
async function buy(ask: ApiClient, customer: object, headers = {}) {
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  const body = { cart_id: dataOf(added).id, customer, payment_method: "cash" };
  return { body, answer: await ask("POST", "/checkout", { body, headers }) };
}

const customerOf = async (ask: ApiClient) => (await readAuthStatus(ask)).customer;

describe("customer.save_details of POST /checkout", () => {
  it("completes the logged-in customer's record without another round trip", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, contact);
    const without = await buy(ask, details);
    const { answer } = await buy(ask, { ...details, save_details: true });
    expect(answer).toMatchObject({ status: 200 });
    const { d1, do: objects } = roundTrips(without.answer);
    expect(roundTrips(answer)).toMatchObject({ d1, do: objects });
    expect(await customerOf(ask)).toEqual({
      id: customerId,
      name: "Ama Serwaa",
      email: "ama@example.com",
      phone: contact,
      pending_email: null,
      pending_phone: null,
    });
    expect(await merchant(shop)("GET", `/customers/${customerId}`)).toMatchObject({
      body: { data: { name: "Ama Serwaa", email: "ama@example.com", phone: contact } },
    });
  });

  it.each([{}, { save_details: false }, { save_details: null }])(
    "is no wish as %j",
    async (wish) => {
      const { ask } = await createLoggedInShopper(shop, contact);
      await buy(ask, { ...details, ...wish });
      expect(await customerOf(ask)).toMatchObject({ name: null, email: null, phone: contact });
    },
  );

  it("does not change existing details", async () => {
    const { ask } = await createLoggedInShopper(shop, contact);
    const profile = { name: "Ama", email: "first@example.com" };
    await ask("POST", "/auth/profile", { body: profile });
    await buy(ask, { ...details, save_details: true });
    expect(await customerOf(ask)).toMatchObject({ ...profile, phone: contact });
  });

  it("saves only the name when another customer has verified the e-mail address", async () => {
    await createCustomer(shop, emailContact("ama@example.com"));
    const { ask } = await createLoggedInShopper(shop, contact);
    await buy(ask, { ...details, save_details: true });
    expect(await customerOf(ask)).toMatchObject({ name: "Ama Serwaa", email: null });
  });

  it("saves a contact that cannot log in until it is verified", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, contact);
    await buy(ask, { ...details, save_details: true });
    const owner = await createLoggedInShopper(shop, "ama@example.com", shopper(shop));
    expect(owner.customerId).not.toBe(customerId);
    expect(await customerOf(ask)).toMatchObject({ id: customerId, email: "ama@example.com" });
  });

  it("does nothing for a guest", async () => {
    const { ask } = await createLoggedInShopper(shop, contact);
    const { answer } = await buy(shopper(shop), { ...details, phone: contact, save_details: true });
    expect(answer).toMatchObject({ status: 200 });
    expect(await customerOf(ask)).toMatchObject({ name: null, email: null, phone: contact });
    const rows = "select id from customers where business_id = ?";
    expect(await selectRows(shop, rows, shop.business.id)).toHaveLength(1);
  });

  it("saves nothing when the order is not placed", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, contact);
    vi.setSystemTime(Date.now() + second);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    const { answer } = await buy(ask, { ...details, save_details: true });
    expect(answer).toMatchObject({ status: 401 });
    const rows = "select name, email, phone from customers where id = ?";
    expect(await selectRows(shop, rows, customerId)).toEqual([
      { name: null, email: null, phone: null },
    ]);
  });

  it("saves once per Idempotency-Key, and rejects another body", async () => {
    const { ask } = await createLoggedInShopper(shop, contact);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const wish = { ...details, save_details: true };
    const { body, answer } = await buy(ask, wish, headers);
    await ask("POST", "/auth/profile", { body: { name: "Another" } });
    const again = await ask("POST", "/checkout", { body, headers });
    expect(again.body).toEqual(answer.body);
    expect(await customerOf(ask)).toMatchObject({ name: "Another" });
    const other = { ...body, customer: details };
    expect(await ask("POST", "/checkout", { body: other, headers })).toMatchObject({ status: 409 });
  });

  it("is returned after the next login", async () => {
    const { ask } = await createLoggedInShopper(shop, contact);
    await buy(ask, { ...details, save_details: true });
    const next = await logIn(shopper(shop), contact);
    expect(dataOf(next).customer).toMatchObject({ name: "Ama Serwaa", email: "ama@example.com" });
  });
});
