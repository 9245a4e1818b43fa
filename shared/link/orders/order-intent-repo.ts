import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { hour, minute } from "../../kernel/index.ts";
import type { Enrolment, LinkAccount } from "../account.ts";
import { accountOf, accountRepo, isVerified } from "../account-repo.ts";
import { addressRepo } from "../address-repo.ts";
import { enrolmentOf } from "../enroll.ts";
import { mobileMoneyRepo } from "../mobile-money-repo.ts";
import { roomFor } from "../saved-record-repo.ts";
import { linkAccounts, linkAddresses, linkMobileMoney, linkOrderIntents } from "../tables.ts";
import type { OrderIntent } from "./order-intent.ts";

const t = linkOrderIntents;

/** Whoever wrote an intent has so long to finish it; then the job does, at growing distances. */
const firstRetryMs = minute;
const longestRetryMs = hour;

/** Enrolments with an order that are under way, in CORE; each call is one round trip. */
export function orderIntentRepo(db: Db) {
  const accounts = accountRepo(db);

  return {
    /**
     * Writes the intent where the account has room for what it brings, or finds the one that stands:
     * an order has one at a time. Null when there is no room. Without an owner the contact's account
     * is meant, `fresh` when it has none.
     */
    async begin(
      intent: Omit<OrderIntent, "accountId">,
      { ownerId, fresh, now }: { ownerId: string | null; fresh: LinkAccount; now: number },
    ): Promise<OrderIntent | null> {
      const { contact } = intent;
      const accountId =
        ownerId !== null || contact === null
          ? sql`${ownerId}`
          : accountOf({ contact, mode: fresh.mode });
      const tail = [
        insert(intent, accountId, now),
        db.select().from(t).where(eq(t.orderId, intent.orderId)),
      ] as const;
      if (ownerId !== null || contact === null) {
        const [, [standing]] = await db.batch(tail);
        return standing ? intentFromRow(standing) : null;
      }
      const named = { contact, holderId: null };
      const [, , , [standing]] = await db.batch([
        accounts.insertUnlessKnown(fresh, named),
        accounts.insertContact(fresh, named, null),
        ...tail,
      ]);
      return standing ? intentFromRow(standing) : null;
    },

    /** Enrols, saves what came along, and ends the intent: all of it, and once. */
    async finish(intent: OrderIntent, now: number): Promise<Enrolment> {
      const id = sql`${intent.accountId}`;
      const [[before], , [after]] = await db.batch([
        accounts.byId(id),
        db
          .update(linkAccounts)
          .set({
            enrolledAt: sql`coalesce(${linkAccounts.enrolledAt}, ${now})`,
            preferredOrderType: sql`coalesce(${linkAccounts.preferredOrderType}, ${intent.orderType})`,
          })
          .where(sql`${linkAccounts.id} = ${id} and ${isOpen(intent)}`),
        accounts.byId(id),
        ...saves(intent, now),
        db.delete(t).where(eq(t.id, intent.id)),
      ]);
      return enrolmentOf(before, after);
    },

    /** Ends an intent that nothing comes of; tells how the account stands. */
    async drop({ id, accountId }: OrderIntent): Promise<LinkAccount | undefined> {
      const [, [account]] = await db.batch([
        db.delete(t).where(eq(t.id, id)),
        accounts.byId(sql`${accountId}`),
      ]);
      return account;
    },
  };

  function insert(intent: Omit<OrderIntent, "accountId">, accountId: SQL, now: number) {
    const { id, orderId, businessId, contact, isOwners, orderType } = intent;
    const [address, mobileMoney] = [textOf(intent.address), textOf(intent.mobileMoney)];
    return db
      .insert(t)
      .select(
        sql`select ${orderId}, ${id}, ${businessId}, ${accountId}, ${contact?.type ?? null},
            ${contact?.value ?? null}, ${isOwners ? 1 : 0}, ${address}, ${mobileMoney}, ${orderType},
            ${now}, ${now + firstRetryMs}, 0
          where (${address} is null or ${roomFor(linkAddresses, accountId)})
            and (${mobileMoney} is null or ${roomFor(linkMobileMoney, accountId)})`,
      )
      .onConflictDoNothing();
  }

  function saves(intent: OrderIntent, now: number): Write[] {
    const scope = { db, accountId: intent.accountId };
    const { address, mobileMoney } = intent;
    const [addresses, accountsOfMoney] = [addressRepo(scope), mobileMoneyRepo(scope)];
    const terms = (hasDefault: SQL) => ({
      now,
      condition: isOpen(intent),
      isDefault: sql`${mayBeDefault(intent)} and not ${hasDefault}`,
    });
    return [
      ...(address ? [addresses.insert(address, terms(addresses.hasDefault))] : []),
      ...(mobileMoney
        ? [accountsOfMoney.insert(mobileMoney, terms(accountsOfMoney.hasDefault))]
        : []),
    ];
  }
}

/** The first of each is the default; but into a proved account only its owner puts what is used unasked. */
const mayBeDefault = ({ accountId, isOwners }: OrderIntent): SQL =>
  isOwners ? sql`true` : sql`not ${isVerified(sql`${accountId}`)}`;

const isOpen = ({ id }: OrderIntent): SQL => sql`exists (select 1 from ${t} where id = ${id})`;

const textOf = (value: object | null): string | null => value && JSON.stringify(value);

type Row = typeof linkOrderIntents.$inferSelect;

function intentFromRow(row: Row): OrderIntent {
  const { contactType, contactValue, createdAt: _, dueAt: __, attempts: ___, ...intent } = row;
  const isNamed = contactType !== null && contactValue !== null;
  return { ...intent, contact: isNamed ? { type: contactType, value: contactValue } : null };
}

/** Takes up intents that wait longer than a request lives: nobody else gets them until their next time. */
export async function claimDueIntents(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<OrderIntent[]> {
  const [due] = await db.batch([
    db
      .update(t)
      .set({
        attempts: sql`${t.attempts} + 1`,
        dueAt: sql`${now} + min(${longestRetryMs}, ${firstRetryMs} << min(${t.attempts}, 10))`,
      })
      .where(
        sql`${t.id} in (select due.id from ${t} as due where due.due_at <= ${now}
          order by due.due_at limit ${limit})`,
      )
      .returning(),
  ]);
  return due.map(intentFromRow);
}
