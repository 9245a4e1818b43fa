import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { customerRepo, type Details, erased } from "../../shared/customers/index.ts";
import { commit } from "../../shared/database/index.ts";
import { emailOf, givenCustomer, phoneOf } from "../support/customers.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const phone = phoneOf("+233241234567");
const later = 9_999_999_999_999;

const none: Details = { name: null, email: null, phone: null };
const all: Details = { name: "Ama", email: "ama@example.com", phone: "+233201111111" };

async function filledIn(id: string, details: Details) {
  const ctx = contextFor(shop);
  await commit(ctx, { writes: [customerRepo(ctx).fillIn(id, details, later)] });
  return customerRepo(ctx).get(id);
}

describe("what a customer tells beside an order", () => {
  it("is filled in where nothing is, contacts unproved", async () => {
    const before = await givenCustomer(shop, phone);
    expect(await filledIn(before.id, all)).toEqual({
      ...before,
      name: "Ama",
      email: "ama@example.com",
      updatedAt: later,
    });
  });

  it("changes nothing where all is, and nothing where nothing is told", async () => {
    const full = await givenCustomer(shop, phone, { name: "Esi", email: "esi@example.com" });
    expect(await filledIn(full.id, all)).toEqual(full);
    const bare = await givenCustomer(shop, phoneOf("+233207777777"));
    expect(await filledIn(bare.id, none)).toEqual(bare);
    expect(await filledIn(bare.id, { ...none, phone: all.phone })).toEqual(bare);
  });

  it("takes no contact that another customer has verified; one that is not verified does not count", async () => {
    await givenCustomer(shop, phoneOf("+233201111111"), { email: "ama@example.com" });
    const { id } = await givenCustomer(shop, emailOf("esi@example.com"));
    expect(await filledIn(id, all)).toMatchObject({ name: "Ama", phone: null });
    const other = await givenCustomer(shop, phone);
    expect(await filledIn(other.id, all)).toMatchObject({ name: "Ama", email: "ama@example.com" });
  });

  it("brings nothing back of a customer whose data were erased", async () => {
    const before = await givenCustomer(shop, phone);
    const ctx = contextFor(shop);
    const blank = erased(before, before.updatedAt + 1);
    await commit(ctx, { writes: [customerRepo(ctx).erase(before, blank)] });
    expect(await filledIn(before.id, all)).toEqual(blank);
  });

  it("is of the business's own customers alone", async () => {
    const before = await givenCustomer(shop, phone);
    const other = contextFor(await givenBusiness());
    await commit(other, { writes: [customerRepo(other).fillIn(before.id, all, later)] });
    expect(await customerRepo(contextFor(shop)).get(before.id)).toEqual(before);
  });
});
