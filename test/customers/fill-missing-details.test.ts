import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type CustomerDetails,
  customerRepo,
  withoutPersonalData,
} from "../../shared/customers/index.ts";
import { commit } from "../../shared/database/index.ts";
import { createCustomer, emailContact, phoneContact } from "../support/create-customer.ts";
import { contextFor, createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const phone = phoneContact("+233241234567");
const later = 9_999_999_999_999;

const noDetails: CustomerDetails = { name: null, email: null, phone: null };
const allDetails: CustomerDetails = {
  name: "Ama",
  email: "ama@example.com",
  phone: "+233201111111",
};

async function fillDetails(id: string, details: CustomerDetails) {
  const ctx = contextFor(shop);
  await commit(ctx, { writes: [customerRepo(ctx).fillMissingDetails(id, details, later)] });
  return customerRepo(ctx).get(id);
}

describe("customerRepo.fillMissingDetails", () => {
  it("fills empty fields and leaves contacts unverified", async () => {
    const before = await createCustomer(shop, phone);
    expect(await fillDetails(before.id, allDetails)).toEqual({
      ...before,
      name: "Ama",
      email: "ama@example.com",
      updatedAt: later,
    });
  });

  it("changes nothing when the profile is complete or no details are given", async () => {
    const full = await createCustomer(shop, phone, { name: "Esi", email: "esi@example.com" });
    expect(await fillDetails(full.id, allDetails)).toEqual(full);
    const bare = await createCustomer(shop, phoneContact("+233207777777"));
    expect(await fillDetails(bare.id, noDetails)).toEqual(bare);
    expect(await fillDetails(bare.id, { ...noDetails, phone: allDetails.phone })).toEqual(bare);
  });

  it("skips contacts that another customer has verified, but not unverified ones", async () => {
    await createCustomer(shop, phoneContact("+233201111111"), { email: "ama@example.com" });
    const { id } = await createCustomer(shop, emailContact("esi@example.com"));
    expect(await fillDetails(id, allDetails)).toMatchObject({ name: "Ama", phone: null });
    const other = await createCustomer(shop, phone);
    expect(await fillDetails(other.id, allDetails)).toMatchObject({
      name: "Ama",
      email: "ama@example.com",
    });
  });

  it("does not change an erased customer", async () => {
    const before = await createCustomer(shop, phone);
    const ctx = contextFor(shop);
    const blank = withoutPersonalData(before, before.updatedAt + 1);
    await commit(ctx, { writes: [customerRepo(ctx).erase(before, blank)] });
    expect(await fillDetails(before.id, allDetails)).toEqual(blank);
  });

  it("does not change another business's customer", async () => {
    const before = await createCustomer(shop, phone);
    const other = contextFor(await createBusiness());
    await commit(other, {
      writes: [customerRepo(other).fillMissingDetails(before.id, allDetails, later)],
    });
    expect(await customerRepo(contextFor(shop)).get(before.id)).toEqual(before);
  });
});
