import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createLogin } from "../link/create-logins.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper, logIn, readAuthStatus, testCode } from "../support/sessions.ts";
import { type ApiClient, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let customerId: string;

const contacts = {
  phone: { current: "+233241234567", next: "+233201111111", other: "+233202222222" },
  email: { current: "ama@example.com", next: "serwaa@example.com", other: "kofi@example.com" },
} as const;
const types = ["phone", "email"] as const;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
});

/** Logs the customer in with the current contact of the type. */
async function logInWith(type: "phone" | "email") {
  ({ ask, customerId } = await createLoggedInShopper(shop, contacts[type].current));
}

const changeProfile = (body: object) => ask("POST", "/auth/profile", { body });

/** Logs in with the contact in a new session. */
async function loginIdOf(contact: string): Promise<string> {
  vi.setSystemTime(Date.now() + 31 * second);
  return dataOf(await logIn(shopper(shop), contact)).customer.id;
}

const verifyWhileLoggedIn = async (contact: string) => dataOf(await logIn(ask, contact)).customer;

describe.each(types)("a customer who changes the verified %s", (type) => {
  const { current, next, other } = contacts[type];
  const pendingField = `pending_${type}`;

  beforeEach(() => logInWith(type));

  it("keeps logging in with the old one until the new one is verified", async () => {
    const changed = await changeProfile({ [type]: next });
    expect(changed).toMatchObject({ status: 200 });
    expect(dataOf(changed)).toMatchObject({ [type]: current, [pendingField]: next });
    expect(await loginIdOf(current)).toBe(customerId);
    expect((await readAuthStatus(ask)).customer).toEqual(dataOf(changed));
  });

  it("logs in with the new one once it is verified, and keeps orders", async () => {
    const product = await createProduct(shop);
    const sale = await createOrder(shop, product.id, { payWith: "cash", ask });
    await changeProfile({ [type]: next });
    expect(await verifyWhileLoggedIn(next)).toMatchObject({
      id: customerId,
      [type]: next,
      [pendingField]: null,
    });
    expect(await loginIdOf(next)).toBe(customerId);
    expect(dataOf(await ask("GET", "/orders"))).toMatchObject([{ id: sale.id }]);
  });

  it("gives up the old one when the new one is verified", async () => {
    await changeProfile({ [type]: next });
    await verifyWhileLoggedIn(next);
    expect(await loginIdOf(current)).not.toBe(customerId);
  });

  it("verifies only the last of two changes", async () => {
    await changeProfile({ [type]: next });
    expect(dataOf(await changeProfile({ [type]: other }))).toMatchObject({
      [type]: current,
      [pendingField]: other,
    });
    expect(await loginIdOf(next)).not.toBe(customerId);
    expect((await verifyWhileLoggedIn(other)).id).toBe(customerId);
  });

  it("withdraws the change by sending the old one again", async () => {
    await changeProfile({ [type]: next });
    expect(dataOf(await changeProfile({ [type]: current }))).toMatchObject({
      [type]: current,
      [pendingField]: null,
    });
    expect(await loginIdOf(current)).toBe(customerId);
    expect(await loginIdOf(next)).not.toBe(customerId);
  });

  it("changes back after the new one was verified", async () => {
    await changeProfile({ [type]: next });
    await verifyWhileLoggedIn(next);
    await changeProfile({ [type]: current });
    vi.setSystemTime(Date.now() + 31 * second);
    expect(await verifyWhileLoggedIn(current)).toMatchObject({ id: customerId, [type]: current });
    expect(await loginIdOf(current)).toBe(customerId);
  });

  it("is not found by a person who verifies the new one in another session", async () => {
    await changeProfile({ [type]: next });
    expect(await loginIdOf(next)).not.toBe(customerId);
    expect(await loginIdOf(current)).toBe(customerId);
    vi.setSystemTime(Date.now() + 31 * second);
    const owner = await verifyWhileLoggedIn(next);
    expect(owner.id).not.toBe(customerId);
    expect(await loginIdOf(current)).toBe(customerId);
  });

  it("is 409 for the verified contact of another customer, and stays as it was", async () => {
    await createLoggedInShopper(shop, other);
    expect(await changeProfile({ [type]: other })).toMatchObject({ status: 409 });
    expect((await readAuthStatus(ask)).customer).toMatchObject({
      [type]: current,
      [pendingField]: null,
    });
  });

  it("keeps the contact of the other type", async () => {
    const otherType = type === "phone" ? "email" : "phone";
    const secondContact = contacts[otherType].current;
    await changeProfile({ [otherType]: secondContact });
    await verifyWhileLoggedIn(secondContact);
    await changeProfile({ [type]: next });
    expect(await loginIdOf(secondContact)).toBe(customerId);
    expect(await verifyWhileLoggedIn(next)).toMatchObject({
      id: customerId,
      [otherType]: secondContact,
    });
  });

  it("is shown to the business, and exported and erased with the other data", async () => {
    await changeProfile({ [type]: next });
    const path = `/customers/${customerId}`;
    const pending = { [type]: current, [pendingField]: next };
    expect(dataOf(await merchant(shop)("GET", path))).toMatchObject(pending);
    expect(dataOf(await merchant(shop)("GET", `${path}/data`)).customer).toMatchObject(pending);
    vi.setSystemTime(Date.now() + second);
    expect(dataOf(await merchant(shop)("DELETE", `${path}/data`))).toMatchObject({
      [type]: null,
      [pendingField]: null,
    });
    expect(dataOf(await merchant(shop)("GET", path))).toMatchObject({ [pendingField]: null });
    expect(await loginIdOf(next)).not.toBe(customerId);
  });

  it("is not verified by a code of Link or of another business", async () => {
    await changeProfile({ [type]: next });
    const neighbour = await createBusiness();
    await createLoggedInShopper(neighbour, next);
    await createLogin(shop, { contact: next });
    const body = { contact: next, otp_code: testCode };
    expect(await ask("POST", "/auth/verify-otp", { body })).toMatchObject({ status: 401 });
    expect((await readAuthStatus(ask)).customer).toMatchObject({ [pendingField]: next });
  });
});

describe("a customer who changes an unverified contact", () => {
  it("replaces it at once, because it never logged in", async () => {
    await logInWith("phone");
    await changeProfile({ email: contacts.email.current });
    expect(dataOf(await changeProfile({ email: contacts.email.next }))).toMatchObject({
      email: contacts.email.next,
      pending_email: null,
    });
    expect((await verifyWhileLoggedIn(contacts.email.next)).id).toBe(customerId);
  });
});
