import { businessRepo } from "../../../../shared/businesses/index.ts";
import {
  type AuditEntry,
  auditRepo,
  type Db,
  openDb,
  shardsOf,
  shopOf,
} from "../../../../shared/database/index.ts";
import { createMeter, freshCache, second, stackOf } from "../../../../shared/kernel/index.ts";
import { conversationIndexRepo } from "../../../../shared/support/index.ts";
import type { SurfaceBindings } from "../../../http/api-env.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import type { KeptConversation } from "./kept-conversation.ts";

/** How far the list may be behind: all that changes within this time is one copy. */
export const copyAfterMs = 2 * second;
/** Should the object die before it copied, its alarm does it: with the next ping, or after so long. */
const copyAtLatestMs = 30 * second;
/** As many audit entries as one copy takes along, and as one statement of it holds. */
const auditsAtOnce = 100;
const auditsPerStatement = 10;

type Parts = Readonly<{
  kept: KeptConversation;
  alarms: Alarms<"index" | "ping">;
  env: Pick<SurfaceBindings, "CORE">;
  now: () => number;
}>;

/**
 * Copies a conversation's record into the shop's list, and what agents did into its audit trail,
 * however many messages come, once in two seconds at most. A change notes, in its own transaction,
 * that there is something to copy; the object does so while it is awake anyhow, and its alarm after a
 * crash or a failure, each minute until it is done. Nobody waits for it.
 */
export function conversationIndex({ kept, alarms, env, now }: Parts) {
  let isPlanned = false;

  async function copy(): Promise<void> {
    const [conversation, business] = [kept.find(), kept.business()];
    if (conversation === null || business === null) return alarms.clear("index");
    const audits = kept.audits(auditsAtOnce);
    const db = await openShop(env, business.id, now());
    if (db === null) return alarms.clear("index"); // there is no list, and never will be
    const scope = { db, business };
    await scope.db.batch([
      conversationIndexRepo(scope).put(conversation, now()),
      ...inStatements(audits).map((entries) => auditRepo(scope).add(entries)),
    ]);
    kept.removeAudits(audits.map(({ id }) => id));
    const isBehind = kept.find()?.revision !== conversation.revision;
    if (isBehind || audits.length === auditsAtOnce) plan();
    else alarms.clear("index");
  }

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(async () => {
      isPlanned = false;
      try {
        if (alarms.at("index") !== null) await copy();
      } catch (error) {
        log("warn", "conversation not listed", { stack: stackOf(error) });
      }
    }, copyAfterMs);
  }

  return {
    /** The record has changed: notes, beside the change itself, that it is to be copied. */
    schedule(): void {
      if (alarms.at("index") === null)
        alarms.set("index", alarms.at("ping") ?? now() + copyAtLatestMs);
      plan();
    },

    copy,
  };
}

const inStatements = (audits: readonly AuditEntry[]): AuditEntry[][] =>
  Array.from({ length: Math.ceil(audits.length / auditsPerStatement) }, (_, at) =>
    audits.slice(at * auditsPerStatement, (at + 1) * auditsPerStatement),
  );

/** Of all conversations in this isolate: a write that comes to a shard which was left is refused there. */
const shards = freshCache<string>(1_000);

/** Where the business is now: since the conversation began it may have moved. Null when it is gone. */
async function openShop(env: Parts["env"], businessId: string, now: number): Promise<Db | null> {
  const shard = await shards.get(businessId, now, () =>
    businessRepo(openDb(env.CORE, createMeter())).shardOf(businessId),
  );
  if (shard === null) return null;
  return openDb(shopOf(shardsOf(env, settingsOf(env).shopShards), { shard }), createMeter());
}

export type ConversationIndex = ReturnType<typeof conversationIndex>;
