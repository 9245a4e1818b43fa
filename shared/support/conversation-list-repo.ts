import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import { erasedAtQuery } from "../customers/index.ts";
import { type Db, isUnfenced, type Write } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { Conversation, ConversationStatus } from "./conversation.ts";
import { supportConversations } from "./tables.ts";

const t = supportConversations;

/** A conversation in the business's list. */
export type ListedConversation = Omit<Conversation, "revision">;

type ConversationListContext = Readonly<{ db: Db; business: Readonly<{ id: string }> }>;

export type ConversationFilter = Readonly<{ status: ConversationStatus | undefined }>;

/** A page of the list; `before` is the last conversation on the previous page. */
export type ConversationPage = Readonly<{
  limit: number;
  before: Readonly<{ activeAt: number; id: string }> | null;
}>;

/** The list of one business's conversations; each call is one round trip. */
export function conversationListRepo({ db, business }: ConversationListContext) {
  const isOwned = eq(t.businessId, business.id);

  return {
    /** Latest activity first. */
    async list(
      { status }: ConversationFilter,
      { limit, before }: ConversationPage,
    ): Promise<ListedConversation[]> {
      const rows = await db
        .select()
        .from(t)
        .where(
          and(
            isOwned,
            status === undefined ? undefined : eq(t.status, status),
            before === null
              ? undefined
              : sql`(${t.activeAt}, ${t.id}) < (${before.activeAt}, ${before.id})`,
          ),
        )
        .orderBy(desc(t.activeAt), desc(t.id))
        .limit(limit);
      return rows.map(toListedConversation);
    },

    /**
     * Copies a conversation's record into the list, unless a newer revision is there. Schedules an
     * erasure when the customer's data were erased before the copy arrived.
     */
    upsert({ id, revision, ...record }: Conversation, now: number): Write {
      const { status, customerId, messageCount, lastMessageAt, createdAt } = record;
      const erasedAt = erasedAtQuery({ db, business }, customerId ?? "");
      const columns = {
        status,
        customerId,
        messageCount,
        lastMessageAt,
        activeAt: lastMessageAt ?? createdAt,
        revision,
      };
      const eraseDueAt = sql`(select ${now} where exists ${erasedAt})`;
      return db
        .insert(t)
        .values({ ...columns, id, businessId: business.id, createdAt, eraseDueAt })
        .onConflictDoUpdate({
          target: t.id,
          set: { ...columns, eraseDueAt: sql`coalesce(${t.eraseDueAt}, excluded.erase_due_at)` },
          setWhere: sql`${t.revision} < excluded.revision and ${t.businessId} = excluded.business_id`,
        });
    },

    /** Marks the erasure as done: the object no longer has the customer's data. */
    clearErasure: (id: string): Write =>
      db
        .update(t)
        .set({ eraseDueAt: null })
        .where(and(isOwned, eq(t.id, id))),
  };
}

const toListedConversation = ({
  id,
  status,
  customerId,
  messageCount,
  lastMessageAt,
  createdAt,
}: typeof t.$inferSelect): ListedConversation => ({
  id,
  status,
  customerId,
  messageCount,
  lastMessageAt,
  createdAt,
});

/** A conversation whose object must erase its customer's data. */
export type DueErasure = Readonly<{ id: string; businessId: string; customerId: string }>;

/** An erasure that was claimed but not finished becomes due again after this time. */
const erasureLeaseMs = minute;

/** Claims due erasures of a shard for one minute, the longest due first. */
export async function claimDueErasures(
  db: Db,
  { now, limit }: Readonly<{ now: number; limit: number }>,
): Promise<DueErasure[]> {
  const due = db
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        isNotNull(t.eraseDueAt),
        lte(t.eraseDueAt, now),
        isUnfenced(sql`support_conversations.business_id`),
      ),
    )
    .orderBy(asc(t.eraseDueAt))
    .limit(limit);
  const claimed = await db
    .update(t)
    .set({ eraseDueAt: now + erasureLeaseMs })
    .where(sql`${t.id} in ${due}`)
    .returning({ id: t.id, businessId: t.businessId, customerId: t.customerId });
  return claimed.map(({ customerId, ...row }) => ({ ...row, customerId: customerId ?? "" }));
}
