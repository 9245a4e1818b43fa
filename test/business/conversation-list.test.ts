import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { day, minute } from "../../shared/kernel/index.ts";
import {
  createConversation,
  findListedConversation,
  openShopperSocket,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { setUpAgentInbox } from "./agent-inbox.ts";

const { shop, replyTo, closeConversation } = setUpAgentInbox();
const copies = holdListSyncs();

describe("the list copy", () => {
  /** Counts how often the conversation's row is written from now on. */
  async function countListWrites(threadId: string) {
    const [log, trigger] = [`copies_of_${threadId}`, `count_${threadId}`];
    await selectRows(shop(), `create table ${log} (revision integer)`);
    await selectRows(
      shop(),
      `create trigger ${trigger} after update on support_conversations
         when new.id = '${threadId}' begin insert into ${log} values (new.revision); end`,
    );
    return {
      count: async () => (await selectRows(shop(), `select * from ${log}`)).length,
      async end() {
        await selectRows(shop(), `drop trigger ${trigger}`);
        await selectRows(shop(), `drop table ${log}`);
      },
    };
  }

  it("is written once for many messages, without an alarm", async () => {
    const { ask: customer, threadId, object } = await createConversation(shop());
    await waitUntilListed(shop(), threadId, { message_count: 0 });
    const listWrites = await countListWrites(threadId);
    await copies.run(object); // the copy of the created conversation
    for (let number = 0; number < 12; number += 1) await sendMessage(customer, `${number}`);
    expect(copies.count()).toBe(1);
    await copies.run(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 12 });
    expect(await listWrites.count()).toBe(1);
    await copies.run(object); // clears the alarm, because nothing has changed
    expect(await listWrites.count()).toBe(1);
    expect(await runDurableObjectAlarm(object)).toBe(false); // nothing is scheduled
    await listWrites.end();
  });

  it("is written by the timer when an expired conversation is opened again", async () => {
    const { ask: customer, threadId, object } = await createConversation(shop());
    await copies.run(object);
    await copies.run(object); // clears the alarm
    vi.setSystemTime(Date.now() + day + minute);
    await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop(), threadId)).toBeUndefined();
    await customer("POST", "/support/conversation");
    await copies.run(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 0 });
  });

  it("is written after an eviction that follows a change", async () => {
    const { ask: customer, threadId, object } = await createConversation(shop());
    const changes = [
      [() => sendMessage(customer, "a"), { message_count: 1, status: "open" }],
      [() => closeConversation(threadId), { message_count: 1, status: "closed" }],
      [() => replyTo(threadId, { content: "b" }), { message_count: 2, status: "closed" }],
      [() => sendMessage(customer, "c"), { message_count: 3, status: "open" }],
    ] as const;
    for (const [change, row] of changes) {
      await change();
      await copies.evict(object);
      expect(await runDurableObjectAlarm(object)).toBe(true);
      expect(await findListedConversation(shop(), threadId)).toMatchObject(row);
    }
    expect(await listAuditActions(shop())).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
  });

  it("includes every audit entry, also in several batches", async () => {
    const { threadId, object } = await createConversation(shop(), "Hello");
    const agent = { businessId: shop().business.id, keyId: "key_test" };
    const draft = { content: "Good day", clientId: null, attachments: [], requestKey: null };
    for (let number = 0; number < 105; number += 1) await object.postAsAgent(agent, draft);
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    await waitUntilListed(shop(), threadId, { message_count: 106 });
    await expect
      .poll(async () => {
        await runDurableObjectAlarm(object);
        return (await listAuditActions(shop())).length;
      })
      .toBe(105);
  });

  it("is written by the next ping while a socket is open", async () => {
    const { ask: customer, threadId, cookie, object } = await createConversation(shop(), "a");
    await waitUntilListed(shop(), threadId, { message_count: 1 });
    const end = await openShopperSocket(shop(), cookie);
    await end.nextFrame("resync");
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    const before = await alarm();
    await sendMessage(customer, "b");
    await sendMessage(customer, "c");
    expect(await alarm()).toBe(before);
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 3 });
    end.disconnect();
  });

  it("is retried after the database failed", async () => {
    const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
    const { ask: customer, threadId, object } = await createConversation(shop(), "a");
    await waitUntilListed(shop(), threadId, { message_count: 1 });
    await selectRows(
      shop(),
      `create trigger refuse_${threadId} before update on support_conversations
         when new.id = '${threadId}' begin select raise(abort, 'no'); end`,
    );
    expect(await sendMessage(customer, "b")).toMatchObject({ status: 200 });
    await closeConversation(threadId);
    await runDurableObjectAlarm(object);
    expect(consoleError.mock.calls.join()).toContain("alarm handler failed");
    expect(await findListedConversation(shop(), threadId)).toMatchObject({
      message_count: 1,
      status: "open",
    });
    await selectRows(shop(), `drop trigger refuse_${threadId}`);
    vi.setSystemTime(Date.now() + 2 * minute);
    await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({
      message_count: 2,
      status: "closed",
    });
    expect(await listAuditActions(shop())).toEqual(["conversation.closed"]);
    consoleError.mockRestore();
  });

  it("is not retried when the business was deleted", async () => {
    const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
    const { threadId, object } = await createConversation(shop(), "a");
    const gone = { ...shop().business, id: "biz_gone" };
    await runInDurableObject(object, (_, { storage }) => storage.kv.put("business", gone));
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await runDurableObjectAlarm(object)).toBe(false);
    expect(await findListedConversation(shop(), threadId)).toBeUndefined();
    expect(consoleError).not.toHaveBeenCalled();
    consoleError.mockRestore();
  });

  it("is not overwritten by an older revision", async () => {
    const { ask: customer, threadId, object } = await createConversation(shop(), "a");
    await waitUntilListed(shop(), threadId, { message_count: 1 });
    await selectRows(
      shop(),
      "update support_conversations set revision = 1000, message_count = 7 where id = ?",
      threadId,
    );
    await sendMessage(customer, "b");
    vi.setSystemTime(Date.now() + minute);
    await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop(), threadId)).toMatchObject({ message_count: 7 });
  });
});
