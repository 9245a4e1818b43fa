import type { Context } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import { type ContactOwner, type ContactProof, contactOwnerRepo } from "./contact-owner-repo.ts";
import { type Customer, newCustomer } from "./customer.ts";
import { customerRepo, type ProfilePatch } from "./repo.ts";

/**
 * Returns the customer who owns a contact that was just verified by a code. This is the customer
 * who verified it before, or a new one. A logged-in customer can verify a contact of their own
 * profile. Concurrent calls return the same customer.
 */
export function verifyContact(
  ctx: Pick<Context, "db" | "business" | "now" | "newId">,
  proof: ContactProof,
): Promise<ContactOwner> {
  const now = ctx.now();
  const candidate = newCustomer({ id: ctx.newId("cus"), now }, proof.contact);
  return contactOwnerRepo(ctx).insertOrVerify(proof, { candidate, now });
}

/**
 * Changes a customer's own profile. A verified e-mail address or phone number logs in until the new
 * one is verified. The caller must normalize contacts.
 *
 * @throws Refusal CONFLICT when another customer has verified one of the contacts; NOT_FOUND for an
 * erased customer.
 */
export async function updateProfile(
  ctx: Pick<Context, "db" | "business" | "now">,
  { customerId, ...patch }: { customerId: string } & ProfilePatch,
): Promise<Customer> {
  const updated = await customerRepo(ctx).updateProfile(customerId, patch, ctx.now());
  if (updated === "taken")
    throw conflict("Another customer has verified this e-mail address or phone.");
  return updated;
}
