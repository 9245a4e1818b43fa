import {
  type Contact,
  type Customer,
  type ProfilePatch,
  updateProfile,
  verifyContact,
} from "../../shared/customers/index.ts";
import { contextFor, type TestBusiness } from "./world.ts";

export const phoneContact = (value: string): Contact => ({ type: "phone", value });
export const emailContact = (value: string): Contact => ({ type: "email", value });

/** Creates a customer who logged in with the contact, and then fills in the profile. */
export async function createCustomer(
  shop: TestBusiness,
  contact: Contact,
  profile: ProfilePatch = {},
): Promise<Customer> {
  const ctx = contextFor(shop);
  const { customer } = await verifyContact(ctx, { contact, loggedInId: null });
  return Object.keys(profile).length === 0
    ? customer
    : updateProfile(ctx, { customerId: customer.id, ...profile });
}
