import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { AccountContext } from "../context.ts";
import { unassignedOrderRepo } from "../orders/unassigned-order-repo.ts";
import { revokeGrantsAfterContact } from "../platforms/grant-repo.ts";
import { linkContacts, linkSessions } from "../tables.ts";
import { type ContactInMode, type LinkContact, maxContacts } from "./contact.ts";

const { id, type, value, verifiedAt, createdAt, accountId: ownerId } = linkContacts;

/** The contacts of one account. Each method is one round trip. */
export function contactRepo({ db, accountId, now }: AccountContext) {
  const isContact = ({ contact, mode }: ContactInMode): SQL =>
    sql`${linkContacts.mode} = ${mode} and ${type} = ${contact.type} and ${value} = ${contact.value}`;

  return {
    /** The account that has the contact; null when none has it. */
    async findOwner(contact: ContactInMode): Promise<string | null> {
      const [[row]] = await db.batch([
        db.select({ ownerId }).from(linkContacts).where(isContact(contact)),
      ]);
      return row?.ownerId ?? null;
    },

    /**
     * Adds a verified contact, unless another account has it or the account has too many. Orders that
     * wait for the contact become due. Returns null when the account does not have the contact.
     */
    async add({ contact, mode }: ContactInMode): Promise<LinkContact | null> {
      const at = now();
      const [, , [added]] = await db.batch([
        db
          .insert(linkContacts)
          .select(
            sql`select ${mode}, ${contact.type}, ${contact.value}, ${linkContacts.id.default}, ${accountId}, ${at}, ${at}
              where (select count(*) from ${linkContacts} where account_id = ${accountId}) < ${maxContacts}`,
          )
          .onConflictDoNothing(),
        unassignedOrderRepo(db).makeDue({ contact, mode }, at),
        db
          .select({ id, type, value, verifiedAt, createdAt })
          .from(linkContacts)
          .where(and(isContact({ contact, mode }), eq(ownerId, accountId))),
      ]);
      return added ?? null;
    },

    /**
     * Removes a contact and ends all sessions and platforms' grants of the account, unless it is the last contact with
     * which the owner can log in. Returns whether it was removed.
     */
    async remove(contactId: string): Promise<boolean> {
      const others = sql`(select count(*) from ${linkContacts} as other
        where other.account_id = ${accountId} and other.id <> ${contactId} and other.verified_at is not null)`;
      const [removed] = await db.batch([
        db
          .delete(linkContacts)
          .where(and(eq(id, contactId), eq(ownerId, accountId), sql`${others} > 0`))
          .returning({ id }),
        db
          .update(linkSessions)
          .set({ revokedAt: now() })
          .where(
            and(
              eq(linkSessions.accountId, accountId),
              isNull(linkSessions.revokedAt),
              gt(linkSessions.expiresAt, now()),
              sql`not exists (select 1 from ${linkContacts} where ${id} = ${contactId})`,
            ),
          ),
        revokeGrantsAfterContact(db, { accountId, contactId }, now()),
      ]);
      return removed.length > 0;
    },
  };
}
