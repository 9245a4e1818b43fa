import { businessRepo } from "../../../../shared/businesses/index.ts";
import {
  createMeter,
  type Db,
  openDb,
  shardsOf,
  shopOf,
} from "../../../../shared/database/index.ts";
import { createTtlCache, second, stackOf } from "../../../../shared/kernel/index.ts";
import { type ConversationCopy, conversationListRepo } from "../../../../shared/support/index.ts";
import type { ApiBindings } from "../../../runtime/bindings.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import type { ConversationBusiness } from "../../../runtime/objects/conversation-object.ts";
import { createOutboxWaker } from "../../../runtime/outbox-wakeup.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import type { ConversationStore } from "./conversation-store.ts";
import {
  closeSharedCopy,
  createSharedCopy,
  gatherMs,
  isLost,
  joinSharedCopy,
  type SharedCopy,
} from "./shared-copy.ts";

/**
 * How long after a change the conversation is copied. The changes within this time share one copy,
 * which waits `gatherMs` for other conversations.
 */
export const copyAfterMs = 2 * second - gatherMs;
/**
 * An alarm copies after this time, in case the object was evicted before its timer ran. While sockets
 * are open, the alarm of the next ping copies, so that the object wakes once.
 */
const copyAlarmMs = 30 * second;
const auditEntriesPerCopy = 100;
const eventsPerCopy = 50;

type ListSyncParts = Readonly<{
  store: ConversationStore;
  alarms: Alarms<"listCopy" | "ping" | "expiry">;
  env: Pick<ApiBindings, "CORE" | "EVENTS">;
  now: () => number;
  waitUntil: (work: Promise<unknown>) => void;
}>;

/** A copy that the conversation has begun or joined, and how many changes it includes. */
type StartedCopy = Readonly<{ copy: ConversationCopy; shared: SharedCopy; changes: number }>;

/**
 * Copies the conversation to the business's list, its audit entries to the audit trail and the
 * events of its messages to the outbox, at most every two seconds. A timer copies while the object
 * is awake, together with other conversations of the business. Each change also sets an alarm in
 * its own transaction, which retries every minute after a failure.
 */
export function createListSync({ store, alarms, env, now, waitUntil }: ListSyncParts) {
  let hasTimer = false;
  /** How often a copy was scheduled. */
  let changes = 0;
  /** The number of changes that are copied. Null when that is not known. */
  let copiedChanges: number | null = null;
  /** The last copy, until the object has deleted what that copy has written. */
  let latest: StartedCopy | null = null;

  /** Reads what is to be copied. Clears the alarm when there is no conversation. */
  function readCopy() {
    const [conversation, business] = [store.find(), store.business()];
    if (conversation === null || business === null) {
      alarms.clear("listCopy");
      return null;
    }
    const auditEntries = store.listAuditEntries(auditEntriesPerCopy);
    const copy = { conversation, auditEntries, events: store.listEvents(eventsPerCopy) };
    return { business, copy, changes };
  }

  /** Copies this conversation together with those whose timers run at about the same time. */
  async function copyTogether(): Promise<void> {
    const own = readCopy();
    if (own === null) return;
    const { business, copy } = own;
    await store.sync(); // another object may write the copy, and does not wait for this one's storage
    if (store.find() === null) return; // it has expired meanwhile
    const { shared, isFirst } = joinSharedCopy(business.id, copy, now());
    latest = { ...own, shared };
    startTimer();
    if (!isFirst) return;
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    closeSharedCopy(business.id, shared);
    await write(business, shared);
  }

  /** Copies this conversation alone. */
  async function copyNow(): Promise<void> {
    const own = readCopy();
    if (own === null) return;
    const shared = createSharedCopy(own.copy, now());
    latest = { ...own, shared };
    await write(own.business, shared);
    if (!endLastCopy()) startTimer();
  }

  async function write(business: ConversationBusiness, shared: SharedCopy): Promise<void> {
    try {
      const shop = await openShop(env, business.id, now());
      shared.status = shop === null ? "business_deleted" : await writeTo(shop, business, shared);
    } catch (error) {
      shared.status = "failed";
      throw error;
    }
  }

  async function writeTo(
    { db, shard }: OpenedShop,
    business: ConversationBusiness,
    { copies }: SharedCopy,
  ): Promise<"written"> {
    await db.batch(conversationListRepo({ db, business }).copyAll(copies, now()));
    if (copies.some(({ events }) => events.length > 0))
      createOutboxWaker(env.EVENTS, { id: business.id, shard }, waitUntil)();
    return "written";
  }

  /** Deletes from this object the events and audit entries that the last copy has written. */
  function deleteWritten(): void {
    if (latest?.shared.status !== "written") return;
    const {
      copy: { conversation, auditEntries, events },
      changes: changesThen,
    } = latest;
    latest = null;
    if (conversation.messageCount > 0) alarms.clear("expiry");
    if (auditEntries.length > 0) store.deleteAuditEntries(auditEntries.map(({ id }) => id));
    if (events.length > 0) store.deleteEvents(events.map(({ id }) => id));
    const hasMore = auditEntries.length === auditEntriesPerCopy || events.length === eventsPerCopy;
    copiedChanges = hasMore ? null : changesThen;
  }

  /**
   * Deletes what the last copy has written. Clears the alarm and returns true when nothing is left to
   * copy, also because the business was deleted.
   */
  function endLastCopy(): boolean {
    if (latest?.shared.status === "business_deleted") alarms.clear("expiry");
    else {
      deleteWritten();
      if (copiedChanges !== changes) return false;
    }
    alarms.clear("listCopy");
    return true;
  }

  async function runTimer(): Promise<void> {
    if (alarms.dueAt("listCopy") === null) return;
    if (latest?.shared.status === "failed") {
      latest = null; // the alarm or the next change copies again
      return;
    }
    if (latest?.shared.status === "unwritten") {
      if (!isLost(latest.shared, now())) return startTimer();
      latest = null;
    }
    if (!endLastCopy()) await copyTogether();
  }

  function startTimer(): void {
    if (hasTimer) return;
    hasTimer = true;
    setTimeout(async () => {
      hasTimer = false;
      try {
        await runTimer();
      } catch (error) {
        log("warn", "conversation not listed", { stack: stackOf(error) });
      }
    }, copyAfterMs);
  }

  return {
    /** Schedules a copy. Call this in the transaction that changes the conversation. */
    schedule(): void {
      deleteWritten();
      if (latest?.shared.status === "failed") latest = null;
      changes += 1;
      if (alarms.dueAt("listCopy") === null)
        alarms.set("listCopy", alarms.dueAt("ping") ?? now() + copyAlarmMs);
      startTimer();
    },

    copyNow,

    /** Removes a conversation without messages from the business's list. */
    async remove(): Promise<void> {
      const [conversation, business] = [store.find(), store.business()];
      const shop = business && (await openShop(env, business.id, now()));
      if (!conversation || !shop) return;
      await conversationListRepo({ db: shop.db, business }).removeEmpty(conversation.id);
    },
  };
}

/**
 * The current shards of businesses, for all conversations in this isolate. An old entry is
 * harmless, because a shard refuses writes for a business that has moved.
 */
const shardCache = createTtlCache<string>(1_000);

type OpenedShop = Readonly<{ db: Db; shard: string }>;

/**
 * Opens the business's current shard, to which the business may have moved. Null when the business
 * was deleted.
 */
async function openShop(
  env: ListSyncParts["env"],
  businessId: string,
  now: number,
): Promise<OpenedShop | null> {
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
