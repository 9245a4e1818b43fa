import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../../customers/index.ts";
import type { Db, Write } from "../../database/index.ts";
import { hour, minute } from "../../kernel/index.ts";
import { type Enrolment, type LinkAccount, phonesFirst } from "../account.ts";
import { accountIdOfContact, accountRepo, isVerified } from "../account-repo.ts";
import { addressRepo } from "../address-repo.ts";
import { toEnrolment } from "../enroll.ts";
import { mobileMoneyRepo } from "../mobile-money-repo.ts";
import { isBelowLimit } from "../saved-record-repo.ts";
import {
  linkAccounts,
  linkAddresses,
  linkContacts,
  linkMobileMoney,
  linkOrderIntents,
} from "../tables.ts";
import type { OrderIntent } from "./order-intent.ts";
import { unassignedOrderRepo } from "./unassigned-order-repo.ts";

/**
 * How long the request has to finish its intent. After that the job retries, at growing intervals.
 */
const firstRetryMs = minute;
const longestRetryMs = hour;

/** Deletes the unfinished enrolments with orders of a business, before the business itself. */
export const deleteOrderIntents = (db: Db, businessId: string): Write =>
  db.delete(linkOrderIntents).where(eq(linkOrderIntents.businessId, businessId));

/** Unfinished enrolments with an order, in CORE. Each async method is one round trip. */
export function orderIntentRepo(db: Db) {
  const accounts = accountRepo(db);

  return {
    /**
     * Inserts the intent, or returns the order's unfinished intent. Returns null when the account
     * has reached a limit of saved records. When `ownerId` is null, the intent is for the contact's
     * account, or for the new `account` if the contact has none.
     */
    async start(
      intent: NewOrderIntent,
      { ownerId, account, now }: { ownerId: string | null; account: LinkAccount; now: number },
    ): Promise<OrderIntent | null> {
      const { contact } = intent;
      const accountId =
        ownerId !== null || contact === null
          ? sql`${ownerId}`
          : accountIdOfContact({ contact, mode: account.mode });
      const intentQueries = [
        insert(intent, accountId, now),
        db
          .select(intentColumns)
          .from(linkOrderIntents)
          .where(eq(linkOrderIntents.orderId, intent.orderId)),
      ] as const;
      if (ownerId !== null || contact === null) {
        const [, [stored]] = await db.batch(intentQueries);
        return stored ? toOrderIntent(stored) : null;
      }
      const newContact = { contact, holderId: null };
      const [, , , [stored]] = await db.batch([
        accounts.insertForNewContact(account, newContact),
        accounts.insertContact(account, newContact, null),
        ...intentQueries,
      ]);
      return stored ? toOrderIntent(stored) : null;
    },

    /**
     * Enrols the account, saves its address and mobile-money account and deletes the intent, in one
     * batch. An order without a customer then waits for the account's login.
     */
    async finish(
      intent: OrderIntent,
      { now, hasCustomer }: { now: number; hasCustomer: boolean },
    ): Promise<Enrolment> {
      const id = sql`${intent.accountId}`;
      const [[before], , [after]] = await db.batch([
        accounts.selectById(id),
        db
          .update(linkAccounts)
          .set({
            enrolledAt: sql`coalesce(${linkAccounts.enrolledAt}, ${now})`,
            preferredOrderType: sql`coalesce(${linkAccounts.preferredOrderType}, ${intent.orderType})`,
          })
          .where(sql`${linkAccounts.id} = ${id} and ${isUnfinished(intent)}`),
        accounts.selectById(id),
        ...savedRecordWrites(intent, now),
        ...(hasCustomer ? [] : [unassignedOrderRepo(db).insert(intent)]),
        db.delete(linkOrderIntents).where(eq(linkOrderIntents.id, intent.id)),
      ]);
      return toEnrolment(before, after);
    },

    /** Deletes an intent whose order cannot be linked. Returns the account. */
    async cancel({ id, accountId }: OrderIntent): Promise<LinkAccount | undefined> {
      const [, [account]] = await db.batch([
        db.delete(linkOrderIntents).where(eq(linkOrderIntents.id, id)),
        accounts.selectById(sql`${accountId}`),
      ]);
      return account;
    },
  };

  function insert(intent: NewOrderIntent, accountId: SQL, now: number) {
    const { id, orderId, businessId, contact, isByOwner, orderType } = intent;
    const [address, mobileMoney] = [toJson(intent.address), toJson(intent.mobileMoney)];
    return db
      .insert(linkOrderIntents)
      .select(
        sql`select ${orderId}, ${id}, ${businessId}, ${accountId}, ${contact?.type ?? null},
            ${contact?.value ?? null}, ${isByOwner ? 1 : 0}, ${address}, ${mobileMoney}, ${orderType},
            ${now}, ${now + firstRetryMs}, 0
          where (${address} is null or ${isBelowLimit(linkAddresses, accountId)})
            and (${mobileMoney} is null or ${isBelowLimit(linkMobileMoney, accountId)})`,
      )
      .onConflictDoNothing();
  }

  function savedRecordWrites(intent: OrderIntent, now: number): Write[] {
    const ctx = { db, accountId: intent.accountId };
    const { address, mobileMoney } = intent;
    const [addresses, mobileMoneyAccounts] = [addressRepo(ctx), mobileMoneyRepo(ctx)];
    const insertOptions = (hasDefault: SQL) => ({
      now,
      condition: isUnfinished(intent),
      isDefault: sql`${mayBecomeDefault(intent)} and not ${hasDefault}`,
    });
    return [
      ...(address ? [addresses.insert(address, insertOptions(addresses.hasDefault))] : []),
      ...(mobileMoney
        ? [mobileMoneyAccounts.insert(mobileMoney, insertOptions(mobileMoneyAccounts.hasDefault))]
        : []),
    ];
  }
}

/**
 * Whether the saved records may become the account's defaults. Only the owner may change the
 * defaults of a verified account.
 */
const mayBecomeDefault = ({ accountId, isByOwner }: OrderIntent): SQL =>
  isByOwner ? sql`true` : sql`not ${isVerified(sql`${accountId}`)}`;

const isUnfinished = ({ id }: OrderIntent): SQL =>
  sql`exists (select 1 from ${linkOrderIntents} where id = ${id})`;

const toJson = (value: object | null): string | null => value && JSON.stringify(value);

/** An intent before its account is known. */
type NewOrderIntent = Omit<OrderIntent, "accountId" | "isContactVerified" | "notifiedContacts">;

/** An intent's columns, and what its account has verified by now. */
const intentColumns = {
  ...getTableColumns(linkOrderIntents),
  isContactVerified: sql<number>`exists (select 1 from ${linkContacts} as own
    where own.account_id = link_order_intents.account_id and own.type = link_order_intents.contact_type
      and own.value = link_order_intents.contact_value and own.verified_at is not null)`,
  notifiedContacts: sql<string>`(select json_group_array(json_object('type', own.type, 'value', own.value))
    from ${linkContacts} as own join ${linkAccounts} as account
      on account.id = own.account_id and account.notify_on_order = 1
    where own.account_id = link_order_intents.account_id and own.verified_at is not null)`,
};

type OrderIntentRow = typeof linkOrderIntents.$inferSelect &
  Readonly<{ isContactVerified: number; notifiedContacts: string }>;

function toOrderIntent(row: OrderIntentRow): OrderIntent {
  const { contactType, contactValue, createdAt: _, dueAt: __, attempts: ___, ...intent } = row;
  const hasContact = contactType !== null && contactValue !== null;
  return {
    ...intent,
    contact: hasContact ? { type: contactType, value: contactValue } : null,
    isContactVerified: intent.isContactVerified === 1,
    // safe: the query above writes it
    notifiedContacts: phonesFirst(JSON.parse(intent.notifiedContacts) as Contact[]),
  };
}

/** Claims due intents. Their next attempt is postponed, so that other runs skip them. */
export async function claimDueIntents(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<OrderIntent[]> {
  const [due] = await db.batch([
    db
      .update(linkOrderIntents)
      .set({
        attempts: sql`${linkOrderIntents.attempts} + 1`,
        dueAt: sql`${now} + min(${longestRetryMs}, ${firstRetryMs} << min(${linkOrderIntents.attempts}, 10))`,
      })
      .where(
        sql`${linkOrderIntents.id} in (select due.id from ${linkOrderIntents} as due where due.due_at <= ${now}
          order by due.due_at limit ${limit})`,
      )
      .returning(intentColumns),
  ]);
  return due.map(toOrderIntent);
}
