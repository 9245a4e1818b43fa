import { businessRepo } from "../../../../shared/businesses/index.ts";
import {
  type AuditEntry,
  auditRepo,
  createMeter,
  type Db,
  openDb,
  shardsOf,
  shopOf,
} from "../../../../shared/database/index.ts";
import { createTtlCache, second, stackOf } from "../../../../shared/kernel/index.ts";
import { conversationListRepo } from "../../../../shared/support/index.ts";
import type { ApiBindings } from "../../../runtime/bindings.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { createOutboxWaker } from "../../../runtime/outbox-wakeup.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import type { ConversationStore } from "./conversation-store.ts";

/**
 * How long after a change the conversation is copied. The changes within this time share one copy.
 */
export const copyAfterMs = 2 * second;
/** An alarm copies after this time, in case the object was evicted before its timer ran. */
const copyAlarmMs = 30 * second;
const auditEntriesPerCopy = 100;
const auditEntriesPerStatement = 10;
/** Limits the events of a copy, which are one parameter of at most 2 MB. */
const eventsPerCopy = 50;

type ListSyncParts = Readonly<{
  store: ConversationStore;
  alarms: Alarms<"listCopy" | "ping" | "expiry">;
  env: Pick<ApiBindings, "CORE" | "EVENTS">;
  now: () => number;
  waitUntil: (work: Promise<unknown>) => void;
}>;

/**
 * Copies the conversation to the business's list, its audit entries to the audit trail and the
 * events of its messages to the outbox, at most every two seconds. A timer copies while the object is awake. Each change also sets an alarm in
 * its own transaction, which retries every minute after a failure.
 */
export function createListSync({ store, alarms, env, now, waitUntil }: ListSyncParts) {
  let hasTimer = false;

  async function copy(): Promise<void> {
    const [conversation, business] = [store.find(), store.business()];
    if (conversation === null || business === null) return alarms.clear("listCopy");
    const auditEntries = store.listAuditEntries(auditEntriesPerCopy);
    const events = store.listEvents(eventsPerCopy);
    const shop = await openShop(env, business.id, now());
    // The business was deleted, so there is no list to copy to.
    if (shop === null) {
      alarms.clear("expiry");
      return alarms.clear("listCopy");
    }
    const ctx = { db: shop.db, business };
    const list = conversationListRepo(ctx);
    await shop.db.batch([
      list.upsert(conversation, now()),
      ...(events.length > 0 ? [list.insertEvents(events, conversation.customerId)] : []),
      ...chunksOf(auditEntries).map((entries) => auditRepo(ctx).add(entries)),
    ]);
    if (conversation.messageCount > 0) alarms.clear("expiry");
    store.deleteAuditEntries(auditEntries.map(({ id }) => id));
    store.deleteEvents(events.map(({ id }) => id));
    const hasChanged = store.find()?.revision !== conversation.revision;
    const isFull = auditEntries.length === auditEntriesPerCopy || events.length === eventsPerCopy;
    if (hasChanged || isFull) startTimer();
    else alarms.clear("listCopy");
    if (events.length > 0)
      createOutboxWaker(env.EVENTS, { id: business.id, shard: shop.shard }, waitUntil)();
  }

  function startTimer(): void {
    if (hasTimer) return;
    hasTimer = true;
    setTimeout(async () => {
      hasTimer = false;
      try {
        if (alarms.dueAt("listCopy") !== null) await copy();
      } catch (error) {
        log("warn", "conversation not listed", { stack: stackOf(error) });
      }
    }, copyAfterMs);
  }

  return {
    /** Schedules a copy. Call this in the transaction that changes the conversation. */
    schedule(): void {
      if (alarms.dueAt("listCopy") === null)
        alarms.set("listCopy", alarms.dueAt("ping") ?? now() + copyAlarmMs);
      startTimer();
    },

    copy,

    /** Removes a conversation without messages from the business's list. */
    async remove(): Promise<void> {
      const [conversation, business] = [store.find(), store.business()];
      const shop = business && (await openShop(env, business.id, now()));
      if (!conversation || !shop) return;
      await conversationListRepo({ db: shop.db, business }).removeEmpty(conversation.id);
    },
  };
}

const chunksOf = (auditEntries: readonly AuditEntry[]): AuditEntry[][] =>
  Array.from({ length: Math.ceil(auditEntries.length / auditEntriesPerStatement) }, (_, index) =>
    auditEntries.slice(index * auditEntriesPerStatement, (index + 1) * auditEntriesPerStatement),
  );

/**
 * The current shards of businesses, for all conversations in this isolate. An old entry is
 * harmless, because a shard refuses writes for a business that has moved.
 */
const shardCache = createTtlCache<string>(1_000);

/**
 * Opens the business's current shard, to which the business may have moved. Null when the business
 * was deleted.
 */
async function openShop(
  env: ListSyncParts["env"],
  businessId: string,
  now: number,
): Promise<Readonly<{ db: Db; shard: string }> | null> {
  const shard = await shardCache.get(businessId, now, () =>
    businessRepo(openDb(env.CORE, createMeter()))
      .findShardAndStatus(businessId)
      .then((found) => found?.shard ?? null),
  );
  if (shard === null) return null;
  const database = shopOf(shardsOf(env, settingsOf(env).shopShards), { shard });
  return { db: openDb(database, createMeter()), shard };
}

export type ListSync = ReturnType<typeof createListSync>;
