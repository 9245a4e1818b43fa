import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { erasedRecipient, type QueuedMessage } from "../message.ts";
import { messageOptOuts, messages, suppressedRecipients } from "../tables.ts";

/** A message of a business, by which its provider or its reader names an address. */
export type MessageKey = Readonly<{ businessId: string; messageId: string }>;

/** SQL for the address of a message; no row once it was erased or masked. */
const addressOf = (columns: SQL, { businessId, messageId }: MessageKey): SQL =>
  sql`select ${columns} from ${messages} where id = ${messageId} and +business_id = ${businessId}
    and name <> 'one_time_code' and recipient not like ${`${erasedRecipient} %`}`;

/** Ends the optional messages to the address of an e-mail. Repeating it changes nothing. */
export const insertOptOut = (db: Db, key: MessageKey, now: number): Write =>
  db
    .insert(messageOptOuts)
    .select(addressOf(sql`business_id, recipient, ${now}`, key))
    .onConflictDoNothing();

type FailedAddress = Readonly<{ reason: "bounced" | "complained"; now: number }>;

/**
 * Writes that mark the address of a message which its provider took and could not deliver, or whose
 * reader complained. Repeating them changes nothing.
 */
export const markAddress = (
  db: Db,
  key: MessageKey,
  { reason, now }: FailedAddress,
): [Write, Write] => [
  db
    .insert(suppressedRecipients)
    .select(addressOf(sql`business_id, channel, recipient, ${reason}, ${now}`, key))
    .onConflictDoNothing(),
  db
    .update(messages)
    .set({ status: "failed", error: reason, nextAttemptAt: null })
    .where(
      and(
        eq(messages.id, key.messageId),
        sql`+${messages.businessId} = ${key.businessId}`,
        sql`${messages.status} in ('queued', 'sent')`,
      ),
    ),
];

/** Lets the address of a message get messages again. */
export const clearAddress = (
  db: Db,
  businessId: string,
  { channel, recipient }: Pick<QueuedMessage, "channel" | "recipient">,
): Write =>
  db
    .delete(suppressedRecipients)
    .where(
      and(
        eq(suppressedRecipients.businessId, businessId),
        eq(suppressedRecipients.channel, channel),
        eq(suppressedRecipients.recipient, recipient),
      ),
    );

/** Deletes the marks and wishes of the addresses that messages in `ids` went to. */
export const eraseAddresses = (db: Db, businessId: string, ids: SQL): [Write, Write] => {
  const addresses = sql`(select own.recipient from ${messages} as own where own.id in ${ids})`;
  return [
    db
      .delete(suppressedRecipients)
      .where(sql`business_id = ${businessId} and recipient in ${addresses}`),
    db.delete(messageOptOuts).where(sql`business_id = ${businessId} and recipient in ${addresses}`),
  ];
};
