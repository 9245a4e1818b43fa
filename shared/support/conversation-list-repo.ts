import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { customerNameQuery, erasedAtQuery } from "../customers/index.ts";
import {
  type AuditEntry,
  auditRepo,
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

/** A conversation with what its Durable Object has stored for the business's shard. */
export type ConversationCopy = Readonly<{
  conversation: Conversation;
  events: readonly PendingEvent[];
  auditEntries: readonly AuditEntry[];
}>;

/** The events of a statement are one parameter, which may have 2 MB. */
const eventsPerStatement = 50;
const auditEntriesPerStatement = 10;

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

/** The list of one business's conversations. */
export function conversationListRepo({ db, business }: ConversationListContext) {
  const isOwned = eq(supportConversations.businessId, business.id);
  const erasedCustomer = erasedAtQuery({ db, business }, sql`value ->> 'customerId'`);

  const upsertConversations = (conversations: readonly Conversation[], now: number): Write =>
    db
      .insert(supportConversations)
      .select(
        sql`select value ->> 'id', ${business.id}, value ->> 'status', value ->> 'customerId',
            value ->> 'messageCount', value ->> 'unreadCount', value ->> 'lastMessageAt',
            value ->> 'createdAt', coalesce(value ->> 'lastMessageAt', value ->> 'createdAt'),
            value ->> 'awaitsReply', value ->> 'revision', (select ${now} where exists ${erasedCustomer})
          from json_each(${JSON.stringify(conversations)}) where true`,
      )
      .onConflictDoUpdate({
        target: supportConversations.id,
        set: {
          status: sql`excluded.status`,
          customerId: sql`excluded.customer_id`,
          messageCount: sql`excluded.message_count`,
          unreadCount: sql`excluded.unread_count`,
          lastMessageAt: sql`excluded.last_message_at`,
          activeAt: sql`excluded.active_at`,
          awaitsReply: sql`excluded.awaits_reply`,
          revision: sql`excluded.revision`,
          eraseDueAt: sql`coalesce(${supportConversations.eraseDueAt}, excluded.erase_due_at)`,
        },
        setWhere: sql`${supportConversations.revision} < excluded.revision and ${supportConversations.businessId} = excluded.business_id`,
      });

  /** Records each event once, and none of a customer whose data have been erased meanwhile. */
  const insertPendingEvents = (
    pending: readonly (PendingEvent & Pick<Conversation, "customerId">)[],
  ): Write =>
    insertEvents(
      { db, business },
      sql`(select value ->> 'id' as id, value ->> 'type' as type,
          value ->> 'subjectId' as subject_id, value -> 'data' as data,
          value ->> 'createdAt' as created_at,
          row_number() over (partition by value ->> 'subjectId' order by key) as place
        from json_each(${JSON.stringify(pending)}) where not exists ${erasedCustomer}
          and not exists (select 1 from ${events} as copied where copied.id = value ->> 'id'))`,
    );

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
     * Copies conversations into the list, with the events of their messages and their audit entries.
     * A repeated copy changes nothing, and an older one never replaces a newer one. When a customer's
     * data have been erased meanwhile, no event is recorded and an erasure of the conversation is
     * scheduled.
     */
    copyAll(copies: readonly ConversationCopy[], now: number): [Write, ...Write[]] {
      const conversations = copies.map(({ conversation }) => conversation);
      const pending = copies.flatMap(({ conversation: { customerId }, events }) =>
        events.map((event) => ({ ...event, customerId })),
      );
      const auditEntries = copies.flatMap((copy) => copy.auditEntries);
      return [
        upsertConversations(conversations, now),
        ...chunksOf(pending, eventsPerStatement).map(insertPendingEvents),
        ...chunksOf(auditEntries, auditEntriesPerStatement).map(auditRepo({ db, business }).add),
      ];
    },

    /** Records that the conversation's Durable Object has erased the customer's data. */
    clearErasure: (id: string): Write =>
      db
        .update(supportConversations)
        .set({ eraseDueAt: null })
        .where(and(isOwned, eq(supportConversations.id, id))),
  };
}

const chunksOf = <T>(rows: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );

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
