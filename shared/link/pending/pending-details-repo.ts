import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Business } from "../../businesses/index.ts";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { accountIdOfContact } from "../account-repo.ts";
import { type ContactInMode, maxContacts } from "../contacts/contact.ts";
import type { AccountContext } from "../context.ts";
import { linkAccounts, linkContacts, linkPendingDetails, linkUnassignedOrders } from "../tables.ts";
import {
  type Details,
  maxPendingDetails,
  maxPendingDetailsOfBusiness,
  type PendingDetails,
  pendingDetailsTtlMs,
} from "./pending-details.ts";

/** Details to insert, with the contact whose owner decides about them. */
export type NewPendingDetails = Details &
  ContactInMode &
  Readonly<{
    id: string;
    orderId: string | null;
    business: Pick<Business, "id" | "name">;
    now: number;
  }>;

const table = linkPendingDetails;

/** Whether the row has details about which nobody has decided. */
const isWaiting = sql`${table.settledAt} is null and (${table.name} is not null
  or ${table.address} is not null or ${table.mobileMoney} is not null or ${table.orderType} is not null)`;

/** Details without a value, as a row is left when its owner has decided. */
export const settledDetails = (now: number) => ({
  settledAt: now,
  name: null,
  address: null,
  mobileMoney: null,
  orderType: null,
});

/**
 * A write that inserts details if there is room for them. What waits is never replaced, because
 * anybody can send details. A repeated call with the same order changes nothing. An enrolment
 * without an order is inserted in any case, because it takes effect without its name, too.
 */
export function insertPendingDetails(db: Db, details: NewPendingDetails): Write {
  const { id, contact, mode, orderId, business, now } = details;
  const { name, address, mobileMoney, orderType } = details;
  const expiresAt = now + pendingDetailsTtlMs;
  const { contactType, contactValue } = table;
  const hasRoom = hasRoomFor(details);
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const insert = db.insert(table).select(sql`
    select ${id}, ${mode}, ${contact.type}, ${contact.value}, ${orderId}, ${business.id}, ${business.name},
      case when ${hasRoom} then ${name} end, ${json(address)}, ${json(mobileMoney)}, ${orderType},
      ${now}, ${expiresAt}, null
    where ${orderId === null ? sql`true` : hasRoom}`);
  return orderId === null
    ? insert.onConflictDoUpdate({
        target: [table.mode, contactType, contactValue],
        targetWhere: sql`order_id is null`,
        set: {
          name: sql`coalesce(${table.name}, case when ${hasRoom} then ${name} end)`,
          expiresAt,
        },
        setWhere: isNull(table.settledAt),
      })
    : insert.onConflictDoNothing({ target: table.orderId });
}

/** SQL that is true while more details may wait for the account of the contact. */
function hasRoomFor({ contact, mode, business, now }: NewPendingDetails): SQL {
  const contacts = sql`(select ${contact.type}, ${contact.value} union
    select type, value from ${linkContacts} where mode = ${mode}
      and account_id = ${accountIdOfContact({ contact, mode })})`;
  return sql`(select count(*) < ${maxPendingDetails}
      and total(business_id = ${business.id}) < ${maxPendingDetailsOfBusiness} from ${table}
    where mode = ${mode} and (contact_type, contact_value) in ${contacts}
      and expires_at > ${now} and ${isWaiting})`;
}

/**
 * A write that enrols a contact's account in Link if somebody requested it for the contact, whether
 * alone or together with an order.
 */
export function enrolIfRequested(db: Db, { contact, mode, now }: ContactInMode & { now: number }) {
  const isContact = sql`mode = ${mode} and contact_type = ${contact.type} and contact_value = ${contact.value}`;
  return db
    .update(linkAccounts)
    .set({ enrolledAt: now })
    .where(
      sql`${linkAccounts.id} = ${accountIdOfContact({ contact, mode })} and ${linkAccounts.enrolledAt} is null
        and (exists (select 1 from ${table} where ${isContact} and expires_at > ${now})
          or exists (select 1 from ${linkUnassignedOrders} where ${isContact}))`,
    );
}

/** SQL that finds the row `id` if the account's owner may still decide about it. */
export const isOpenFor = (accountId: string, id: string, now: number): SQL =>
  sql`${table.id} = ${id} and ${ofAccount(accountId)} and ${table.expiresAt} > ${now} and ${isWaiting}`;

const ofAccount = (accountId: string): SQL =>
  sql`(${table.mode}, ${table.contactType}, ${table.contactValue}) in
    (select own.mode, own.type, own.value from ${linkContacts} as own
      where own.account_id = ${accountId} and own.verified_at is not null)`;

const maxPurgedRows = 1_000;

/** The details that `purgePendingDetails` deletes. */
export const expiredPendingDetails: DueRows = {
  table,
  since: table.expiresAt,
  businessId: null,
};

/** Deletes some expired details. */
export const purgePendingDetails = (db: Db, now: number): Write =>
  db
    .delete(table)
    .where(
      sql`rowid in (select rowid from ${table} where ${table.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    );

/** Deletes the details that a business's calls left, before the business itself. */
export const deletePendingDetails = (db: Db, businessId: string): Write =>
  db.delete(table).where(eq(table.businessId, businessId));

/** The details that wait for an account's owner. Each method is one round trip. */
export function pendingDetailsRepo({ db, accountId, now }: AccountContext) {
  return {
    /** The newest first. */
    async list(): Promise<PendingDetails[]> {
      const { id, orderId, name, address, mobileMoney, orderType, createdAt, expiresAt } = table;
      const [rows] = await db.batch([
        db
          .select({
            ...{ id, orderId, name, address, mobileMoney, orderType, createdAt, expiresAt },
            businessName: table.businessName,
          })
          .from(table)
          .where(and(ofAccount(accountId), sql`expires_at > ${now()}`, isWaiting))
          .orderBy(sql`${id} desc`)
          .limit(maxPendingDetails * maxContacts),
      ]);
      return rows;
    },

    /** @throws Refusal NOT_FOUND. */
    async discard(id: string): Promise<void> {
      const at = now();
      const [discarded] = await db.batch([
        db
          .update(table)
          .set(settledDetails(at))
          .where(isOpenFor(accountId, id, at))
          .returning({ id: table.id }),
      ]);
      if (discarded.length === 0) throw notFound("pending details");
    },
  };
}
