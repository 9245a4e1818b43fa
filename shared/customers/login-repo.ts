import { and, eq, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { type Customer, isLoggedIn } from "./customer.ts";
import type { Login } from "./login.ts";
import type { CustomerIdQuery } from "./repo.ts";
import { customers } from "./tables.ts";

const t = customers;

/** The constraint on which `assertActive` fails its batch. */
export const loginConstraint = "customers.updated_at";

/**
 * Logins in the database. A session's object stores who logged in; the customer's row stores when
 * all earlier logins ended (erasure).
 */
export function loginRepo({
  db,
  business,
}: Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>) {
  const isCustomerOf = ({ customerId }: Login) =>
    and(eq(t.businessId, business.id), eq(t.id, customerId));

  return {
    /** The logged-in customer; null when the login has ended. One round trip. */
    async find(login: Login): Promise<Customer | null> {
      const [[row]] = await db.batch([db.select().from(t).where(isCustomerOf(login))]);
      if (!row || !isLoggedIn(row, login.loggedInAt)) return null;
      const { businessId: _, ...customer } = row;
      return customer;
    },

    /** For a batch that reads the customer's data; `isLoginActive` evaluates its result. */
    sessionsEndedQuery: (login: Login) =>
      db.select({ sessionsEndedAt: t.sessionsEndedAt }).from(t).where(isCustomerOf(login)),

    /** SQL in parentheses for the customer's id; no row when the login has ended. */
    holderIdQuery: (login: Login): CustomerIdQuery =>
      sql`(${db
        .select({ id: t.id })
        .from(t)
        .where(
          and(
            isCustomerOf(login),
            sql`(${t.sessionsEndedAt} is null or ${t.sessionsEndedAt} < ${login.loggedInAt})`,
          ),
        )})`,

    /** Fails its batch on `loginConstraint` when the login has ended. */
    assertActive: (login: Login): Write =>
      db
        .update(t)
        .set({
          updatedAt: sql`case when ${t.sessionsEndedAt} is null or ${t.sessionsEndedAt} < ${login.loggedInAt}
            then ${t.updatedAt} end`,
        })
        .where(isCustomerOf(login)),
  };
}
