import type { Context } from "../database/index.ts";
import { type Customer, newCustomer } from "./customer.ts";
import { customerRepo, type Proof } from "./repo.ts";

type Login = Pick<Context, "db" | "business" | "now" | "newId">;

/**
 * Whose login it is when a contact was proved by its code (completions.md 3): the customer's who
 * has verified it, or a new one's. A customer who is logged in verifies by it the contact that
 * their profile names. Of parallel calls each answers with the same customer.
 */
export function verifyContact(ctx: Login, proof: Proof): Promise<Customer> {
  const now = ctx.now();
  const fresh = newCustomer({ id: ctx.newId("cus"), now }, proof.contact);
  return customerRepo(ctx).ofProvedContact(proof, { fresh, now });
}
