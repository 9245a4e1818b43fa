import { and, eq, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { type Customer, isLoggedIn } from "./customer.ts";
import type { Login } from "./login.ts";
import type { CustomerQuery } from "./repo.ts";
import { customers } from "./tables.ts";

const t = customers;

/** What a batch fails on, whose `demand` finds that the login has ended. */
export const endedLogin = "customers.updated_at";

/**
 * Logins as the database knows them: a session's object remembers who logged in, the customer's row
 * when all logins of before were ended (erasure).
 */
export function loginRepo({
  db,
  business,
}: Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>) {
  const own = ({ customerId }: Login) => and(eq(t.businessId, business.id), eq(t.id, customerId));

  return {
    /** Whose login it is; null once it has ended. One round trip. */
    async find(login: Login): Promise<Customer | null> {
      const [[row]] = await db.batch([db.select().from(t).where(own(login))]);
      if (!row || !isLoggedIn(row, login.loggedInAt)) return null;
      const { businessId: _, ...customer } = row;
      return customer;
    },

    /** For the batch that reads something of the customer's; `stands` judges what it found. */
    query: (login: Login) =>
      db.select({ sessionsEndedAt: t.sessionsEndedAt }).from(t).where(own(login)),

    /** A query, in brackets, for the id of the customer whose login it is; none once it has ended. */
    holder: (login: Login): CustomerQuery =>
      sql`(${db
        .select({ id: t.id })
        .from(t)
        .where(
          and(
            own(login),
            sql`(${t.sessionsEndedAt} is null or ${t.sessionsEndedAt} < ${login.loggedInAt})`,
          ),
        )})`,

    /** Fails its batch on `endedLogin` when the login has ended. */
    demand: (login: Login): Write =>
      db
        .update(t)
        .set({
          updatedAt: sql`case when ${t.sessionsEndedAt} is null or ${t.sessionsEndedAt} < ${login.loggedInAt}
            then ${t.updatedAt} end`,
        })
        .where(own(login)),
  };
}
