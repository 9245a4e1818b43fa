import { businessRepo } from "../../../shared/businesses/index.ts";
import { auditRepo, type Db, openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { newMeter, notFound, second } from "../../../shared/kernel/index.ts";
import { type ConversationRepo, conversationIndexRepo } from "../../../shared/support/index.ts";
import { settingsOf } from "../../http/settings.ts";
import type { SurfaceBindings } from "../../http/surface-env.ts";
import type { Alarms } from "../../objects/alarms.ts";
import type { ConversationBusiness } from "../../objects/conversation-object.ts";

type IndexBindings = Pick<SurfaceBindings, "CORE">;

/** The shop's database is written to at most so often, however many messages come. */
const atMostEveryMs = second;
/** As many audit entries as one statement holds. */
const auditsAtOnce = 10;

/**
 * Copies a conversation's record into the shop's list, and what agents did into its audit trail. The
 * object's alarm does it: at once when all was quiet, a second later while messages come, and again
 * a minute after a failure until it is done. Nobody waits for it.
 */
export function conversationIndex(
  conversations: ConversationRepo,
  { alarms, now }: Readonly<{ alarms: Alarms<"index">; now: () => number }>,
) {
  let copiedAt = 0;

  function schedule(): void {
    const due = Math.max(now(), copiedAt + atMostEveryMs);
    const at = alarms.at("index");
    if (at === null || at > due) alarms.set("index", due);
  }

  return {
    /** The record has changed: notes, beside the change itself, that it is to be copied. */
    schedule,

    async copy(env: IndexBindings, business: ConversationBusiness): Promise<void> {
      const conversation = conversations.find();
      if (conversation === null) return alarms.clear("index");
      const audits = conversations.audits(auditsAtOnce);
      const scope = { db: await openShop(env, business), business };
      await scope.db.batch([
        conversationIndexRepo(scope).put(conversation, now()),
        ...(audits.length > 0 ? [auditRepo(scope).add(audits)] : []),
      ]);
      copiedAt = now();
      conversations.removeAudits(audits.map(({ id }) => id));
      alarms.clear("index");
      const isBehind = conversations.find()?.revision !== conversation.revision;
      if (isBehind || audits.length === auditsAtOnce) schedule();
    },
  };
}

/** Where the business is now: since the conversation began it may have moved. */
async function openShop(env: IndexBindings, { id }: ConversationBusiness): Promise<Db> {
  const shard = await businessRepo(openDb(env.CORE, newMeter())).shardOf(id);
  if (shard === null) throw notFound("business");
  return openDb(shopOf(shardsOf(env, settingsOf(env).shopShards), { shard }), newMeter());
}

export type ConversationIndex = ReturnType<typeof conversationIndex>;
