import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../customers/index.ts";
import type { Db } from "../database/index.ts";
import type { NewAccount } from "./account.ts";
import type { ContactInMode } from "./contacts/contact.ts";
import { linkAccounts, linkContacts } from "./tables.ts";

/** SQL for the id of the account that has the contact: a subquery in parentheses. */
export const accountIdOfContact = ({ contact: { type, value }, mode }: ContactInMode): SQL =>
  sql`(select account_id from ${linkContacts}
    where mode = ${mode} and type = ${type} and value = ${value})`;

/** Accounts and their first contacts. Most methods return statements for a batch. */
export function accountRepo(db: Db) {
  return {
    /**
     * Inserts a contact's new account, unless the contact has an account. A removed contact may
     * have left its id to the account that it belonged to; the new account gets a spare id then.
     */
    insertForNewContact({ ids, spareIds, mode, createdAt }: NewAccount, contact: Contact) {
      const idOr = (derived: string, spare: string) =>
        sql`case when exists (select 1 from ${linkAccounts} where id = ${ids.id}) then ${spare} else ${derived} end`;
      return db.insert(linkAccounts).select(sql`
        select ${idOr(ids.id, spareIds.id)}, ${mode}, ${idOr(ids.customerId, spareIds.customerId)},
          null, null, null, 1, null, ${createdAt}
        where not exists ${accountIdOfContact({ contact, mode })}`);
    },

    /**
     * Adds the contact to the new account and marks it as verified. A contact that already has an
     * account stays with that account.
     */
    insertVerifiedContact({ ids, spareIds, mode, createdAt }: NewAccount, contact: Contact) {
      const { type, value } = contact;
      const accountId = sql<string>`coalesce(
        (select id from ${linkAccounts} where id = ${spareIds.id}), ${ids.id})`;
      return db
        .insert(linkContacts)
        .values({ mode, type, value, accountId, verifiedAt: createdAt, createdAt })
        .onConflictDoUpdate({
          target: [linkContacts.mode, linkContacts.type, linkContacts.value],
          set: { verifiedAt: sql`coalesce(${linkContacts.verifiedAt}, ${createdAt})` },
        });
    },

    /** @param id the id, or a subquery in parentheses for it. */
    selectById: (id: SQL | string) =>
      db.select().from(linkAccounts).where(sql`${linkAccounts.id} = ${id}`),

    /** Sets the time of the first enrolment. Changes nothing when the account has enrolled. */
    setEnrolled: (id: string, now: number) =>
      db
        .update(linkAccounts)
        .set({ enrolledAt: now })
        .where(and(eq(linkAccounts.id, id), isNull(linkAccounts.enrolledAt))),

    /** Sets the account's name. */
    setName: (id: string, name: string) =>
      db.update(linkAccounts).set({ name }).where(eq(linkAccounts.id, id)),

    /** When the contact's account enrolled; null for no account or no enrolment. One round trip. */
    async findEnrolledAt({ contact, mode }: ContactInMode): Promise<number | null> {
      const [[row]] = await db.batch([
        db
          .select({ enrolledAt: linkAccounts.enrolledAt })
          .from(linkAccounts)
          .where(sql`${linkAccounts.id} = ${accountIdOfContact({ contact, mode })}`),
      ]);
      return row?.enrolledAt ?? null;
    },
  };
}
