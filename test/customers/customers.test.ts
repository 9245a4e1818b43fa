import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type Contact,
  customerRepo,
  isLoggedIn,
  type ProfilePatch,
  updateProfile,
  verifyContact,
} from "../../shared/customers/index.ts";
import { outcomeOf } from "../one-time-codes/create-code.ts";
import { createCustomer, emailContact, phoneContact } from "../support/create-customer.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, createBusinessOnSameShard } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const phone = phoneContact("+233241234567");
const email = emailContact("ama@example.com");

const verify = async (contact: Contact, loggedInId: string | null = null) =>
  (await verifyContact(contextFor(shop), { contact, loggedInId })).customer;

const update = (customerId: string, patch: ProfilePatch) =>
  updateProfile(contextFor(shop), { customerId, ...patch });

const countOf = async () =>
  (await selectRows(shop, "select id from customers where business_id = ?", shop.business.id))
    .length;

describe("verifyContact", () => {
  it("creates a customer in one round trip and finds it later", async () => {
    const ctx = contextFor(shop);
    const { customer: made } = await verifyContact(ctx, { contact: phone, loggedInId: null });
    expect(ctx.meter.d1).toBe(1);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^cus_/),
      name: null,
      email: null,
      phone: phone.value,
      phoneVerifiedAt: expect.any(Number),
      emailVerifiedAt: null,
    });
    expect(await verify(phone)).toEqual(made);
    expect(await countOf()).toBe(1);
  });

  it("creates one customer for concurrent calls", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => verify(email)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await countOf()).toBe(1);
  });

  it("creates another customer in another business", async () => {
    const made = await verify(phone);
    const neighbour = await createBusinessOnSameShard(shop);
    const theirs = await createCustomer(neighbour, phone);
    expect(theirs.id).not.toBe(made.id);
    const repo = customerRepo(contextFor(neighbour));
    expect(await outcomeOf(repo.get(made.id))).toBe("NOT_FOUND");
  });
});

describe("POST /auth/profile", () => {
  it("changes only the given fields", async () => {
    const { id } = await createCustomer(shop, phone);
    expect(await update(id, { name: "Ama" })).toMatchObject({ name: "Ama", phone: phone.value });
    expect(await update(id, { email: email.value })).toMatchObject({
      name: "Ama",
      email: email.value,
      emailVerifiedAt: null,
      phoneVerifiedAt: expect.any(Number),
    });
  });

  it("keeps a verified contact verified when it is sent again", async () => {
    const { id, phoneVerifiedAt } = await createCustomer(shop, phone);
    expect(await update(id, { phone: phone.value })).toMatchObject({ phoneVerifiedAt });
    expect(await update(id, { phone: "+233200000000" })).toMatchObject({
      phone: phone.value,
      pendingPhone: "+233200000000",
      phoneVerifiedAt,
    });
  });

  it("rejects a contact that another customer has verified and changes nothing", async () => {
    await createCustomer(shop, email);
    const { id } = await createCustomer(shop, phone);
    expect(await outcomeOf(update(id, { name: "Ama", email: email.value }))).toBe("CONFLICT");
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({ name: null, email: null });
  });

  it("accepts a contact that is unverified or belongs to another business's customer", async () => {
    const { id } = await createCustomer(shop, phone);
    await createCustomer(shop, phoneContact("+233200000001"), { email: email.value });
    await createCustomer(await createBusinessOnSameShard(shop), email);
    expect(await outcomeOf(update(id, { email: email.value }))).toBe("ok");
  });

  it("rejects an unknown customer and another business's", async () => {
    const theirs = await createCustomer(await createBusinessOnSameShard(shop), phone);
    expect(await outcomeOf(update(theirs.id, { name: "Ama" }))).toBe("NOT_FOUND");
    expect(await outcomeOf(update("cus_none", { name: "Ama" }))).toBe("NOT_FOUND");
  });
});

describe("a changed contact", () => {
  it("cannot log in before it is verified and creates another customer", async () => {
    const { id } = await createCustomer(shop, phone, { email: email.value });
    const other = await verify(email);
    expect(other.id).not.toBe(id);
  });

  it("is verified by its code while its customer is logged in and can log in afterwards", async () => {
    const { id } = await createCustomer(shop, phone, { email: email.value });
    expect(await verify(email, id)).toMatchObject({ id, emailVerifiedAt: expect.any(Number) });
    expect(await verify(email)).toMatchObject({ id });
    expect(await countOf()).toBe(1);
  });

  it("is verified by one of two concurrent customers", async () => {
    const one = await createCustomer(shop, phone, { email: email.value });
    const other = await createCustomer(shop, phoneContact("+233200000001"), { email: email.value });
    const owners = await Promise.all([verify(email, one.id), verify(email, other.id)]);
    expect(new Set(owners.map(({ id }) => id)).size).toBe(1);
    const rows = await selectRows(
      shop,
      "select id from customers where business_id = ? and email = ? and email_verified_at is not null",
      shop.business.id,
      email.value,
    );
    expect(rows).toHaveLength(1);
  });

  it("does not change a logged-in customer who does not have it", async () => {
    const { id } = await createCustomer(shop, phone);
    const other = await verify(email, id);
    expect(other.id).not.toBe(id);
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({ email: null });
  });
});

describe("isLoggedIn", () => {
  it("rejects logins from before the sessions were ended", () => {
    expect(isLoggedIn({ sessionsEndedAt: null }, 5)).toBe(true);
    expect(isLoggedIn({ sessionsEndedAt: 5 }, 5)).toBe(false);
    expect(isLoggedIn({ sessionsEndedAt: 5 }, 6)).toBe(true);
  });
});
