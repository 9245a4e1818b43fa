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
import { outcomeOf } from "../one-time-codes/given.ts";
import { emailOf, givenCustomer, phoneOf } from "../support/customers.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const phone = phoneOf("+233241234567");
const email = emailOf("ama@example.com");

const verify = (contact: Contact, loggedInId: string | null = null) =>
  verifyContact(contextFor(shop), { contact, loggedInId });

const update = (customerId: string, patch: ProfilePatch) =>
  updateProfile(contextFor(shop), { customerId, ...patch });

const countOf = async () =>
  (await rowsOf(shop, "select id from customers where business_id = ?", shop.business.id)).length;

describe("the first successful verify of a contact", () => {
  it("makes a customer, in one round trip, and later ones find it", async () => {
    const ctx = contextFor(shop);
    const made = await verifyContact(ctx, { contact: phone, loggedInId: null });
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

  it("makes one customer, however many verify at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => verify(email)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await countOf()).toBe(1);
  });

  it("makes another customer in another business", async () => {
    const made = await verify(phone);
    const neighbour = await givenNeighbour(shop);
    const theirs = await givenCustomer(neighbour, phone);
    expect(theirs.id).not.toBe(made.id);
    const repo = customerRepo(contextFor(neighbour));
    expect(await outcomeOf(repo.get(made.id))).toBe("NOT_FOUND");
  });
});

describe("POST /auth/profile", () => {
  it("changes the fields that are sent, and no others", async () => {
    const { id } = await givenCustomer(shop, phone);
    expect(await update(id, { name: "Ama" })).toMatchObject({ name: "Ama", phone: phone.value });
    expect(await update(id, { email: email.value })).toMatchObject({
      name: "Ama",
      email: email.value,
      emailVerifiedAt: null,
      phoneVerifiedAt: expect.any(Number),
    });
  });

  it("leaves a verified contact verified when it is sent again", async () => {
    const { id, phoneVerifiedAt } = await givenCustomer(shop, phone);
    expect(await update(id, { phone: phone.value })).toMatchObject({ phoneVerifiedAt });
    expect(await update(id, { phone: "+233200000000" })).toMatchObject({ phoneVerifiedAt: null });
  });

  it("refuses a contact that another customer has verified, and changes nothing then", async () => {
    await givenCustomer(shop, email);
    const { id } = await givenCustomer(shop, phone);
    expect(await outcomeOf(update(id, { name: "Ama", email: email.value }))).toBe("CONFLICT");
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({ name: null, email: null });
  });

  it("takes one that another has told but not verified, or another business's customer has", async () => {
    const { id } = await givenCustomer(shop, phone);
    await givenCustomer(shop, phoneOf("+233200000001"), { email: email.value });
    await givenCustomer(await givenNeighbour(shop), email);
    expect(await outcomeOf(update(id, { email: email.value }))).toBe("ok");
  });

  it("knows no customer of another business, and none at all", async () => {
    const theirs = await givenCustomer(await givenNeighbour(shop), phone);
    expect(await outcomeOf(update(theirs.id, { name: "Ama" }))).toBe("NOT_FOUND");
    expect(await outcomeOf(update("cus_none", { name: "Ama" }))).toBe("NOT_FOUND");
  });
});

describe("a changed contact", () => {
  it("does not log in before it was verified: it makes another customer", async () => {
    const { id } = await givenCustomer(shop, phone, { email: email.value });
    const other = await verify(email);
    expect(other.id).not.toBe(id);
  });

  it("is verified by its code while its customer is logged in, and logs in from then on", async () => {
    const { id } = await givenCustomer(shop, phone, { email: email.value });
    expect(await verify(email, id)).toMatchObject({ id, emailVerifiedAt: expect.any(Number) });
    expect(await verify(email)).toMatchObject({ id });
    expect(await countOf()).toBe(1);
  });

  it("is verified by one of two customers who prove it at once", async () => {
    const one = await givenCustomer(shop, phone, { email: email.value });
    const other = await givenCustomer(shop, phoneOf("+233200000001"), { email: email.value });
    const owners = await Promise.all([verify(email, one.id), verify(email, other.id)]);
    expect(new Set(owners.map(({ id }) => id)).size).toBe(1);
    const rows = await rowsOf(
      shop,
      "select id from customers where business_id = ? and email = ? and email_verified_at is not null",
      shop.business.id,
      email.value,
    );
    expect(rows).toHaveLength(1);
  });

  it("is no matter of the customer who is logged in when it is not theirs", async () => {
    const { id } = await givenCustomer(shop, phone);
    const other = await verify(email, id);
    expect(other.id).not.toBe(id);
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({ email: null });
  });
});

describe("a customer's sessions", () => {
  it("are over when they began before the customer's were ended", () => {
    expect(isLoggedIn({ sessionsEndedAt: null }, 5)).toBe(true);
    expect(isLoggedIn({ sessionsEndedAt: 5 }, 5)).toBe(false);
    expect(isLoggedIn({ sessionsEndedAt: 5 }, 6)).toBe(true);
  });
});
