import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../customers/index.ts";
import type { Db } from "../database/index.ts";
import type { Mode } from "../kernel/index.ts";
import type { LinkAccount } from "./account.ts";
import { linkAccounts, linkContacts } from "./tables.ts";

type ContactInMode = Readonly<{ contact: Contact; mode: Mode }>;

/** SQL for the id of the account that has the contact: a subquery in parentheses. */
export const accountIdOfContact = ({ contact: { type, value }, mode }: ContactInMode): SQL =>
  sql`(select account_id from ${linkContacts}
    where mode = ${mode} and type = ${type} and value = ${value})`;

/** Whether the account has a verified contact. */
export const isVerified = (accountId: SQL): SQL =>
  sql`exists (select 1 from ${linkContacts}
    where account_id = ${accountId} and verified_at is not null)`;

/** Accounts and their contacts. Most methods return statements for a batch. */
export function accountRepo(db: Db) {
  return {
    /**
     * Inserts a contact's new account. Inserts nothing when the contact has an account, or when
     * it joins the account `holderId`.
     */
    insertForNewContact(newAccount: LinkAccount, { contact, holderId }: NewContact) {
      const { id, mode, customerId, createdAt } = newAccount;
      return db.insert(linkAccounts).select(sql`
        select ${id}, ${mode}, ${customerId}, null, null, null, 1, null, ${createdAt}
        where ${holderId} is null and not exists ${accountIdOfContact({ contact, mode })}`);
    },

    /**
     * Adds the contact to the account `holderId`, or to the new account when `holderId` is null. A
     * contact that already has an account stays with that account.
     */
    insertContact(
      newAccount: LinkAccount,
      { contact, holderId }: NewContact,
      verifiedAt: number | null,
    ) {
      const { type, value } = contact;
      const { id, mode, createdAt } = newAccount;
      return db
        .insert(linkContacts)
        .values({ mode, type, value, accountId: holderId ?? id, verifiedAt, createdAt })
        .onConflictDoUpdate({
          target: [linkContacts.mode, linkContacts.type, linkContacts.value],
          set: { verifiedAt: sql`coalesce(${linkContacts.verifiedAt}, ${verifiedAt})` },
        });
    },

    /** @param id a subquery in parentheses for the id. */
    selectById: (id: SQL) => db.select().from(linkAccounts).where(sql`${linkAccounts.id} = ${id}`),

    /**
     * Enrols an account that has not enrolled yet. A name that the owner did not send is stored
     * only for an unverified account without a name (docs/contract/link.md#enroll-name).
     */
    enroll(
      id: SQL,
      { name, isOwner, now }: { name: string | null; isOwner: boolean; now: number },
    ) {
      const storedName = linkAccounts.name;
      const newName = isOwner
        ? sql`coalesce(${name}, ${storedName})`
        : sql`case when ${isVerified(id)} then ${storedName} else coalesce(${storedName}, ${name}) end`;
      return db
        .update(linkAccounts)
        .set({ enrolledAt: sql`coalesce(${linkAccounts.enrolledAt}, ${now})`, name: newName })
        .where(sql`${linkAccounts.id} = ${id}`);
    },

    /** Whether the contact has an account that has enrolled. One round trip. */
    async isEnrolled({ contact: { type, value }, mode }: ContactInMode): Promise<boolean> {
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

/**
 * A contact, and the account that was logged in when the contact was verified. `holderId` is null
 * when no account was logged in.
 */
export type NewContact = Readonly<{ contact: Contact; holderId: string | null }>;
