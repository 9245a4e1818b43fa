import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Contact, ContactType } from "./contact.ts";
import type { Customer } from "./customer.ts";
import { searchExpression } from "./search.ts";
import { customers } from "./tables.ts";

const t = customers;

/** New values of a profile; undefined leaves a field unchanged. */
export type ProfilePatch = Readonly<{
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}>;

/** A customer's own details. Contacts are normalized; null means not given. */
export type CustomerDetails = Pick<Customer, "name" | "email" | "phone">;

export type CustomerPage = Readonly<{
  search: string | undefined;
  limit: number;
  after: string | null;
}>;

/** SQL for a customer's id, in parentheses. */
export type CustomerIdQuery = SQL;

/** A contact that was verified by its code. */
export type ContactProof = Readonly<{
  contact: Contact;
  /** The logged-in customer; null without a login. */
  loggedInId: string | null;
  /** Further writes of the same batch, which refer to the customer by a query. */
  dependentWrites?: (customer: CustomerIdQuery) => readonly Write[];
}>;

/** A query that returns a row only when the customer's data were erased. */
export const erasedAtQuery = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  customerId: string,
) =>
  db
    .select({ erasedAt: t.erasedAt })
    .from(t)
    .where(and(eq(t.businessId, business.id), eq(t.id, customerId), isNotNull(t.erasedAt)));

/** The customers of one business; every call is one round trip. */
export function customerRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOfBusiness = eq(t.businessId, business.id);
  const hasId = (id: string) => and(isOfBusiness, eq(t.id, id));

  /**
   * Uses a batch even for one query: drizzle's error for a single failed query contains its
   * parameters, which must not reach the logs.
   */
  const rowsWhere = async (condition: SQL | undefined) => {
    const [rows] = await db.batch([db.select().from(t).where(condition)]);
    return rows.map(toCustomer);
  };

  return {
    /** Erased customers are included. @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<Customer> {
      const [customer] = await rowsWhere(hasId(id));
      if (!customer) throw notFound("customer");
      return customer;
    },

    /** A query for the customer who has verified a contact; `value` is SQL in parentheses. */
    contactOwnerQuery(type: ContactType, value: SQL) {
      const [contact, verifiedAt] =
        type === "email" ? [t.email, t.emailVerifiedAt] : [t.phone, t.phoneVerifiedAt];
      return db
        .select({ id: t.id })
        .from(t)
        .where(and(isOfBusiness, eq(contact, value), isNotNull(verifiedAt)));
    },

    /**
     * Fails on `customers.email` or `customers.phone` when another customer has verified the
     * contact.
     */
    insert: (customer: Customer): Write =>
      db.insert(t).values({ ...customer, businessId: business.id }),

    /**
     * Returns the customer who owns a verified contact. A logged-in customer gets it when their
     * profile names it and nobody has verified it; otherwise `candidate` is inserted when nobody
     * owns it.
     */
    async insertOrVerifyContact(
      { contact: { type, value }, loggedInId, dependentWrites: belongings }: ContactProof,
      { candidate, now }: { candidate: Customer; now: number },
    ): Promise<Customer> {
      const contact = type === "email" ? t.email : t.phone;
      const verifiedAt = type === "email" ? t.emailVerifiedAt : t.phoneVerifiedAt;
      const verified = and(isOfBusiness, eq(contact, value), isNotNull(verifiedAt));
      const set = type === "email" ? { emailVerifiedAt: now } : { phoneVerifiedAt: now };
      const owner = sql`(${db.select({ id: t.id }).from(t).where(verified)})`;
      const [, , [row]] = await db.batch([
        db
          .update(t)
          .set({ ...set, updatedAt: now })
          .where(
            and(
              hasId(loggedInId ?? ""),
              eq(contact, value),
              isNull(verifiedAt),
              isNotVerifiedByAnother(type, value),
            ),
          ),
        db
          .insert(t)
          .values({ ...candidate, businessId: business.id })
          .onConflictDoNothing(),
        db.select().from(t).where(verified),
        ...(belongings?.(owner) ?? []),
      ]);
      if (!row) throw notFound("customer");
      return toCustomer(row);
    },

    /**
     * Changes a profile unless another customer has verified one of the contacts. A changed contact
     * is unverified.
     */
    async updateProfile(
      id: string,
      { name, email, phone }: ProfilePatch,
      now: number,
    ): Promise<Customer | "taken"> {
      const isPresent = and(hasId(id), isNull(t.erasedAt));
      const [[updated], [existing]] = await db.batch([
        db
          .update(t)
          .set({
            ...(name !== undefined && { name }),
            ...(email !== undefined && {
              email,
              emailVerifiedAt: sql`case when ${t.email} is ${email} then ${t.emailVerifiedAt} end`,
            }),
            ...(phone !== undefined && {
              phone,
              phoneVerifiedAt: sql`case when ${t.phone} is ${phone} then ${t.phoneVerifiedAt} end`,
            }),
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
        db.select({ id: t.id }).from(t).where(isPresent),
      ]);
      if (updated) return toCustomer(updated);
      if (!existing) throw notFound("customer");
      return "taken";
    },

    /**
     * Fills only empty fields of a profile, skips contacts that another customer has verified, and
     * leaves filled contacts unverified. It never fails a batch, also for an erased customer. The
     * caller must know that the details come from the customer.
     */
    fillMissingDetails(id: string, { name, email, phone }: CustomerDetails, now: number): Write {
      const completed = {
        name: sql`coalesce(${t.name}, ${name})`,
        email: sql`coalesce(${t.email}, ${unlessVerifiedByAnother("email", email)})`,
        phone: sql`coalesce(${t.phone}, ${unlessVerifiedByAnother("phone", phone)})`,
      };
      const isIncomplete = sql`(${completed.name} is not ${t.name} or ${completed.email} is not ${t.email}
        or ${completed.phone} is not ${t.phone})`;
      return db
        .update(t)
        .set({ ...completed, updatedAt: now })
        .where(and(hasId(id), isNull(t.erasedAt), isIncomplete));
    },

    /** Newest first; `after` is the last id of the previous page. */
    async list({ search, limit, after }: CustomerPage): Promise<Customer[]> {
      const match = search === undefined ? undefined : searchExpression(business, search);
      if (match === null) return [];
      // Matches are looked up by rowid; the unary plus keeps the planner from scanning the newest
      // customers.
      const isListed =
        match === undefined
          ? isOfBusiness
          : sql`+${t.businessId} = ${business.id} and ${t}.rowid in
              (select rowid from customer_search where customer_search match ${match})`;
      const [rows] = await db.batch([
        db
          .select()
          .from(t)
          .where(and(isListed, isNull(t.erasedAt), after === null ? undefined : lt(t.id, after)))
          .orderBy(desc(t.id))
          .limit(limit),
      ]);
      return rows.map(toCustomer);
    },

    /** SQL that finds the customer when the order's contact or the login makes the order theirs. */
    attachableQuery: (
      id: string,
      {
        loggedInId,
        email,
        phone,
      }: { loggedInId: string | null; email: string | null; phone: string | null },
    ): SQL => sql`select 1 from ${t} where ${and(hasId(id), isNull(t.erasedAt))} and (
      ${t.id} = ${loggedInId}
      or (${t.email} = ${email} and ${t.emailVerifiedAt} is not null)
      or (${t.phone} = ${phone} and ${t.phoneVerifiedAt} is not null))`,

    /** Fails on `customers.updated_at` when the row changed since it was read. */
    erase: (before: Customer, { sessionsEndedAt, erasedAt, updatedAt }: Customer): Write =>
      db
        .update(t)
        .set({
          name: null,
          email: null,
          phone: null,
          emailVerifiedAt: null,
          phoneVerifiedAt: null,
          sessionsEndedAt,
          erasedAt,
          updatedAt: sql`case when ${t.updatedAt} = ${before.updatedAt} and ${t.erasedAt} is null
            then ${updatedAt} end`,
        })
        .where(hasId(before.id)),
  };

  /** SQL: no other customer has verified the contact. */
  function isNotVerifiedByAnother(type: Contact["type"], value: string, exceptId = ""): SQL {
    const column = sql.raw(type);
    return sql`not exists (select 1 from ${t} as other where other.business_id = ${business.id}
      and other.${column} = ${value} and other.${column}_verified_at is not null and other.id <> ${exceptId})`;
  }

  function unlessVerifiedByAnother(type: ContactType, value: string | null): SQL {
    return value === null
      ? sql`null`
      : sql`iif(${isNotVerifiedByAnother(type, value)}, ${value}, null)`;
  }
}

function toCustomer({ businessId: _, ...customer }: typeof customers.$inferSelect): Customer {
  return customer;
}
