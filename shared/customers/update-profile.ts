import type { Context } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { Customer } from "./customer.ts";
import { customerRepo, type ProfilePatch } from "./repo.ts";

/**
 * Changes a customer's own profile (interface.md, POST /auth/profile). A changed e-mail address or
 * phone cannot log in until it was proved. Contacts come normalised.
 *
 * @throws Refusal CONFLICT when another customer has verified one of them; NOT_FOUND for a customer
 * who is no more.
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
