import { and, desc, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { batchedRead, type Context, type Db, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Contact, ContactType } from "./contact.ts";
import type { Customer } from "./customer.ts";
import { searchExpression } from "./search.ts";
import { customers } from "./tables.ts";

/** New values of a profile; undefined leaves a field unchanged. */
export type ProfilePatch = Readonly<{
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}>;

/** A customer's own details. Contacts are normalized; null means that a detail was not given. */
export type CustomerDetails = Pick<Customer, "name" | "email" | "phone">;

/** The same as values or as queries in parentheses. */
type DetailsSource = Readonly<Record<keyof CustomerDetails, string | SQL | null>>;

export type CustomerPage = Readonly<{
  search: string | undefined;
  limit: number;
  after: string | null;
}>;

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

/** A query that returns a row only when the customer's data were erased. */
export const erasedAtQuery = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  customerId: string,
) =>
  db
    .select({ erasedAt: customers.erasedAt })
    .from(customers)
    .where(
      and(
        eq(customers.businessId, business.id),
        eq(customers.id, customerId),
        isNotNull(customers.erasedAt),
      ),
    );

/** Reads and writes the customers of one business; every call is one round trip. */
export function customerRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOfBusiness = eq(customers.businessId, business.id);
  const hasId = (id: string) => and(isOfBusiness, eq(customers.id, id));
  /** Written out, because SQLite uses a partial index only for the condition that defines it. */
  const isUnclaimed = sql`${customers.isUnclaimed} = 1`;

  /**
   * Uses a batch even for one query. Drizzle's error for a single failed query contains its
   * parameters, which are personal data and must not be logged.
   */
  const findCustomers = async (condition: SQL | undefined) => {
    const [rows] = await db.batch([db.select().from(customers).where(condition)]);
    return rows.map(toCustomer);
  };

  return {
    /**
     * Reads a customer, also an erased one.
     * @throws Refusal NOT_FOUND.
     */
    async get(id: string): Promise<Customer> {
      const [customer] = await findCustomers(hasId(id));
      if (!customer) throw notFound("customer");
      return customer;
    },

    /**
     * Selects the customers who have verified contacts, and the unclaimed customers with contacts;
     * `values` is a query in parentheses.
     */
    contactOwnersQuery(type: ContactType, values: SQL) {
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
     * Inserts a customer. Fails on `customers.email` or `customers.phone` when another customer has
     * verified the contact.
     */
    insert: (customer: Customer): Write =>
      db.insert(customers).values({ ...customer, businessId: business.id }),

    /**
     * Returns the customer who owns a verified contact. When nobody owns it, a logged-in customer
     * whose profile names it becomes the owner and gives up the earlier one; failing that, an
     * unclaimed customer with this contact does. Otherwise `candidate` is inserted as the owner.
     */
    async insertOrVerifyContact(
      { contact: { type, value }, loggedInId, dependentWrites }: ContactProof,
      { candidate, now }: { candidate: Customer; now: number },
    ): Promise<ContactOwner> {
      const contact = type === "email" ? customers.email : customers.phone;
      const verifiedAt = type === "email" ? customers.emailVerifiedAt : customers.phoneVerifiedAt;
      const verified = and(isOfBusiness, eq(contact, value), isNotNull(verifiedAt));
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
              isNotVerifiedByAnother(type, value),
            ),
          ),
        db
          .update(customers)
          .set({ ...set, isUnclaimed: false, updatedAt: now })
          .where(
            and(isOfBusiness, eq(contact, value), isUnclaimed, isNotVerifiedByAnother(type, value)),
          ),
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

    /**
     * Changes a profile unless another customer has verified one of the contacts. A verified contact
     * stays until the new one is verified; an unverified one is replaced.
     */
    async updateProfile(
      id: string,
      { name, email, phone }: ProfilePatch,
      now: number,
    ): Promise<Customer | "taken"> {
      const isPresent = and(hasId(id), isNull(customers.erasedAt));
      const [[updated], [existing]] = await db.batch([
        db
          .update(customers)
          .set({
            ...(name !== undefined && { name }),
            ...changedContacts({ email, phone }),
            updatedAt: now,
          })
          .where(
            and(
              isPresent,
              email === undefined ? undefined : isNotVerifiedByAnother("email", email, id),
              phone === undefined ? undefined : isNotVerifiedByAnother("phone", phone, id),
            ),
          )
          .returning(),
        db.select({ id: customers.id }).from(customers).where(isPresent),
      ]);
      if (updated) return toCustomer(updated);
      if (!existing) throw notFound("customer");
      return "taken";
    },

    /**
     * Fills only empty fields of a profile with details that come from the customer. Skips contacts
     * that another customer has verified, and does not verify any. Never fails a batch, not even
     * for an erased customer.
     */
    fillMissingDetails(
      id: string | CustomerIdQuery,
      { name, email, phone }: DetailsSource,
      now: number,
    ): Write {
      const completed = {
        name: sql`coalesce(${customers.name}, ${name})`,
        email: sql`coalesce(${customers.email}, ${unlessVerifiedByAnother("email", email)})`,
        phone: sql`coalesce(${customers.phone}, ${unlessVerifiedByAnother("phone", phone)})`,
      };
      const isIncomplete = sql`(${completed.name} is not ${customers.name} or ${completed.email} is not ${customers.email}
        or ${completed.phone} is not ${customers.phone})`;
      return db
        .update(customers)
        .set({ ...completed, updatedAt: now })
        .where(and(isOfBusiness, eq(customers.id, id), isNull(customers.erasedAt), isIncomplete));
    },

    /** Lists customers newest first. `after` is the last id of the previous page. */
    async list({ search, limit, after }: CustomerPage): Promise<Customer[]> {
      const match = search === undefined ? undefined : searchExpression(business, search);
      if (match === null) return [];
      // Matches are looked up by rowid. The unary plus keeps SQLite from scanning the newest
      // customers.
      const isListed =
        match === undefined
          ? isOfBusiness
          : sql`+${customers.businessId} = ${business.id} and ${customers}.rowid in
              (select rowid from customer_search where customer_search match ${match})`;
      const [rows] = await db.batch([
        db
          .select()
          .from(customers)
          .where(
            and(
              isListed,
              isNull(customers.erasedAt),
              after === null ? undefined : lt(customers.id, after),
            ),
          )
          .orderBy(desc(customers.id))
          .limit(limit),
      ]);
      return rows.map(toCustomer);
    },

    /** SQL that selects the customer of an order: by the order's contact, or by the login. */
    attachableQuery: (
      id: string,
      {
        loggedInId,
        email,
        phone,
      }: { loggedInId: string | null; email: string | null; phone: string | null },
    ): SQL => sql`select 1 from ${customers} where ${and(hasId(id), isNull(customers.erasedAt))} and (
      ${customers.id} = ${loggedInId}
      or (${customers.email} = ${email} and ${customers.emailVerifiedAt} is not null)
      or (${customers.phone} = ${phone} and ${customers.phoneVerifiedAt} is not null))`,

    /**
     * Erases a customer's data. Fails on `customers.updated_at` when the row changed since it was
     * read.
     */
    erase: (before: Customer, { sessionsEndedAt, erasedAt, updatedAt }: Customer): Write =>
      db
        .update(customers)
        .set({
          name: null,
          email: null,
          phone: null,
          emailVerifiedAt: null,
          phoneVerifiedAt: null,
          pendingEmail: null,
          pendingPhone: null,
          isUnclaimed: false,
          tags: [],
          sessionsEndedAt,
          erasedAt,
          updatedAt: sql`case when ${customers.updatedAt} = ${before.updatedAt} and ${customers.erasedAt} is null
            then ${updatedAt} end`,
        })
        .where(hasId(before.id)),
  };

  /** The SQL condition that no other customer has verified the contact. */
  function isNotVerifiedByAnother(type: ContactType, value: string | SQL, exceptId = ""): SQL {
    const column = sql.raw(type);
    return sql`not exists (select 1 from ${customers} as other where other.business_id = ${business.id}
      and other.${column} = ${value} and other.${column}_verified_at is not null and other.id <> ${exceptId})`;
  }

  function unlessVerifiedByAnother(type: ContactType, value: string | SQL | null): SQL {
    return value === null
      ? sql`null`
      : sql`iif(${isNotVerifiedByAnother(type, value)}, ${value}, null)`;
  }
}

/**
 * The columns that a change of contacts sets. A verified contact stays until the new one is
 * verified; an unverified one is replaced.
 */
export const changedContacts = ({
  email,
  phone,
}: Readonly<{ email?: string | undefined; phone?: string | undefined }>) => ({
  ...(email !== undefined && {
    email: sql`iif(${customers.emailVerifiedAt} is null, ${email}, ${customers.email})`,
    pendingEmail: sql`iif(${customers.emailVerifiedAt} is null, null, nullif(${email}, ${customers.email}))`,
  }),
  ...(phone !== undefined && {
    phone: sql`iif(${customers.phoneVerifiedAt} is null, ${phone}, ${customers.phone})`,
    pendingPhone: sql`iif(${customers.phoneVerifiedAt} is null, null, nullif(${phone}, ${customers.phone}))`,
  }),
});

export function toCustomer({
  businessId: _,
  ...customer
}: typeof customers.$inferSelect): Customer {
  return customer;
}
