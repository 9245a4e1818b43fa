import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { CustomerIdQuery } from "./contact-owner-repo.ts";
import { type Customer, isLoggedIn } from "./customer.ts";
import type { Login } from "./login.ts";
import { customers } from "./tables.ts";

/** The constraint that fails when `assertActive` finds that the login has ended. */
export const loginConstraint = "customers.updated_at";

/**
 * Checks logins in the database. The session's Durable Object stores who logged in. The customer's
 * row stores the time before which all logins have ended, for example by erasure.
 */
export function loginRepo({
  db,
  business,
}: Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>) {
  const isCustomerOf = ({ customerId }: Login) =>
    and(eq(customers.businessId, business.id), eq(customers.id, customerId));

  return {
    /** Reads the logged-in customer in one round trip; null when the login has ended. */
    async find(login: Login): Promise<Customer | null> {
      const [[row]] = await db.batch([db.select().from(customers).where(isCustomerOf(login))]);
      if (!row || !isLoggedIn(row, login.loggedInAt)) return null;
      const { businessId: _, ...customer } = row;
      return customer;
    },

    /** A query for a batch that reads the customer's data. `isLoginActive` evaluates its result. */
    sessionsEndedQuery: (login: Login) =>
      db
        .select({ sessionsEndedAt: customers.sessionsEndedAt })
        .from(customers)
        .where(isCustomerOf(login)),

    /** As `sessionsEndedQuery`, with the customer's details. */
    detailsQuery: (login: Login) =>
      db
        .select({
          name: customers.name,
          email: customers.email,
          phone: customers.phone,
          sessionsEndedAt: customers.sessionsEndedAt,
        })
        .from(customers)
        .where(isCustomerOf(login)),

    /**
     * SQL in parentheses that selects the customer's id. It selects no row when the login has
     * ended.
     */
    holderIdQuery: (login: Login): CustomerIdQuery =>
      sql`(${db
        .select({ id: customers.id })
        .from(customers)
        .where(
          and(
            isCustomerOf(login),
            sql`(${customers.sessionsEndedAt} is null or ${customers.sessionsEndedAt} < ${login.loggedInAt})`,
          ),
        )})`,

    /** A statement that fails its batch on `loginConstraint` when the login has ended. */
    assertActive: (login: Login): Write =>
      db
        .update(customers)
        .set({
          updatedAt: sql`case when ${customers.sessionsEndedAt} is null or ${customers.sessionsEndedAt} < ${login.loggedInAt}
            then ${customers.updatedAt} end`,
        })
        .where(isCustomerOf(login)),
  };
}

/** Selects whether a customer pays no tax; `customerId` is an id or a query for one. */
export const taxExemptionQuery = (
  { db, business }: Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>,
  customerId: string | SQL,
) =>
  db
    .select({ isTaxExempt: customers.isTaxExempt })
    .from(customers)
    .where(and(eq(customers.businessId, business.id), eq(customers.id, customerId)));

/** The condition that a customer still pays taxes, or not, as when it was read. */
export const exemptionUnchanged = (
  business: Readonly<{ id: string }>,
  customerId: string,
  { isExempt }: Readonly<{ isExempt: boolean }>,
): SQL => sql`exists (select 1 from ${customers} where ${customers.businessId} = ${business.id}
  and ${customers.id} = ${customerId} and ${customers.isTaxExempt} = ${isExempt ? 1 : 0})`;
