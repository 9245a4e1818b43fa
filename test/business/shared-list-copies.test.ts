import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import {
  gatherMs,
  isLost,
  joinSharedCopy,
} from "../../functions/storefront/objects/support-conversation/shared-copy.ts";
import { type ConversationCopy, newConversation } from "../../shared/support/index.ts";
import {
  createConversation,
  findListedConversation,
  sendMessage,
} from "../support/create-conversation.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { selectRows } from "../support/select-rows.ts";
import { setUpAgentInbox } from "./agent-inbox.ts";

const { shop } = setUpAgentInbox();
const copies = holdListSyncs({ gathersForMs: gatherMs });

/** Creates a conversation with a message, and takes its timers. */
async function createChangedConversation() {
  const conversation = await createConversation(shop(), "Hello");
  return { ...conversation, timers: copies.take() };
}

type ChangedConversation = Awaited<ReturnType<typeof createChangedConversation>>;

const runTimers = (conversations: readonly ChangedConversation[]) =>
  Promise.all(conversations.map(({ object, timers }) => copies.run(object, timers)));

const countEvents = async () =>
  (await selectRows(shop(), "select id from events where type = 'support.message_created'")).length;

const countPendingEvents = ({ object }: Pick<ChangedConversation, "object">) =>
  runInDurableObject(
    object,
    (_, { storage }) => storage.sql.exec("select id from pending_events").toArray().length,
  );

const loadAlarm = ({ object }: Pick<ChangedConversation, "object">) =>
  runInDurableObject(object, (_, { storage }) => storage.getAlarm());

const countListWrites = (runsBySql: ReadonlyMap<string, number>): number =>
  [...runsBySql]
    .filter(([sql]) => sql.startsWith('insert into "support_conversations"'))
    .reduce((sum, [, runs]) => sum + runs, 0);

describe("conversations that change at the same time", () => {
  it("are copied in one batch, with the events of their messages", async () => {
    const changed = [
      await createChangedConversation(),
      await createChangedConversation(),
      await createChangedConversation(),
    ];
    const before = await countEvents();
    const { runsBySql } = await measureD1Usage(() => runTimers(changed));
    expect(countListWrites(runsBySql)).toBe(1);
    expect(await countEvents()).toBe(before + 3);
    for (const { threadId } of changed)
      expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 1 });
  });

  it("are each copied by their alarm after the batch failed, and the refused one is retried", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
    const [refused, other] = [await createChangedConversation(), await createChangedConversation()];
    await selectRows(
      shop(),
      `create trigger refuse_${refused.threadId} before insert on support_conversations
         when new.id = '${refused.threadId}' begin select raise(abort, 'no'); end`,
    );
    await runTimers([refused, other]);
    const [ofRefused = [], ofOther = []] = copies.take().map((timer) => [timer]);
    await copies.run(refused.object, ofRefused);
    await copies.run(other.object, ofOther);
    expect(copies.count()).toBe(0); // only the alarm is left
    expect(await findListedConversation(shop(), other.threadId)).toBeUndefined();
    for (const { object } of [refused, other]) await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop(), other.threadId)).toMatchObject({
      message_count: 1,
    });
    expect(await findListedConversation(shop(), refused.threadId)).toBeUndefined();
    await selectRows(shop(), `drop trigger refuse_${refused.threadId}`);
    await runDurableObjectAlarm(refused.object);
    expect(await findListedConversation(shop(), refused.threadId)).toMatchObject({
      message_count: 1,
    });
    vi.restoreAllMocks();
  });

  it("are copied by their timer after a failed copy, when they change again", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { ask, threadId, object, timers } = await createChangedConversation();
    await selectRows(
      shop(),
      `create trigger refuse_${threadId} before insert on support_conversations
         when new.id = '${threadId}' begin select raise(abort, 'no'); end`,
    );
    await copies.run(object, timers);
    await selectRows(shop(), `drop trigger refuse_${threadId}`);
    await sendMessage(ask, "Anybody there?");
    await copies.run(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 2 });
    vi.restoreAllMocks();
  });

  it("delete their copied events with the next message, or when no other follows", async () => {
    const [talking, silent] = [
      await createChangedConversation(),
      await createChangedConversation(),
    ];
    await runTimers([talking, silent]);
    expect([await countPendingEvents(talking), await countPendingEvents(silent)]).toEqual([1, 1]);
    const timers = copies.take();
    await sendMessage(talking.ask, "Anybody there?");
    expect(await countPendingEvents(talking)).toBe(1); // that of the new message
    const [ofTalking = [], ofSilent = []] = timers.map((timer) => [timer]);
    await copies.run(talking.object, ofTalking);
    await copies.run(silent.object, ofSilent);
    expect(await countPendingEvents(silent)).toBe(0);
    expect(await loadAlarm(silent)).toBeNull();
    expect(await findListedConversation(shop(), talking.threadId)).toMatchObject({
      message_count: 2,
    });
  });
});

describe("a shared copy", () => {
  const copyWith = (events: number): ConversationCopy => ({
    conversation: newConversation("cnv_test", 0),
    auditEntries: [],
    events: Array.from({ length: events }, (_, number) => ({
      id: `evt_${number}`,
      type: "support.message_created",
      subjectId: "cnv_test",
      data: {
        conversation_id: "cnv_test",
        message_id: `msg_${number}`,
        sender_type: "customer",
        content: "Hello",
        attachment_count: 0,
        customer_id: null,
        created_at: "2030-01-01T00:00:00.000Z",
      },
      createdAt: 0,
    })),
  });
  const join = (businessId: string, now: number, events = 1) =>
    joinSharedCopy(businessId, copyWith(events), now);

  it("takes conversations of the same business while it gathers", () => {
    const { shared, isFirst } = join("biz_a", 1_000);
    expect(isFirst).toBe(true);
    expect(join("biz_a", 1_099)).toEqual({ shared, isFirst: false });
    expect(join("biz_b", 1_099).isFirst).toBe(true);
    expect(shared.copies).toHaveLength(2);
  });

  it("is left to itself when its first conversation crashed, also when the clock was set back", () => {
    join("biz_c", 1_000);
    expect(join("biz_c", 1_100).isFirst).toBe(true);
    expect(join("biz_c", 900).isFirst).toBe(true);
  });

  it("is lost when it is not written within ten seconds", () => {
    const { shared } = join("biz_f", 1_000);
    expect([isLost(shared, 11_000), isLost(shared, 11_001), isLost(shared, -9_001)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("takes no more than 100 conversations or 500 events", () => {
    for (let number = 0; number < 100; number += 1) join("biz_d", 1_000);
    expect(join("biz_d", 1_000).isFirst).toBe(true);
    for (let number = 0; number < 10; number += 1) join("biz_e", 1_000, 50);
    expect(join("biz_e", 1_000).isFirst).toBe(true);
  });
});
