import { type Context, commit } from "../../database/index.ts";
import { conflict, invalid, notFound } from "../../kernel/index.ts";
import { addNote, listNotes, type Note } from "../../notes/index.ts";
import { type Customer, type CustomerPatch, newUnclaimedCustomer, withPatch } from "../customer.ts";
import { type CustomerDetails, customerRepo } from "../repo.ts";
import { merchantCustomerRepo } from "./merchant-customer-repo.ts";

/**
 * Creates a customer for the merchant. The first person who verifies one of the contacts gets the
 * customer (docs/contract/business.md#customer-create). Contacts are normalized.
 *
 * @throws Refusal CONFLICT when another customer has one of the contacts.
 */
export async function createCustomer(
  ctx: Context,
  details: CustomerDetails & Pick<Customer, "tags" | "isTaxExempt">,
): Promise<Customer> {
  const { name, email, phone, tags, isTaxExempt } = details;
  if (name === null && email === null && phone === null)
    throw invalid("body", "must contain a name, email or phone");
  const customer = newUnclaimedCustomer(
    { id: ctx.newId("cus"), now: ctx.now() },
    { name, email, phone, tags: [...new Set(tags)], isTaxExempt },
  );
  await commit(ctx, {
    writes: [merchantCustomerRepo(ctx).insert(customer)],
    audit: [{ action: "customer.created", entity: customer.id, after: customer }],
    refusals: contactRefusals,
  });
  return customer;
}

/**
 * Changes a customer for the merchant. Contacts are normalized. A verified one logs in until the
 * new one is verified.
 *
 * @throws Refusal NOT_FOUND, also for an erased customer; CONFLICT when another customer has one of
 * the contacts.
 */
export async function updateCustomer(
  ctx: Context,
  id: string,
  patch: CustomerPatch,
): Promise<Customer> {
  const before = await customerRepo(ctx).get(id);
  if (before.erasedAt !== null) throw notFound("customer");
  if (Object.values(patch).every((value) => value === undefined)) return before;
  const repo = merchantCustomerRepo(ctx);
  const tags = patch.tags && [...new Set(patch.tags)];
  const [result] = await commit(ctx, {
    writes: [repo.update(id, { ...patch, tags }, ctx.now())],
    audit: [
      {
        action: "customer.updated",
        entity: repo.presentIdQuery(id),
        before: profileOf(before),
        after: profileOf(withPatch(before, { ...patch, tags })),
      },
    ],
    refusals: { ...contactRefusals, "audit_entries.entity": () => notFound("customer") },
  });
  const updated = repo.parseUpdated(result);
  if (!updated) throw notFound("customer");
  return updated;
}

/** @throws Refusal NOT_FOUND, also for an erased customer. */
export const addCustomerNote = (ctx: Context, customerId: string, text: string): Promise<Note> =>
  addNote(ctx, noteSubject(ctx, customerId), text);

/** Lists a customer's notes, newest first. @throws Refusal NOT_FOUND as `addCustomerNote`. */
export const listCustomerNotes = (
  ctx: Pick<Context, "db" | "business">,
  customerId: string,
  page: Parameters<typeof listNotes>[2],
): Promise<Note[]> => listNotes(ctx, noteSubject(ctx, customerId), page);

const noteSubject = (ctx: Pick<Context, "db" | "business">, customerId: string) => ({
  noun: "customer" as const,
  idQuery: merchantCustomerRepo(ctx).presentIdQuery(customerId),
});

const profileOf = (customer: Customer) => {
  const { name, email, phone, pendingEmail, pendingPhone, tags, isTaxExempt } = customer;
  return { name, email, phone, pendingEmail, pendingPhone, tags, isTaxExempt };
};

const takenContact = () =>
  conflict("Another customer has this e-mail address or phone. Change that customer instead.");

const contactRefusals = {
  "customers.updated_at": takenContact,
  "customers.email": takenContact,
  "customers.phone": takenContact,
} as const;
