import { and, desc, eq, isNotNull, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { ContactType } from "./contact.ts";
import { type CustomerIdQuery, isNotVerifiedByAnother, toCustomer } from "./contact-owner-repo.ts";
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

/** The current name of the customer whose id a column holds. */
export const customerNameQuery = (
  { business }: Readonly<{ business: Readonly<{ id: string }> }>,
  customerId: SQLWrapper,
): SQL<string | null> =>
  sql<string | null>`(
    select named.name from ${customers} as named
    where named.id = ${customerId} and named.business_id = ${business.id})`;

/** A query that returns a row only when the customer's data were erased. */
export const erasedAtQuery = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  customerId: string | SQL,
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
     * Inserts a customer. Fails on `customers.email` or `customers.phone` when another customer has
     * verified the contact.
     */
    insert: (customer: Customer): Write =>
      db.insert(customers).values({ ...customer, businessId: business.id }),

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
              email === undefined
                ? undefined
                : isNotVerifiedByAnother(business, { type: "email", value: email }, id),
              phone === undefined
                ? undefined
                : isNotVerifiedByAnother(business, { type: "phone", value: phone }, id),
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
    erase: (before: Customer, { id: _, createdAt: __, updatedAt, ...erased }: Customer): Write =>
      db
        .update(customers)
        .set({
          ...erased,
          updatedAt: sql`case when ${customers.updatedAt} = ${before.updatedAt} and ${customers.erasedAt} is null
            then ${updatedAt} end`,
        })
        .where(hasId(before.id)),
  };

  function unlessVerifiedByAnother(type: ContactType, value: string | SQL | null): SQL {
    return value === null
      ? sql`null`
      : sql`iif(${isNotVerifiedByAnother(business, { type, value })}, ${value}, null)`;
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
