import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Contact, ContactType } from "./contact.ts";
import type { Customer } from "./customer.ts";
import { searchExpression } from "./search.ts";
import { customers } from "./tables.ts";

const t = customers;

/** What a profile is changed to; undefined leaves a field as it is. */
export type ProfilePatch = Readonly<{
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}>;

/** What a customer may tell of themselves; contacts come normalised, null is nothing. */
export type Details = Pick<Customer, "name" | "email" | "phone">;

export type CustomerPage = Readonly<{
  search: string | undefined;
  limit: number;
  after: string | null;
}>;

/** A query for a customer's id, in brackets. */
export type CustomerQuery = SQL;

/** A contact that its code proved. */
export type Proof = Readonly<{
  contact: Contact;
  /** Who is logged in already; null for nobody. */
  loggedInId: string | null;
  /** What becomes the customer's by it, in the same batch: statements that are given the customer. */
  belongings?: (customer: CustomerQuery) => readonly Write[];
}>;

/** A statement that reads when a customer's data were erased: no row while they are there. */
export const erasedAtOf = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  customerId: string,
) =>
  db
    .select({ erasedAt: t.erasedAt })
    .from(t)
    .where(and(eq(t.businessId, business.id), eq(t.id, customerId), isNotNull(t.erasedAt)));

/** Customers of one business; every call is one round trip. */
export function customerRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(t.businessId, business.id);
  const one = (id: string) => and(own, eq(t.id, id));

  /** A batch even of one: what drizzle says of a query that failed alone holds its parameters. */
  const rowsWhere = async (condition: SQL | undefined) => {
    const [rows] = await db.batch([db.select().from(t).where(condition)]);
    return rows.map(fromRow);
  };

  return {
    /** Also one whose data were erased. @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<Customer> {
      const [customer] = await rowsWhere(one(id));
      if (!customer) throw notFound("customer");
      return customer;
    },

    /** A statement that reads the id of the customer who has verified a contact; `value` is a query in brackets. */
    ownerOf(type: ContactType, value: SQL) {
      const [contact, verifiedAt] =
        type === "email" ? [t.email, t.emailVerifiedAt] : [t.phone, t.phoneVerifiedAt];
      return db
        .select({ id: t.id })
        .from(t)
        .where(and(own, eq(contact, value), isNotNull(verifiedAt)));
    },

    /** Breaks `customers.email` or `customers.phone` when another has verified the contact. */
    insert: (customer: Customer): Write =>
      db.insert(t).values({ ...customer, businessId: business.id }),

    /**
     * The customer of a contact that was proved. The customer who is logged in gets it, if it is
     * theirs and nobody has verified it before; nobody's makes `fresh` a customer.
     */
    async ofProvedContact(
      { contact: { type, value }, loggedInId, belongings }: Proof,
      { fresh, now }: { fresh: Customer; now: number },
    ): Promise<Customer> {
      const contact = type === "email" ? t.email : t.phone;
      const verifiedAt = type === "email" ? t.emailVerifiedAt : t.phoneVerifiedAt;
      const verified = and(own, eq(contact, value), isNotNull(verifiedAt));
      const set = type === "email" ? { emailVerifiedAt: now } : { phoneVerifiedAt: now };
      const owner = sql`(${db.select({ id: t.id }).from(t).where(verified)})`;
      const [, , [row]] = await db.batch([
        db
          .update(t)
          .set({ ...set, updatedAt: now })
          .where(
            and(
              one(loggedInId ?? ""),
              eq(contact, value),
              isNull(verifiedAt),
              isNobodys(type, value),
            ),
          ),
        db
          .insert(t)
          .values({ ...fresh, businessId: business.id })
          .onConflictDoNothing(),
        db.select().from(t).where(verified),
        ...(belongings?.(owner) ?? []),
      ]);
      if (!row) throw notFound("customer");
      return fromRow(row);
    },

    /** Changes a profile where no other customer has verified its contacts; a changed one is unproved. */
    async updateProfile(
      id: string,
      { name, email, phone }: ProfilePatch,
      now: number,
    ): Promise<Customer | "taken"> {
      const there = and(one(id), isNull(t.erasedAt));
      const [[updated], [standing]] = await db.batch([
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
              there,
              email === undefined ? undefined : isNobodys("email", email, id),
              phone === undefined ? undefined : isNobodys("phone", phone, id),
            ),
          )
          .returning(),
        db.select({ id: t.id }).from(t).where(there),
      ]);
      if (updated) return fromRow(updated);
      if (!standing) throw notFound("customer");
      return "taken";
    },

    /**
     * Fills in what a profile has none of: what is there stays, a contact that another customer has
     * verified is left out, and one that is filled in is unproved. For the batch of whoever knows that
     * it is the customer who tells; nothing to fill in, also of an erased one, fails nothing.
     */
    fillIn(id: string, { name, email, phone }: Details, now: number): Write {
      const filled = {
        name: sql`coalesce(${t.name}, ${name})`,
        email: sql`coalesce(${t.email}, ${ifNobodys("email", email)})`,
        phone: sql`coalesce(${t.phone}, ${ifNobodys("phone", phone)})`,
      };
      const fills = sql`(${filled.name} is not ${t.name} or ${filled.email} is not ${t.email}
        or ${filled.phone} is not ${t.phone})`;
      return db
        .update(t)
        .set({ ...filled, updatedAt: now })
        .where(and(one(id), isNull(t.erasedAt), fills));
    },

    /** Newest first; `after` is the id on which the last page ended. */
    async list({ search, limit, after }: CustomerPage): Promise<Customer[]> {
      const match = search === undefined ? undefined : searchExpression(business, search);
      if (match === null) return [];
      // What is searched for is looked up by rowid: the unary plus keeps the newest-first walk out.
      const found =
        match === undefined
          ? own
          : sql`+${t.businessId} = ${business.id} and ${t}.rowid in
              (select rowid from customer_search where customer_search match ${match})`;
      const [rows] = await db.batch([
        db
          .select()
          .from(t)
          .where(and(found, isNull(t.erasedAt), after === null ? undefined : lt(t.id, after)))
          .orderBy(desc(t.id))
          .limit(limit),
      ]);
      return rows.map(fromRow);
    },

    /** A query that finds the customer if the order's contact, or the login, makes an order theirs. */
    attachable: (
      id: string,
      {
        loggedInId,
        email,
        phone,
      }: { loggedInId: string | null; email: string | null; phone: string | null },
    ): SQL => sql`select 1 from ${t} where ${and(one(id), isNull(t.erasedAt))} and (
      ${t.id} = ${loggedInId}
      or (${t.email} = ${email} and ${t.emailVerifiedAt} is not null)
      or (${t.phone} = ${phone} and ${t.phoneVerifiedAt} is not null))`,

    /** Fails on `customers.updated_at` when the row is not as it was read. */
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
        .where(one(before.id)),
  };

  /** That no customer, but for the one named, has verified the contact. */
  function isNobodys(type: Contact["type"], value: string, but = ""): SQL {
    const column = sql.raw(type);
    return sql`not exists (select 1 from ${t} as other where other.business_id = ${business.id}
      and other.${column} = ${value} and other.${column}_verified_at is not null and other.id <> ${but})`;
  }

  function ifNobodys(type: ContactType, value: string | null): SQL {
    return value === null ? sql`null` : sql`iif(${isNobodys(type, value)}, ${value}, null)`;
  }
}

function fromRow({ businessId: _, ...customer }: typeof customers.$inferSelect): Customer {
  return customer;
}
