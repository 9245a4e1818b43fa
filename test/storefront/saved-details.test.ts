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

describe("customer.save_details of a guest", () => {
  const guestDetails = { ...details, phone: contact, save_details: true };
  const saved = { name: "Ama Serwaa", email: "ama@example.com", phone: contact };

  it("creates and changes no customer before a login", async () => {
    const { ask } = await createLoggedInShopper(shop, contact);
    expect((await buy(shopper(shop), guestDetails)).answer).toMatchObject({ status: 200 });
    expect(await customerOf(ask)).toMatchObject({ name: null, email: null, phone: contact });
    const rows = "select id from customers where business_id = ?";
    expect(await selectRows(shop, rows, shop.business.id)).toHaveLength(1);
  });

  it("completes the record at a login in the session that placed the order", async () => {
    const ask = shopper(shop);
    await buy(ask, guestDetails);
    expect(dataOf(await logIn(ask, contact)).customer).toMatchObject(saved);
    expect(await customerOf(ask)).toMatchObject(saved);
  });

  it("saves only the name at a login in another session, which may be another person's", async () => {
    await buy(shopper(shop), guestDetails);
    expect(dataOf(await logIn(shopper(shop), contact)).customer).toMatchObject({
      name: "Ama Serwaa",
      email: null,
      phone: contact,
    });
  });

  it("is no wish when it is left out", async () => {
    const ask = shopper(shop);
    await buy(ask, { ...guestDetails, save_details: undefined });
    expect(dataOf(await logIn(ask, contact)).customer).toMatchObject({ name: null, email: null });
  });

  it("does not change existing details", async () => {
    const { ask: owner } = await createLoggedInShopper(shop, contact);
    await owner("POST", "/auth/profile", { body: { name: "Esi", email: "esi@example.com" } });
    const ask = shopper(shop);
    await buy(ask, guestDetails);
    vi.setSystemTime(Date.now() + 31 * second);
    await logIn(ask, contact);
    expect(await customerOf(ask)).toMatchObject({ name: "Esi", email: "esi@example.com" });
  });

  it("skips the contact that another customer has verified", async () => {
    await createCustomer(shop, emailContact("ama@example.com"));
    const ask = shopper(shop);
    await buy(ask, guestDetails);
    expect(dataOf(await logIn(ask, contact)).customer).toMatchObject({ ...saved, email: null });
  });

  it("saves the latest of several orders, and nothing of another contact", async () => {
    const ask = shopper(shop);
    await buy(ask, { ...guestDetails, name: "A. Serwaa", email: "old@example.com" });
    vi.setSystemTime(Date.now() + second);
    await buy(ask, guestDetails);
    await buy(ask, { name: "Kofi", phone: "+233209999999", save_details: true });
    expect(dataOf(await logIn(ask, contact)).customer).toMatchObject(saved);
  });

  it("saves once, at the login that takes the order over", async () => {
    const ask = shopper(shop);
    await buy(ask, guestDetails);
    const { id } = dataOf(await logIn(ask, contact)).customer;
    await selectRows(shop, "update customers set name = null where id = ?", id);
    vi.setSystemTime(Date.now() + 31 * second);
    expect(dataOf(await logIn(ask, contact)).customer).toMatchObject({ name: null });
  });
});
