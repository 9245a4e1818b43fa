import { and, desc, eq, sql } from "drizzle-orm";
import { batchedRead, type Context, type PersonalData, type Write } from "../../database/index.ts";
import { eraseAddresses } from "../addresses/address-repo.ts";
import { erasedRecipient, type MessageStatus, type QueuedMessage } from "../message.ts";
import type { MessageName } from "../message-name.ts";
import { messages } from "../tables.ts";

type LogContext = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

export type MessageFilter = Readonly<{
  name?: MessageName | undefined;
  status?: MessageStatus | undefined;
  orderId?: string | undefined;
}>;

export type LogPosition = Readonly<{ createdAt: number; id: string }>;

/** The messages of one business, for its log. */
export function messageLogRepo({ db, business }: LogContext) {
  const isOwn = eq(messages.businessId, business.id);
  const byId = (id: string) =>
    and(eq(messages.id, id), sql`+${messages.businessId} = ${business.id}`);
  return {
    /** Lists messages newest first. `before` is the last message of the previous page. */
    async list(
      { name, status, orderId }: MessageFilter,
      { limit, before }: Readonly<{ limit: number; before: LogPosition | null }>,
    ): Promise<QueuedMessage[]> {
      const rows = await db
        .select()
        .from(messages)
        .where(
          and(
            orderId === undefined ? isOwn : sql`+${messages.businessId} = ${business.id}`,
            name === undefined ? undefined : eq(messages.name, name),
            status === undefined ? undefined : eq(messages.status, status),
            orderId === undefined ? undefined : eq(messages.orderId, orderId),
            before === null
              ? undefined
              : sql`(${messages.createdAt}, ${messages.id}) < (${before.createdAt}, ${before.id})`,
          ),
        )
        .orderBy(desc(messages.createdAt), desc(messages.id))
        .limit(limit);
      return rows.map(toQueuedMessage);
    },

    async find(id: string): Promise<QueuedMessage | null> {
      const [row] = await db.select().from(messages).where(byId(id));
      return row ? toQueuedMessage(row) : null;
    },

    /** Makes a failed message due, with all attempts before it. Changes no other message. */
    retry: (id: string, now: number) =>
      db
        .update(messages)
        .set({
          status: "queued",
          nextAttemptAt: now,
          attempts: 0,
          firstAttemptAt: null,
          error: null,
        })
        .where(and(byId(id), eq(messages.status, "failed")))
        .returning({ id: messages.id }),
  };
}

const toQueuedMessage = ({
  businessId: _,
  ...message
}: typeof messages.$inferSelect): QueuedMessage => message;

/**
 * The messages to a customer. An erasure keeps what went out and when, without the address, and
 * sends nothing that still waits.
 */
export const messagePersonalData: PersonalData<QueuedMessage[]> = {
  read: ({ db, business }, { customerId, orderIds }) =>
    batchedRead(
      [
        db
          .select()
          .from(messages)
          .where(
            sql`${messages.id} in ${ownIds({ businessId: business.id, customerId, orderIds })}`,
          )
          .orderBy(desc(messages.createdAt), desc(messages.id)),
      ],
      ([rows]) => rows.map(toQueuedMessage),
    ),
  erase({ db, business }, { customerId, orderIds }): Write[] {
    const isOwn = sql`${messages.id} in ${ownIds({ businessId: business.id, customerId, orderIds })}`;
    return [
      ...eraseAddresses(db, business.id, ownIds({ businessId: business.id, customerId, orderIds })),
      db
        .update(messages)
        .set({
          recipient: sql`${`${erasedRecipient} `} || ${messages.id}`,
          status: sql`case when status in ('queued', 'failed') then 'skipped' else status end`,
          error: sql`case when status in ('queued', 'failed') then 'erased' else error end`,
          nextAttemptAt: null,
          providerId: null,
        })
        .where(isOwn),
    ];
  },
};

const ownIds = ({
  businessId,
  customerId,
  orderIds,
}: Readonly<{ businessId: string; customerId: string }> & {
  orderIds: Parameters<typeof messagePersonalData.read>[1]["orderIds"];
}) => sql`(
  select own.id from messages as own
    where own.business_id = ${businessId} and own.customer_id = ${customerId}
  union select own.id from messages as own
    where own.order_id in ${orderIds} and +own.business_id = ${businessId})`;
