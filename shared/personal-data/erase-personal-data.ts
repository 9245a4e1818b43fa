import { type Customer, customerRepo, withoutPersonalData } from "../customers/index.ts";
import {
  auditRepo,
  type Context,
  commit,
  eraseStoredResponses,
  nextUpdatedAt,
  retryOnConflict,
} from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import { type CodeContext, forgetKnownNetworks } from "../one-time-codes/index.ts";
import { conversationIdsOfCustomer } from "../support/index.ts";
import { eraseFullPayloads, eraseMessageEvents } from "../webhooks/index.ts";
import { dataSubjectOf, verifiedContactsOf } from "./data-subject.ts";
import { sections } from "./sections.ts";

/** `codes` is needed to find the networks from which the customer logged in. */
type ErasureContext = Context & Pick<CodeContext, "codes">;

/**
 * Erases a customer's personal data in one batch and ends the customer's sessions
 * (docs/contract/business.md#personal-data-erasure). Orders keep their amounts, and the audit trail
 * keeps who changed what and when. A repeat writes nothing.
 *
 * @throws Refusal NOT_FOUND, or CONFLICT (retryable) when concurrent changes of the customer made
 *   every attempt fail.
 */
export function erasePersonalData(ctx: ErasureContext, customerId: string): Promise<Customer> {
  return retryOnConflict(async () => {
    const customer = await customerRepo(ctx).get(customerId);
    return customer.erasedAt === null ? erase(ctx, customer) : customer;
  });
}

async function erase(ctx: ErasureContext, customer: Customer): Promise<Customer> {
  const subject = dataSubjectOf(ctx, customer);
  const after = withoutPersonalData(customer, nextUpdatedAt(ctx.now(), customer));
  const codes = { ...ctx, audience: { id: ctx.business.id } };
  const networks = await Promise.all(
    verifiedContactsOf(customer).map((contact) => forgetKnownNetworks(codes, contact)),
  );
  await commit(ctx, {
    writes: [
      // This write comes first, because it finds guest orders by the contacts that others erase.
      ...eraseFullPayloads(ctx, subject.orderIds),
      ...Object.values(sections).flatMap((section) => section.erase(ctx, subject)),
      ...auditRepo(ctx).erase(subject),
      ...eraseMessageEvents(ctx, conversationIdsOfCustomer(ctx, customer.id)),
      eraseStoredResponses(ctx, subject),
      ...networks.flat(),
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
