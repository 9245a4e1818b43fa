import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import type { Contact } from "../contact.ts";
import { type CustomerIdQuery, isNotVerifiedByAnother, toCustomer } from "../contact-owner-repo.ts";
import type { Customer, CustomerPatch } from "../customer.ts";
import { changedContacts } from "../repo.ts";
import { customers } from "../tables.ts";

/**
 * What a merchant writes to customers. The writes fail on `customers.updated_at` when another
 * customer has verified one of the contacts, and on `customers.email` or `customers.phone` when
 * another unclaimed customer has one of them.
 */
export function merchantCustomerRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isPresent = (id: string) =>
    and(eq(customers.businessId, business.id), eq(customers.id, id), isNull(customers.erasedAt));

  return {
    insert: (customer: Customer): Write =>
      db.insert(customers).values({
        ...customer,
        businessId: business.id,
        updatedAt: sql`case when ${areFree(customer)} then ${customer.updatedAt} end`,
      }),

    /**
     * A verified contact stays until the new one is verified. Null removes a contact with its
     * verification. `parseUpdated` reads the result.
     */
    update(id: string, patch: CustomerPatch, now: number): Write {
      const { name, email, phone, tags, isTaxExempt } = patch;
      return db
        .update(customers)
        .set({
          ...(name !== undefined && { name }),
          ...changedContacts({ email: email ?? undefined, phone: phone ?? undefined }),
          ...(email === null && { email, emailVerifiedAt: null, pendingEmail: null }),
          ...(phone === null && { phone, phoneVerifiedAt: null, pendingPhone: null }),
          ...(tags !== undefined && { tags }),
          ...(isTaxExempt !== undefined && { isTaxExempt }),
          updatedAt: sql`case when ${areFree({ id, email: email ?? null, phone: phone ?? null })}
            then max(${now}, ${customers.updatedAt} + 1) end`,
        })
        .where(isPresent(id))
        .returning();
    },

    /** The customer after `update`; null when the customer does not exist or was erased. */
    parseUpdated(result: unknown): Customer | null {
      const [row] = result as readonly (typeof customers.$inferSelect)[]; // safe: what `update` returns
      return row ? toCustomer(row) : null;
    },

    /** A query for the id of a customer; no row when the customer was erased. */
    presentIdQuery: (id: string): CustomerIdQuery =>
      sql`${db.select({ id: customers.id }).from(customers).where(isPresent(id))}`,
  };

  /** The SQL condition that no other customer has verified one of the contacts. */
  function areFree({ id, email, phone }: Pick<Customer, "id" | "email" | "phone">): SQL {
    const isFree = (type: Contact["type"], value: string | null): SQL =>
      value === null ? sql`true` : isNotVerifiedByAnother(business, { type, value }, id);
    return sql`(${isFree("email", email)} and ${isFree("phone", phone)})`;
  }
}
