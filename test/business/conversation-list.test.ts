import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import {
  givenConversation,
  indexedRow,
  isListed,
  say,
  shoppersEnd,
} from "../support/conversations.ts";
import { heldCopies } from "../support/copies.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { inbox } from "./inbox.ts";

const { shop, answerTo, close } = inbox();
const copies = heldCopies();

describe("the list", () => {
  /** How often the conversation's row was written since. */
  async function countedWrites(threadId: string) {
    const [log, trigger] = [`copies_of_${threadId}`, `count_${threadId}`];
    await rowsOf(shop(), `create table ${log} (revision integer)`);
    await rowsOf(
      shop(),
      `create trigger ${trigger} after update on support_conversations
         when new.id = '${threadId}' begin insert into ${log} values (new.revision); end`,
    );
    return {
      count: async () => (await rowsOf(shop(), `select * from ${log}`)).length,
      async end() {
        await rowsOf(shop(), `drop trigger ${trigger}`);
        await rowsOf(shop(), `drop table ${log}`);
      },
    };
  }

  it("is written to once for many messages, within seconds and without an alarm", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop());
    await isListed(shop(), threadId, { message_count: 0 });
    const written = await countedWrites(threadId);
    await copies.make(object); // that of its beginning
    for (let number = 0; number < 12; number += 1) await say(customer, `${number}`);
    expect(copies.count()).toBe(1);
    await copies.make(object);
    expect(await indexedRow(shop(), threadId)).toMatchObject({ message_count: 12 });
    expect(await written.count()).toBe(1);
    expect(await runDurableObjectAlarm(object)).toBe(false); // there is nothing left to do
    await written.end();
  });

  it("follows a conversation whose object dies after any of its changes", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop());
    const changes = [
      [() => say(customer, "a"), { message_count: 1, status: "open" }],
      [() => close(threadId), { message_count: 1, status: "closed" }],
      [() => answerTo(threadId, { content: "b" }), { message_count: 2, status: "closed" }],
      [() => say(customer, "c"), { message_count: 3, status: "open" }],
    ] as const;
    for (const [change, row] of changes) {
      await change();
      await copies.evict(object);
      expect(await runDurableObjectAlarm(object)).toBe(true);
      expect(await indexedRow(shop(), threadId)).toMatchObject(row);
    }
    expect(await auditedActions(shop())).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
  });

  it("has every entry of the audit trail, however many are behind", async () => {
    const { threadId, object } = await givenConversation(shop(), "Hello");
    const agent = { businessId: shop().business.id, keyId: "key_test" };
    const draft = { content: "Good day", clientId: null, attachments: [], requestKey: null };
    for (let number = 0; number < 105; number += 1) await object.postAsAgent(agent, draft);
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    await isListed(shop(), threadId, { message_count: 106 });
    await expect
      .poll(async () => {
        await runDurableObjectAlarm(object);
        return (await auditedActions(shop())).length;
      })
      .toBe(105);
  });

  it("wakes the object no earlier for messages while a socket is open: its ping does the rest", async () => {
    const { ask: customer, threadId, cookie, object } = await givenConversation(shop(), "a");
    await isListed(shop(), threadId, { message_count: 1 });
    const end = await shoppersEnd(shop(), cookie);
    await end.next("resync");
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    const before = await alarm();
    await say(customer, "b");
    await say(customer, "c");
    expect(await alarm()).toBe(before);
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop(), threadId)).toMatchObject({ message_count: 3 });
    end.hangUp();
  });

  it("follows a conversation whatever the database does meanwhile", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { ask: customer, threadId, object } = await givenConversation(shop(), "a");
    await isListed(shop(), threadId, { message_count: 1 });
    await rowsOf(
      shop(),
      `create trigger refuse_${threadId} before update on support_conversations
         when new.id = '${threadId}' begin select raise(abort, 'no'); end`,
    );
    expect(await say(customer, "b")).toMatchObject({ status: 200 });
    await close(threadId);
    await runDurableObjectAlarm(object);
    expect(told.mock.calls.join()).toContain("alarm handler failed");
    expect(await indexedRow(shop(), threadId)).toMatchObject({ message_count: 1, status: "open" });
    await rowsOf(shop(), `drop trigger refuse_${threadId}`);
    vi.setSystemTime(Date.now() + 2 * minute);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop(), threadId)).toMatchObject({
      message_count: 2,
      status: "closed",
    });
    expect(await auditedActions(shop())).toEqual(["conversation.closed"]);
    told.mockRestore();
  });

  it("is left alone by a conversation whose business is gone, which rings no more", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { threadId, object } = await givenConversation(shop(), "a");
    const gone = { ...shop().business, id: "biz_gone" };
    await runInDurableObject(object, (_, { storage }) => storage.kv.put("business", gone));
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await runDurableObjectAlarm(object)).toBe(false);
    expect(await indexedRow(shop(), threadId)).toBeUndefined();
    expect(told).not.toHaveBeenCalled();
    told.mockRestore();
  });

  it("is never set back by a record that comes late", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop(), "a");
    await isListed(shop(), threadId, { message_count: 1 });
    await rowsOf(
      shop(),
      "update support_conversations set revision = 1000, message_count = 7 where id = ?",
      threadId,
    );
    await say(customer, "b");
    vi.setSystemTime(Date.now() + minute);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop(), threadId)).toMatchObject({ message_count: 7 });
  });
});
