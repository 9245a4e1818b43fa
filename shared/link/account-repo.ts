import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../customers/index.ts";
import type { Db } from "../database/index.ts";
import type { Mode } from "../kernel/index.ts";
import type { LinkAccount } from "./account.ts";
import { linkAccounts, linkContacts } from "./tables.ts";

type Owned = Readonly<{ contact: Contact; mode: Mode }>;

/** A query in brackets for the account that a contact belongs to. */
export const accountOf = ({ contact: { type, value }, mode }: Owned): SQL =>
  sql`(select account_id from ${linkContacts}
    where mode = ${mode} and type = ${type} and value = ${value})`;

/** Whether the account's owner has proved any of its contacts. */
export const isVerified = (accountId: SQL): SQL =>
  sql`exists (select 1 from ${linkContacts}
    where account_id = ${accountId} and verified_at is not null)`;

/** Accounts and their contacts; statements for batches, and reads of one round trip. */
export function accountRepo(db: Db) {
  return {
    /** Nothing when the contact has an account, or when whoever is logged in takes it. */
    insertUnlessKnown(fresh: LinkAccount, { contact, holderId }: NewContact) {
      const { id, mode, customerId, createdAt } = fresh;
      return db.insert(linkAccounts).select(sql`
        select ${id}, ${mode}, ${customerId}, null, null, null, 1, null, ${createdAt}
        where ${holderId} is null and not exists ${accountOf({ contact, mode })}`);
    },

    /** The contact of the one who is logged in, or of the fresh account; a known one stays whose it is. */
    insertContact(
      fresh: LinkAccount,
      { contact, holderId }: NewContact,
      verifiedAt: number | null,
    ) {
      const { type, value } = contact;
      const { id, mode, createdAt } = fresh;
      return db
        .insert(linkContacts)
        .values({ mode, type, value, accountId: holderId ?? id, verifiedAt, createdAt })
        .onConflictDoUpdate({
          target: [linkContacts.mode, linkContacts.type, linkContacts.value],
          set: { verifiedAt: sql`coalesce(${linkContacts.verifiedAt}, ${verifiedAt})` },
        });
    },

    /** A statement that reads the account; `id` is a query in brackets. */
    byId: (id: SQL) => db.select().from(linkAccounts).where(sql`${linkAccounts.id} = ${id}`),

    /**
     * Enrols an account that has not enrolled. The owner's word on the name counts; another's
     * only while the account is unproved and has none.
     */
    enrol(id: SQL, { name, isOwner, now }: { name: string | null; isOwner: boolean; now: number }) {
      const known = linkAccounts.name;
      const told = isOwner
        ? sql`coalesce(${name}, ${known})`
        : sql`case when ${isVerified(id)} then ${known} else coalesce(${known}, ${name}) end`;
      return db
        .update(linkAccounts)
        .set({ enrolledAt: sql`coalesce(${linkAccounts.enrolledAt}, ${now})`, name: told })
        .where(sql`${linkAccounts.id} = ${id}`);
    },

    /** Whether the contact's account has enrolled; false for a contact that nobody knows. */
    async isEnrolled({ contact: { type, value }, mode }: Owned): Promise<boolean> {
      const [rows] = await db.batch([
        db
          .select({ enrolledAt: linkAccounts.enrolledAt })
          .from(linkContacts)
          .innerJoin(linkAccounts, eq(linkAccounts.id, linkContacts.accountId))
          .where(
            and(
              eq(linkContacts.mode, mode),
              eq(linkContacts.type, type),
              eq(linkContacts.value, value),
            ),
          ),
      ]);
      return rows.some(({ enrolledAt }) => enrolledAt !== null);
    },
  };
}

/** A contact, and the account that is logged in where it was told; null for nobody's. */
export type NewContact = Readonly<{ contact: Contact; holderId: string | null }>;
