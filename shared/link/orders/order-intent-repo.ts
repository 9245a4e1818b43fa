import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Contact } from "../../customers/index.ts";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { hour, minute } from "../../kernel/index.ts";
import type { LinkAccount } from "../account.ts";
import { accountRepo } from "../account-repo.ts";
import { addressRepo } from "../address-repo.ts";
import { phonesFirst } from "../contacts/contact.ts";
import { type Enrolment, toEnrolment } from "../enroll.ts";
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
     * has reached a limit of saved records.
     */
    async start(intent: NewOrderIntent, now: number): Promise<OrderIntent | null> {
      const [, [stored]] = await db.batch([
        insert(intent, now),
        db
          .select(intentColumns)
          .from(linkOrderIntents)
          .where(eq(linkOrderIntents.orderId, intent.orderId)),
      ]);
      return stored ? toOrderIntent(stored) : null;
    },

    /**
     * Enrols the account, saves its address and mobile-money account and deletes the intent, in one
     * batch.
     */
    async finish(intent: OrderIntent, now: number): Promise<Enrolment> {
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

  function insert(intent: NewOrderIntent, now: number) {
    const { id, orderId, businessId, contact, orderType } = intent;
    const accountId = sql`${intent.accountId}`;
    const [address, mobileMoney] = [toJson(intent.address), toJson(intent.mobileMoney)];
    return db
      .insert(linkOrderIntents)
      .select(
        sql`select ${orderId}, ${id}, ${businessId}, ${accountId}, ${contact?.type ?? null},
            ${contact?.value ?? null}, 1, ${address}, ${mobileMoney}, ${orderType},
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
      isDefault: sql`not ${hasDefault}`,
    });
    return [
      ...(address ? [addresses.insert(address, insertOptions(addresses.hasDefault))] : []),
      ...(mobileMoney
        ? [mobileMoneyAccounts.insert(mobileMoney, insertOptions(mobileMoneyAccounts.hasDefault))]
        : []),
    ];
  }
}

const isUnfinished = ({ id }: OrderIntent): SQL =>
  sql`exists (select 1 from ${linkOrderIntents} where id = ${id})`;

const toJson = (value: object | null): string | null => value && JSON.stringify(value);

/** An intent before it is stored. */
type NewOrderIntent = Omit<OrderIntent, "isContactVerified" | "notifiedContacts">;

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
  const { contactType, contactValue, isByOwner: _, ...columns } = row;
  const { createdAt: __, dueAt: ___, attempts: ____, ...intent } = columns;
  const hasContact = contactType !== null && contactValue !== null;
  return {
    ...intent,
    contact: hasContact ? { type: contactType, value: contactValue } : null,
    isContactVerified: intent.isContactVerified === 1,
    // safe: the query above writes it
    notifiedContacts: phonesFirst(JSON.parse(intent.notifiedContacts) as Contact[]),
  };
}

/** The intents that `claimDueIntents` claims. */
export const dueIntents: DueRows = {
  table: linkOrderIntents,
  since: linkOrderIntents.dueAt,
  businessId: null,
};

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
