import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  contentsOf,
  givenConversation,
  indexedRow,
  isListed,
  say,
  shoppersEnd,
} from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { givenBusiness, merchant, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
});

const list = async (query = "") => dataOf(await ask("GET", `/conversations${query}`));
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
const one = (threadId: string, query = "") => ask("GET", `/conversations/${threadId}${query}`);
const answerTo = (threadId: string, body: object, headers: Record<string, string> = {}) =>
  ask("POST", `/conversations/${threadId}/messages`, { body, headers });
const close = (threadId: string) => ask("POST", `/conversations/${threadId}/close`);

describe("GET /conversations", () => {
  it("lists the business's conversations, whose last message is the latest first", async () => {
    const [first, second] = [await givenConversation(shop, "a"), await givenConversation(shop)];
    const third = await givenConversation(shop, "c");
    const last = await say(first.ask, "d");
    for (const [{ threadId }, count] of [
      [first, 2],
      [second, 0],
      [third, 1],
    ] as const)
      await isListed(shop, threadId, { message_count: count });
    const page = await list();
    expect(idsOf(page)).toEqual([first, third, second].map(({ threadId }) => threadId));
    expect(page.items[0]).toEqual({
      id: first.threadId,
      status: "open",
      ai_enabled: false,
      message_count: 2,
      customer_id: null,
      created_at: expect.stringMatching(/Z$/),
      last_message_at: dataOf(last).created_at,
    });
    expect(roundTrips(await ask("GET", "/conversations"))).toMatchObject({ d1: 1, do: 0 });
  });

  it("goes on with its cursor, and filters by status", async () => {
    const all = [];
    for (const content of ["a", "b", "c"]) all.unshift(await givenConversation(shop, content));
    for (const { threadId } of all) await isListed(shop, threadId, { message_count: 1 });
    const first = await list("?limit=2");
    expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
    const second = await list(`?limit=2&cursor=${first.pagination.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all.map(({ threadId }) => threadId));
    const [{ threadId } = { threadId: "" }] = all;
    await close(threadId);
    await isListed(shop, threadId, { status: "closed" });
    expect(idsOf(await list("?status=closed"))).toEqual([threadId]);
    expect(idsOf(await list("?status=open"))).toHaveLength(2);
    expect(await ask("GET", "/conversations?status=lost")).toMatchObject({ status: 400 });
    expect(await ask("GET", "/conversations?cursor=bm8=")).toMatchObject({ status: 400 });
  });

  it("shows whose conversation it is", async () => {
    const { ask: customer, customerId } = await loggedInShopper(shop);
    await say(customer, "Hello");
    const { id } = dataOf(await customer("POST", "/support/conversation")).conversation;
    await isListed(shop, id, { customer_id: customerId });
    expect((await list()).items).toMatchObject([{ id, customer_id: customerId }]);
  });

  it.each([
    ["", "support_conversations_by_activity (business_id=? AND (active_at,id)<(?,?))"],
    [
      "status = 'open' and ",
      "support_conversations_by_status (business_id=? AND status=? AND (active_at,id)<(?,?))",
    ],
  ])("is served by an index (%s)", async (condition, index) => {
    const plan = await rowsOf(
      shop,
      `explain query plan select * from support_conversations where business_id = ? and ${condition}
         (active_at, id) < (?, ?) order by active_at desc, id desc limit 20`,
      shop.business.id,
      1,
      "thr_1",
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      `SEARCH support_conversations USING INDEX ${index}`,
    ]);
  });
});

describe("the list", () => {
  /** How often the conversation's row was written since. */
  async function countedCopies(threadId: string) {
    const [log, trigger] = [`copies_of_${threadId}`, `count_${threadId}`];
    await rowsOf(shop, `create table ${log} (revision integer)`);
    await rowsOf(
      shop,
      `create trigger ${trigger} after update on support_conversations
         when new.id = '${threadId}' begin insert into ${log} values (new.revision); end`,
    );
    return {
      count: async () => (await rowsOf(shop, `select * from ${log}`)).length,
      async end() {
        await rowsOf(shop, `drop trigger ${trigger}`);
        await rowsOf(shop, `drop table ${log}`);
      },
    };
  }

  it("is written to once for many messages, within seconds and without an alarm", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop);
    await isListed(shop, threadId, { message_count: 0 });
    const copies = await countedCopies(threadId);
    for (let number = 0; number < 12; number += 1) await say(customer, `${number}`);
    await expect
      .poll(() => indexedRow(shop, threadId), { timeout: 5_000 })
      .toMatchObject({ message_count: 12 });
    expect(await copies.count()).toBe(1);
    await expect.poll(() => runDurableObjectAlarm(object)).toBe(false); // there is nothing left to do
    await copies.end();
  });

  it("follows a conversation whose object dies after any of its changes", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop);
    const changes = [
      [() => say(customer, "a"), { message_count: 1, status: "open" }],
      [() => close(threadId), { message_count: 1, status: "closed" }],
      [() => answerTo(threadId, { content: "b" }), { message_count: 2, status: "closed" }],
      [() => say(customer, "c"), { message_count: 3, status: "open" }],
    ] as const;
    for (const [change, row] of changes) {
      await change();
      await evictDurableObject(object);
      expect(await runDurableObjectAlarm(object)).toBe(true);
      expect(await indexedRow(shop, threadId)).toMatchObject(row);
    }
    expect(await auditedActions(shop)).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
  });

  it("has every entry of the audit trail, however many are behind", async () => {
    const { threadId, object } = await givenConversation(shop, "Hello");
    const agent = { businessId: shop.business.id, keyId: "key_test" };
    const draft = { content: "Good day", clientId: null, attachments: [], requestKey: null };
    for (let number = 0; number < 105; number += 1) await object.postAsAgent(agent, draft);
    await evictDurableObject(object);
    await runDurableObjectAlarm(object);
    await isListed(shop, threadId, { message_count: 106 });
    await expect
      .poll(async () => {
        await runDurableObjectAlarm(object);
        return (await auditedActions(shop)).length;
      })
      .toBe(105);
  });

  it("wakes the object no earlier for messages while a socket is open: its ping does the rest", async () => {
    const { ask: customer, threadId, cookie, object } = await givenConversation(shop, "a");
    await isListed(shop, threadId, { message_count: 1 });
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    const before = await alarm();
    await say(customer, "b");
    await say(customer, "c");
    expect(await alarm()).toBe(before);
    await evictDurableObject(object);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop, threadId)).toMatchObject({ message_count: 3 });
    end.hangUp();
  });

  it("follows a conversation whatever the database does meanwhile", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { ask: customer, threadId, object } = await givenConversation(shop, "a");
    await isListed(shop, threadId, { message_count: 1 });
    await rowsOf(
      shop,
      `create trigger refuse_${threadId} before update on support_conversations
         when new.id = '${threadId}' begin select raise(abort, 'no'); end`,
    );
    expect(await say(customer, "b")).toMatchObject({ status: 200 });
    await close(threadId);
    await runDurableObjectAlarm(object);
    expect(told.mock.calls.join()).toContain("alarm handler failed");
    expect(await indexedRow(shop, threadId)).toMatchObject({ message_count: 1, status: "open" });
    await rowsOf(shop, `drop trigger refuse_${threadId}`);
    vi.setSystemTime(Date.now() + 2 * minute);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop, threadId)).toMatchObject({ message_count: 2, status: "closed" });
    expect(await auditedActions(shop)).toEqual(["conversation.closed"]);
    told.mockRestore();
  });

  it("is never set back by a record that comes late", async () => {
    const { ask: customer, threadId, object } = await givenConversation(shop, "a");
    await isListed(shop, threadId, { message_count: 1 });
    await rowsOf(
      shop,
      "update support_conversations set revision = 1000, message_count = 7 where id = ?",
      threadId,
    );
    await say(customer, "b");
    vi.setSystemTime(Date.now() + minute);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop, threadId)).toMatchObject({ message_count: 7 });
  });
});

describe("GET /conversations/{thread_id}", () => {
  it("shows the conversation with its latest messages, at one hop", async () => {
    const { threadId } = await givenConversation(shop, "a", "b");
    const answer = await one(threadId);
    expect(dataOf(answer)).toMatchObject({
      conversation: { id: threadId, message_count: 2, customer_id: null },
      messages: [{ content: "a" }, { content: "b" }],
    });
    expect(contentsOf(dataOf(await one(threadId, "?limit=1")).messages)).toEqual(["b"]);
    const after = dataOf(answer).messages[0].created_at;
    expect(contentsOf(dataOf(await one(threadId, `?after=${after}`)).messages)).toEqual(["b"]);
    expect(contentsOf(dataOf(await one(threadId, "?after=1970-01-01T00:00:00Z")).messages)).toEqual(
      ["a", "b"],
    );
    expect(roundTrips(await one(threadId))).toMatchObject({ d1: 0, do: 1 });
  });

  it("is 404 for another business's conversation as for nobody's, on every call", async () => {
    const { threadId } = await givenConversation(shop, "a");
    const neighbour = merchant(await givenBusiness());
    const unknown = `${threadId.slice(0, -4)}0000`;
    for (const id of [threadId, unknown, "thr_1", "x"])
      for (const [method, path, options] of [
        ["GET", "", {}],
        ["POST", "/messages", { body: { content: "Hello" } }],
        ["POST", "/close", {}],
      ] as const)
        expect(await neighbour(method, `/conversations/${id}${path}`, options)).toMatchObject({
          status: 404,
          body: { error: { code: "NOT_FOUND", message: "No such conversation." } },
        });
    expect(dataOf(await one(threadId)).conversation).toMatchObject({ status: "open" });
  });
});

describe("POST /conversations/{thread_id}/messages", () => {
  it("is 201, and arrives at the shopper's socket", async () => {
    const { threadId, cookie } = await givenConversation(shop, "Where is it?");
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    const body = {
      content: " Here ",
      attachments: [{ url: "https://cdn.example/map.png", filename: "map.png", size_bytes: 10 }],
    };
    await one(threadId); // from here on the key is known to the isolate
    const answer = await answerTo(threadId, body);
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      sender_type: "agent",
      content: "Here",
      client_id: null,
      attachments: [
        {
          url: "https://cdn.example/map.png",
          filename: "map.png",
          content_type: null,
          size_bytes: 10,
        },
      ],
    });
    expect(await end.next("message")).toEqual({ type: "message", message: dataOf(answer) });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 }); // whether the socket's key stands
    expect(roundTrips(await answerTo(threadId, body))).toMatchObject({ d1: 0, do: 1 });
    end.hangUp();
  });

  it("is stored with its audit entry or not at all, and tells nobody what was not stored", async () => {
    const { threadId, cookie, object } = await givenConversation(shop, "Where is it?");
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    const inObject = (statement: string) =>
      runInDurableObject(object, (_, { storage }) => storage.sql.exec(statement).toArray());
    await inObject(`create trigger refuse before insert on audit_entries
      begin select raise(abort, 'no'); end`);
    const agent = { businessId: shop.business.id, keyId: "key_test" };
    const draft = { content: "Lost", clientId: null, attachments: [], requestKey: null };
    await runInDurableObject(object, async (conversation) => {
      expect(conversation).toBeInstanceOf(SupportConversation);
      if (conversation instanceof SupportConversation)
        await expect(conversation.postAsAgent(agent, draft)).rejects.toThrow("no");
    });
    await inObject("drop trigger refuse");
    expect(contentsOf(dataOf(await one(threadId)).messages)).toEqual(["Where is it?"]);
    await answerTo(threadId, { content: "Here" });
    expect(await end.next("message")).toMatchObject({ message: { content: "Here" } });
    end.hangUp();
  });

  it("leaves a closed conversation closed, and an audit entry without what was said", async () => {
    const { threadId } = await givenConversation(shop, "Hello");
    await close(threadId);
    const { id } = dataOf(await answerTo(threadId, { content: "One more thing" }));
    expect(dataOf(await one(threadId)).conversation).toMatchObject({ status: "closed" });
    await isListed(shop, threadId, { message_count: 2 });
    expect(await auditedActions(shop)).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
    const [entry] = await rowsOf(
      shop,
      "select * from audit_entries where entity = ? and action like '%sent'",
      threadId,
    );
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^key_/), before: null });
    expect(entry?.after).toBe(JSON.stringify({ message_id: id }));
  });

  it.each([
    [{ content: "" }, "BAD_REQUEST", "content"],
    [{ content: "x".repeat(4_001) }, "BAD_REQUEST", "content"],
    [{}, "VALIDATION_ERROR", "content"],
    [{ content: "a", client_id: "" }, "VALIDATION_ERROR", "client_id"],
    [{ content: "a", attachments: [{}] }, "VALIDATION_ERROR", "attachments.0.url"],
    [
      { content: "a", attachments: [{ url: "javascript:alert(1)" }] },
      "VALIDATION_ERROR",
      "attachments.0.url",
    ],
    [
      { content: "a", attachments: Array.from({ length: 11 }, () => ({ url: "/a" })) },
      "VALIDATION_ERROR",
      "attachments",
    ],
  ])("is 400 for %j", async (body, code, field) => {
    const { threadId } = await givenConversation(shop, "Hello");
    const answer = await answerTo(threadId, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code, context: { field } } } });
    expect(dataOf(await one(threadId)).messages).toHaveLength(1);
  });

  it("is 409 for a client_id that was accepted on the thread", async () => {
    const { threadId } = await givenConversation(shop, "Hello");
    const first = dataOf(await answerTo(threadId, { content: "a", client_id: "m-1" }));
    expect(await answerTo(threadId, { content: "b", client_id: "m-1" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", context: { message: first } } },
    });
  });

  it("is said once under an Idempotency-Key, though the answer was lost", async () => {
    const { threadId } = await givenConversation(shop, "Hello");
    const headers = { "Idempotency-Key": "key-1" };
    const first = await answerTo(threadId, { content: "a" }, headers);
    const again = await answerTo(threadId, { content: "a" }, headers);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    // As after a crash between the message and the keeping of its answer.
    await rowsOf(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect((await answerTo(threadId, { content: "a" }, headers)).body).toEqual(first.body);
    expect(dataOf(await one(threadId)).messages).toHaveLength(2);
  });
});

describe("POST /conversations/{thread_id}/close", () => {
  it("closes, once however often, and tells the sockets; a new message reopens", async () => {
    const { ask: customer, threadId, cookie } = await givenConversation(shop, "Hello");
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    const answer = await close(threadId);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id: threadId, status: "closed" } },
    });
    expect(await end.next("conversation")).toMatchObject({ conversation: { status: "closed" } });
    expect((await close(threadId)).body).toEqual(answer.body);
    await say(customer, "Wait");
    await end.next("message");
    expect(await end.next("conversation")).toMatchObject({
      conversation: { status: "open", message_count: 2 },
    });
    await isListed(shop, threadId, { status: "open", message_count: 2 });
    expect(await auditedActions(shop)).toEqual(["conversation.closed"]);
    end.hangUp();
  });
});
