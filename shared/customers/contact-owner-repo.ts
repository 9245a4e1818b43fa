import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { batchedRead, type Context, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Contact, ContactType } from "./contact.ts";
import type { Customer } from "./customer.ts";
import { customers } from "./tables.ts";

/** SQL in parentheses that selects a customer's id. */
export type CustomerIdQuery = SQL;

/** A contact that was verified by its code. */
export type ContactProof = Readonly<{
  contact: Contact;
  /** The id of the logged-in customer; null when nobody is logged in. */
  loggedInId: string | null;
  /** Creates further writes for the same batch. They refer to the customer by the given query. */
  dependentWrites?: (customer: CustomerIdQuery) => readonly Write[];
}>;

/** The owner of a verified contact, and the results of the proof's dependent writes. */
export type ContactOwner = Readonly<{ customer: Customer; results: readonly unknown[] }>;

/** Who owns the contacts of one business's customers: the person who has verified them. */
export function contactOwnerRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOfBusiness = eq(customers.businessId, business.id);
  const hasId = (id: string) => and(isOfBusiness, eq(customers.id, id));
  /** Written out, because SQLite uses a partial index only for the condition that defines it. */
  const isUnclaimed = sql`${customers.isUnclaimed} = 1`;

  return {
    /**
     * Selects the customers who have verified contacts, and the unclaimed customers with contacts;
     * `values` is a query in parentheses.
     */
    ownersQuery(type: ContactType, values: SQL) {
      const [contact, verifiedAt] =
        type === "email"
          ? [customers.email, customers.emailVerifiedAt]
          : [customers.phone, customers.phoneVerifiedAt];
      const withContact = (condition: SQL) =>
        db
          .select({ id: customers.id, value: contact, isUnclaimed: customers.isUnclaimed })
          .from(customers)
          .where(and(isOfBusiness, sql`${contact} in ${values}`, condition));
      return withContact(isNotNull(verifiedAt)).unionAll(withContact(isUnclaimed));
    },

    /**
     * Gives an unclaimed customer to the person who has verified the contact. Fails on
     * `customers.updated_at` when the customer has been claimed, erased or given another contact,
     * and on `customers.email` or `customers.phone` when another customer has verified it.
     */
    claim(id: string, { type, value }: Contact, now: number): Write {
      const contact = type === "email" ? customers.email : customers.phone;
      return db
        .update(customers)
        .set({
          ...(type === "email" ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }),
          isUnclaimed: false,
          updatedAt: sql`case when ${isUnclaimed} and ${contact} = ${value} then ${now} end`,
        })
        .where(hasId(id));
    },

    /**
     * Returns the customer who owns a verified contact. When nobody owns it, a logged-in customer
     * whose profile names it becomes the owner and gives up the earlier one; failing that, an
     * unclaimed customer with this contact does. Otherwise `candidate` is inserted as the owner.
     */
    async insertOrVerify(
      { contact: { type, value }, loggedInId, dependentWrites }: ContactProof,
      { candidate, now }: { candidate: Customer; now: number },
    ): Promise<ContactOwner> {
      const contact = type === "email" ? customers.email : customers.phone;
      const verifiedAt = type === "email" ? customers.emailVerifiedAt : customers.phoneVerifiedAt;
      const verified = and(isOfBusiness, eq(contact, value), isNotNull(verifiedAt));
      const isFree = isNotVerifiedByAnother(business, { type, value });
      const pending = type === "email" ? customers.pendingEmail : customers.pendingPhone;
      const set =
        type === "email"
          ? { email: value, emailVerifiedAt: now, pendingEmail: null }
          : { phone: value, phoneVerifiedAt: now, pendingPhone: null };
      const ownerIdQuery = sql`(${db.select({ id: customers.id }).from(customers).where(verified)})`;
      const ownerRead = batchedRead(
        [db.select().from(customers).where(verified)],
        ([rows]) => rows,
      );
      const [, , , ...results] = await db.batch([
        db
          .update(customers)
          .set({ ...set, updatedAt: now })
          .where(
            and(
              hasId(loggedInId ?? ""),
              or(eq(pending, value), and(eq(contact, value), isNull(verifiedAt))),
              isFree,
            ),
          ),
        db
          .update(customers)
          .set({ ...set, isUnclaimed: false, updatedAt: now })
          .where(and(isOfBusiness, eq(contact, value), isUnclaimed, isFree)),
        db
          .insert(customers)
          .values({ ...candidate, businessId: business.id })
          .onConflictDoNothing(),
        ...(dependentWrites?.(ownerIdQuery) ?? []),
        ...ownerRead.queries,
      ]);
      const [row] = ownerRead.parse(results.slice(-1));
      if (!row) throw notFound("customer");
      return { customer: toCustomer(row), results: results.slice(0, -1) };
    },
  };
}

/** A value of a contact, or SQL for one. */
type ContactSource = Readonly<{ type: ContactType; value: string | SQL }>;

/** The SQL condition that no other customer of the business has verified the contact. */
export function isNotVerifiedByAnother(
  business: Readonly<{ id: string }>,
  { type, value }: ContactSource,
  exceptId = "",
): SQL {
  const column = sql.raw(type);
  return sql`not exists (select 1 from ${customers} as other where other.business_id = ${business.id}
    and other.${column} = ${value} and other.${column}_verified_at is not null and other.id <> ${exceptId})`;
}

export function toCustomer({
  businessId: _,
  ...customer
}: typeof customers.$inferSelect): Customer {
  return customer;
}
