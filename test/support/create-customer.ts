import { env } from "cloudflare:workers";
import { codeSettingsOf } from "../../functions/http/authentication/one-time-codes.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import {
  type Contact,
  type Customer,
  type ProfilePatch,
  updateProfile,
  verifyContact,
} from "../../shared/customers/index.ts";
import { erasePersonalData } from "../../shared/personal-data/index.ts";
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

/** Erases the customer's personal data as the business API does. */
export const eraseCustomer = async (
  shop: TestBusiness,
  customerId: string,
  over: Partial<ReturnType<typeof contextFor>> = {},
): Promise<Customer> => {
  const codes = await codeSettingsOf(settingsOf(env));
  return erasePersonalData({ ...contextFor(shop), codes, ...over }, customerId);
};
