import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { customerNameQuery, erasedAtQuery } from "../customers/index.ts";
import {
  type BatchedRead,
  batchedRead,
  type Db,
  type DueRows,
  events,
  insertEvents,
  isUnfenced,
  type Write,
} from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { Conversation, ConversationStatus } from "./conversation.ts";
import type { PendingEvent } from "./message-event.ts";
import { supportConversations } from "./tables.ts";

/** A conversation in the business's list. */
export type ListedConversation = Omit<Conversation, "revision" | "awaitsReply">;

type ConversationListContext = Readonly<{ db: Db; business: Readonly<{ id: string }> }>;

/** A conversation with the name of its customer. */
export type ConversationSummary = ListedConversation & Readonly<{ customerName: string | null }>;

export type ConversationFilter = Readonly<{
  status?: ConversationStatus | undefined;
  /** Lists only conversations with unread messages. */
  isUnread?: boolean | undefined;
}>;

/** Which page of the list to read. `before` is the last conversation on the previous page. */
export type ConversationPage = Readonly<{
  limit: number;
  before: Readonly<{ activeAt: number; id: string }> | null;
}>;

/** The list of one business's conversations; each call is one round trip. */
export function conversationListRepo({ db, business }: ConversationListContext) {
  const isOwned = eq(supportConversations.businessId, business.id);

  return {
    /** Lists conversations, latest activity first. */
    async list(
      { status, isUnread }: ConversationFilter,
      { limit, before }: ConversationPage,
    ): Promise<ConversationSummary[]> {
      const rows = await db
        .select({
          row: supportConversations,
          customerName: customerNameQuery({ business }, supportConversations.customerId),
        })
        .from(supportConversations)
        .where(
          and(
            isOwned,
            status === undefined ? undefined : eq(supportConversations.status, status),
            isUnread ? gt(supportConversations.unreadCount, sql.raw("0")) : undefined,
            before === null
              ? undefined
              : sql`(${supportConversations.activeAt}, ${supportConversations.id}) < (${before.activeAt}, ${before.id})`,
          ),
        )
        .orderBy(desc(supportConversations.activeAt), desc(supportConversations.id))
        .limit(limit);
      return rows.map(({ row, customerName }) => ({ ...toListedConversation(row), customerName }));
    },

    /** Reads how many conversations await a reply, counted up to the limit. */
    unanswered(limit: number): BatchedRead<number> {
      const rows = sql`(select 1 from ${supportConversations}
        where ${isOwned} and awaits_reply = 1 limit ${limit})`;
      return batchedRead(
        [db.select({ count: sql<number>`count(*)` }).from(rows)],
        ([[row]]) => row?.count ?? 0,
      );
    },

    /** Removes a conversation unless it has messages. */
    async removeEmpty(id: string): Promise<void> {
      await db
        .delete(supportConversations)
        .where(
          and(
            eq(supportConversations.businessId, business.id),
            eq(supportConversations.id, id),
            eq(supportConversations.messageCount, 0),
          ),
        );
    },

    /**
     * Copies a conversation into the list, unless the list has a newer revision. If the customer's
     * data have been erased meanwhile, an erasure of the conversation is scheduled.
     */
    upsert({ id, revision, ...record }: Conversation, now: number): Write {
      const {
        status,
        customerId,
        messageCount,
        unreadCount,
        lastMessageAt,
        awaitsReply,
        createdAt,
      } = record;
      const erasedAt = erasedAtQuery({ db, business }, customerId ?? "");
      const columns = {
        status,
        customerId,
        messageCount,
        unreadCount,
        lastMessageAt,
        activeAt: lastMessageAt ?? createdAt,
        awaitsReply,
        revision,
      };
      const eraseDueAt = sql`(select ${now} where exists ${erasedAt})`;
      return db
        .insert(supportConversations)
        .values({ ...columns, id, businessId: business.id, createdAt, eraseDueAt })
        .onConflictDoUpdate({
          target: supportConversations.id,
          set: {
            ...columns,
            eraseDueAt: sql`coalesce(${supportConversations.eraseDueAt}, excluded.erase_due_at)`,
          },
          setWhere: sql`${supportConversations.revision} < excluded.revision and ${supportConversations.businessId} = excluded.business_id`,
        });
    },

    /**
     * Records the events of a conversation's messages, each once. Records none when the customer's
     * data have been erased meanwhile.
     */
    insertEvents(pending: readonly PendingEvent[], customerId: string | null): Write {
      const erasedAt = erasedAtQuery({ db, business }, customerId ?? "");
      return insertEvents(
        { db, business },
        sql`(select value ->> 'id' as id, value ->> 'type' as type,
            value ->> 'subjectId' as subject_id, value -> 'data' as data,
            value ->> 'createdAt' as created_at,
            row_number() over (partition by value ->> 'subjectId' order by key) as place
          from json_each(${JSON.stringify(pending)}) where not exists ${erasedAt}
            and not exists (select 1 from ${events} as copied where copied.id = value ->> 'id'))`,
      );
    },

    /** Records that the conversation's Durable Object has erased the customer's data. */
    clearErasure: (id: string): Write =>
      db
        .update(supportConversations)
        .set({ eraseDueAt: null })
        .where(and(isOwned, eq(supportConversations.id, id))),
  };
}

const toListedConversation = ({
  id,
  status,
  customerId,
  messageCount,
  unreadCount,
  lastMessageAt,
  createdAt,
}: typeof supportConversations.$inferSelect): ListedConversation => ({
  id,
  status,
  customerId,
  messageCount,
  unreadCount,
  lastMessageAt,
  createdAt,
});

/** A conversation whose Durable Object must erase the customer's data. */
export type DueErasure = Readonly<{ id: string; businessId: string; customerId: string }>;

/** How long a run has for an erasure that it has claimed. After that the erasure is due again. */
const erasureLeaseMs = minute;

/** The conversations that `claimDueErasures` claims. */
export const dueErasures: DueRows = {
  table: supportConversations,
  since: supportConversations.eraseDueAt,
  businessId: supportConversations.businessId,
};

/** Claims due erasures of a shard for one minute, longest overdue first. */
export async function claimDueErasures(
  db: Db,
  { now, limit }: Readonly<{ now: number; limit: number }>,
): Promise<DueErasure[]> {
  const due = db
    .select({ id: supportConversations.id })
    .from(supportConversations)
    .where(
      and(
        isNotNull(supportConversations.eraseDueAt),
        lte(supportConversations.eraseDueAt, now),
        isUnfenced(sql`support_conversations.business_id`),
      ),
    )
    .orderBy(asc(supportConversations.eraseDueAt))
    .limit(limit);
  const claimed = await db
    .update(supportConversations)
    .set({ eraseDueAt: now + erasureLeaseMs })
    .where(sql`${supportConversations.id} in ${due}`)
    .returning({
      id: supportConversations.id,
      businessId: supportConversations.businessId,
      customerId: supportConversations.customerId,
    });
  return claimed.map(({ customerId, ...row }) => ({ ...row, customerId: customerId ?? "" }));
}

type IdRange = Readonly<{
  businessId: string;
  after: string;
  limit: number;
  /** Leaves out the conversations whose customer was erased and whose messages will be. */
  withoutErasing?: boolean;
}>;

/** The ids of a business's conversations after `after`, in their order. */
export async function listConversationIds(
  db: Db,
  { businessId, after, limit, withoutErasing = false }: IdRange,
): Promise<string[]> {
  const rows = await db
    .select({ id: supportConversations.id })
    .from(supportConversations)
    .where(
      and(
        eq(supportConversations.businessId, businessId),
        gt(supportConversations.id, after),
        withoutErasing ? isNull(supportConversations.eraseDueAt) : undefined,
      ),
    )
    .orderBy(asc(supportConversations.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
