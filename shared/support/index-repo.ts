import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import { erasedAtOf } from "../customers/index.ts";
import { type Db, unfenced, type Write } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { Conversation, ConversationStatus } from "./conversation.ts";
import { supportConversations } from "./tables.ts";

const t = supportConversations;

/** A conversation as the business's list has it. */
export type ListedConversation = Omit<Conversation, "revision">;

type IndexScope = Readonly<{ db: Db; business: Readonly<{ id: string }> }>;

export type ConversationFilter = Readonly<{ status: ConversationStatus | undefined }>;

/** Where a page of the list begins: behind this conversation; null for the first. */
export type ConversationPage = Readonly<{
  limit: number;
  before: Readonly<{ activeAt: number; id: string }> | null;
}>;

/** The conversations of one business; every call is one round trip. */
export function conversationIndexRepo({ db, business }: IndexScope) {
  const own = eq(t.businessId, business.id);

  return {
    /** The ones that somebody spoke in last come first. */
    async list(
      { status }: ConversationFilter,
      { limit, before }: ConversationPage,
    ): Promise<ListedConversation[]> {
      const rows = await db
        .select()
        .from(t)
        .where(
          and(
            own,
            status === undefined ? undefined : eq(t.status, status),
            before === null
              ? undefined
              : sql`(${t.activeAt}, ${t.id}) < (${before.activeAt}, ${before.id})`,
          ),
        )
        .orderBy(desc(t.activeAt), desc(t.id))
        .limit(limit);
      return rows.map(listed);
    },

    /**
     * Copies a conversation's record, unless a later one is there. One of a customer whose data are
     * erased is noted for erasure: whichever of the two comes first, the object is told.
     */
    put({ id, revision, ...record }: Conversation, now: number): Write {
      const { status, customerId, messageCount, lastMessageAt, createdAt } = record;
      const erasedAt = erasedAtOf({ db, business }, customerId ?? "");
      const copied = {
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
        .values({ ...copied, id, businessId: business.id, createdAt, eraseDueAt })
        .onConflictDoUpdate({
          target: t.id,
          set: { ...copied, eraseDueAt: sql`coalesce(${t.eraseDueAt}, excluded.erase_due_at)` },
          setWhere: sql`${t.revision} < excluded.revision and ${t.businessId} = excluded.business_id`,
        });
    },

    /** Its object has nothing of the customer any more. */
    erasureDone: (id: string): Write =>
      db
        .update(t)
        .set({ eraseDueAt: null })
        .where(and(own, eq(t.id, id))),
  };
}

const listed = ({
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

/** A conversation whose object has to be told that its customer's data are erased. */
export type DueErasure = Readonly<{ id: string; businessId: string; customerId: string }>;

/** Whoever takes an erasure up has so long for it; then it is due again. */
const leaseMs = minute;

/** Takes up erasures that are due in a shard, the longest due first. */
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
        unfenced(sql`support_conversations.business_id`),
      ),
    )
    .orderBy(asc(t.eraseDueAt))
    .limit(limit);
  const claimed = await db
    .update(t)
    .set({ eraseDueAt: now + leaseMs })
    .where(sql`${t.id} in ${due}`)
    .returning({ id: t.id, businessId: t.businessId, customerId: t.customerId });
  return claimed.map(({ customerId, ...row }) => ({ ...row, customerId: customerId ?? "" }));
}
