import { type SQL, sql } from "drizzle-orm";
import { customerGroupIdsQuery } from "../../customers/index.ts";
import type { Db } from "../../database/index.ts";

/** A person who uses deals: the logged-in customer, or a guest, with the contacts of the order. */
export type DealUser = Readonly<{
  customerId: string | null;
  email: string | null;
  phone: string | null;
}>;

type BusinessRef = Readonly<{ id: string }>;

/**
 * SQL for one row with a person's id, e-mail address and phone. A customer's own contacts count
 * beside the order's, and a guest's contact leads to the customer who has verified it. Reads
 * customers of shared/customers.
 */
export const personQuery = (business: BusinessRef, { customerId, email, phone }: DealUser): SQL =>
  customerId === null
    ? sql`(select (select id from customers where business_id = ${business.id}
          and (email = ${email} and email_verified_at is not null
            or phone = ${phone} and phone_verified_at is not null)
          order by id limit 1) as customer_id,
        ${withoutTag(email)} as email, ${phone} as phone)`
    : sql`(select id as customer_id, coalesce(${withoutTag(email)}, ${withoutTagSql("email")}) as email,
          coalesce(${phone}, phone) as phone
        from customers where id = ${customerId} and business_id = ${business.id})`;

/**
 * Selects the ids of the customer groups of a login. A guest has none, because anybody can state the
 * contact of a member.
 */
export const dealUserGroupsQuery = (
  { db, business }: Readonly<{ db: Db; business: BusinessRef }>,
  user: DealUser,
) => db.select({ id: sql<string>`own.id` }).from(sql`(${groupIdsOfUser(business, user)}) as own`);

/** The same as SQL for a condition. */
export const groupIdsOfUser = (business: BusinessRef, user: DealUser): SQL =>
  customerGroupIdsQuery(business, sql`select ${user.customerId}`);

/** An e-mail address as uses are counted: `a+tag@b.c` reaches the same person as `a@b.c`. */
const withoutTag = (email: string | null): string | null =>
  email?.replace(/^([^+@]+)\+[^@]*@/, "$1@") ?? null;

/** The same in SQL, for a column. */
function withoutTagSql(column: string): SQL {
  const email = sql.raw(column);
  return sql`iif(instr(${email}, '+') between 2 and instr(${email}, '@'),
    substr(${email}, 1, instr(${email}, '+') - 1) || substr(${email}, instr(${email}, '@')), ${email})`;
}
