import { type Customer, customerRepo, erased } from "../customers/index.ts";
import { auditRepo, type Context, commit } from "../database/index.ts";
import { conflict, nextUpdate, Refusal } from "../kernel/index.ts";
import { personOf } from "./person.ts";
import { sections } from "./sections.ts";

const maxTries = 3;

/**
 * Blanks everything that tells who a customer was (business-surface.md, DELETE /customers/{id}/data),
 * in one batch: orders keep their figures, the customer's sessions are over, and the audit trail
 * keeps who changed what and when. A repeat answers the same and does nothing.
 *
 * @throws Refusal NOT_FOUND, or CONFLICT (retryable) while the customer keeps changing.
 */
export async function erasePersonalData(ctx: Context, customerId: string): Promise<Customer> {
  for (let tries = 1; ; tries += 1) {
    const customer = await customerRepo(ctx).get(customerId);
    if (customer.erasedAt !== null) return customer;
    try {
      return await erase(ctx, customer);
    } catch (error) {
      if (!(error instanceof Refusal && error.retryable) || tries === maxTries) throw error;
    }
  }
}

async function erase(ctx: Context, customer: Customer): Promise<Customer> {
  const person = personOf(ctx, customer);
  const after = erased(customer, nextUpdate(ctx.now(), customer));
  await commit(ctx, {
    writes: [
      ...Object.values(sections).flatMap((section) => section.erase(ctx, person)),
      ...auditRepo(ctx).erase(person),
      customerRepo(ctx).erase(customer, after),
    ],
    audit: [{ action: "customer.erased", entity: customer.id }],
    refusals: {
      "customers.updated_at": () =>
        conflict("The customer changed meanwhile; try again.", { retryable: true }),
    },
  });
  return after;
}
