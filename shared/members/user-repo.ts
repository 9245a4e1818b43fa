import { and, desc, eq, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import type { ConsoleUser } from "./console-session.ts";
import { isUnneeded } from "./console-session-repo.ts";
import { members, users } from "./tables.ts";

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  isOperator: users.isOperator,
};

/** The logins of the console, in CORE. */
export function userRepo(db: Db) {
  return {
    insertIfMissing: (user: Readonly<{ id: string; email: string; createdAt: number }>): Write =>
      db
        .insert(users)
        .values({ ...user, name: null, isOperator: false })
        .onConflictDoNothing(),

    /** Names a user who has no name after the invitation that was accepted first. */
    takeName: (email: string): Write =>
      db
        .update(users)
        .set({
          name: sql`(select ${members.name} from ${members} where ${members.userId} = ${users.id}
            and ${members.name} is not null order by ${members.acceptedAt}, ${members.id} limit 1)`,
        })
        .where(and(eq(users.email, email), sql`${users.name} is null`)),

    byEmailQuery: (email: string) => db.select(columns).from(users).where(eq(users.email, email)),

    byIdQuery: (id: string) => db.select(columns).from(users).where(eq(users.id, id)),

    /**
     * Deletes a user with everything that belongs to the login. Deletes no row while a business has
     * no other owner.
     */
    deleteQuery(id: string) {
      const isLastOwner = sql`exists (select 1 from ${members} where ${members.userId} = ${users.id}
        and ${members.role} = 'owner' and not exists (select 1 from ${members} as other
          where other.business_id = ${members.businessId} and other.id <> ${members.id}
            and other.role = 'owner' and other.accepted_at is not null))`;
      return db
        .delete(users)
        .where(sql`${users.id} = ${id} and not ${isLastOwner}`)
        .returning({ id: users.id });
    },

    /** Lists the users who may make the operator's calls, newest first. */
    listOperators: ({ limit, before }: Readonly<{ limit: number; before: string | null }>) =>
      db
        .select(columns)
        .from(users)
        .where(
          and(
            eq(users.isOperator, true),
            before === null ? undefined : sql`${users.id} < ${before}`,
          ),
        )
        .orderBy(desc(users.id))
        .limit(limit),

    /** Makes the address an operator; a repeat changes nothing. */
    async grantOperator(
      user: Readonly<{ id: string; email: string; createdAt: number }>,
    ): Promise<ConsoleUser> {
      const [granted] = await db
        .insert(users)
        .values({ ...user, name: null, isOperator: true })
        .onConflictDoUpdate({ target: users.email, set: { isOperator: true } })
        .returning(columns);
      if (!granted) throw new Error("An upsert returned no row.");
      return granted;
    },

    /** Takes the operator's calls from a user. Null for an unknown user. */
    async revokeOperator(id: string): Promise<ConsoleUser | null> {
      const [[revoked]] = await db.batch([
        db.update(users).set({ isOperator: false }).where(eq(users.id, id)).returning(columns),
        db.delete(users).where(sql`${users.id} = ${id} and ${isUnneeded()}`),
      ]);
      return revoked ?? null;
    },
  };
}
