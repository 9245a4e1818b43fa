import {
  type Contact,
  type Customer,
  type ProfilePatch,
  updateProfile,
  verifyContact,
} from "../../shared/customers/index.ts";
import { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

export const phoneOf = (value: string): Contact => ({ type: "phone", value });
export const emailOf = (value: string): Contact => ({ type: "email", value });

/** A customer who logged in with the contact, and then told the rest. */
export async function givenCustomer(
  shop: Shop,
  contact: Contact,
  profile: ProfilePatch = {},
): Promise<Customer> {
  const ctx = contextFor(shop);
  const customer = await verifyContact(ctx, { contact, loggedInId: null });
  return Object.keys(profile).length === 0
    ? customer
    : updateProfile(ctx, { customerId: customer.id, ...profile });
}
