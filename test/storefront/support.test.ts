import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { contentsOf, givenConversation, say } from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { claimsOf, cookieIn } from "../support/sessions.ts";
import { type Answer, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const open = () => ask("POST", "/support/conversation");
const read = (query = "") => ask("GET", `/support/conversation/messages${query}`);
const bad = (code: string) => ({ status: 400, body: { success: false, error: { code } } });

describe("POST /support/conversation", () => {
  it("begins the session's conversation, and a session where there is none", async () => {
    const answer = await open();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("__Host-session=");
    expect(dataOf(answer)).toEqual({
      conversation: {
        id: expect.stringMatching(/^thr_[0-9a-z]{26}$/),
        status: "open",
        ai_enabled: false,
        message_count: 0,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        last_message_at: null,
      },
      messages: [],
    });
  });

  it("finds it again: there is one for a session, however many ask at once", async () => {
    const first = dataOf(await open()).conversation;
    const answers = await Promise.all([1, 2, 3].map(open));
    expect(answers.map((answer) => dataOf(answer).conversation.id)).toEqual(
      [1, 2, 3].map(() => first.id),
    );
    expect(dataOf(await shopper(shop)("POST", "/support/conversation")).conversation.id).not.toBe(
      first.id,
    );
  });

  it("is begun behind the answer for a session that was there before, at one hop", async () => {
    await ask("GET", "/cart");
    const answer = await open();
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 1 });
    const { id, created_at } = dataOf(answer).conversation;
    await expect
      .poll(() => env.SUPPORT_CONVERSATION.getByName(id).read(shop.business.id, latest))
      .toMatchObject({ ok: true });
    expect(dataOf(await open()).conversation).toMatchObject({ id, created_at });
  });

  it("answers with the latest 50 messages, in the order that they were said", async () => {
    const { ask, object } = await givenConversation(shop, "first");
    const agent = { businessId: shop.business.id, keyId: "key_test" };
    for (let number = 0; number < 52; number += 1) {
      const draft = { clientId: null, attachments: [], requestKey: null };
      await object.postAsAgent(agent, { content: `${number}`, ...draft });
    }
    const page = dataOf(await ask("POST", "/support/conversation"));
    expect(contentsOf(page.messages)).toEqual(Array.from({ length: 50 }, (_, at) => `${at + 2}`));
    expect(page.conversation).toMatchObject({
      message_count: 53,
      last_message_at: page.messages[49].created_at,
    });
  });

  it("costs no query and one hop, with a message and a poll as well", async () => {
    await open();
    for (const asked of [open, () => say(ask, "Hello"), () => read()])
      expect(roundTrips(await asked())).toMatchObject({ d1: 0, do: 1 });
  });
});

const latest = { after: null, limit: 50 };

describe("POST /support/conversation/messages", () => {
  it("stores what the shopper says, trimmed", async () => {
    const answer = await say(ask, "  Where is my order?\n", "c-1");
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      id: expect.stringMatching(/^msg_/),
      sender_type: "customer",
      content: "Where is my order?",
      content_type: "text",
      attachments: [],
      metadata: {},
      client_id: "c-1",
      created_at: expect.stringMatching(/Z$/),
    });
    expect(dataOf(await read())).toEqual([dataOf(answer)]);
    expect(dataOf(await open()).conversation).toMatchObject({
      message_count: 1,
      last_message_at: dataOf(answer).created_at,
    });
  });

  it.each(["", "  \n ", "x".repeat(4_001)])(
    "is 400 BAD_REQUEST for content it cannot be",
    async (content) => {
      await open();
      expect(await say(ask, content)).toMatchObject(bad("BAD_REQUEST"));
      expect(dataOf(await read())).toEqual([]);
    },
  );

  it("takes 4,000 characters, whatever they take up", async () => {
    const content = "🫖".repeat(4_000);
    expect(dataOf(await say(ask, ` ${content} `)).content).toBe(content);
  });

  it.each([
    [{ client_id: "c" }, "content"],
    [{ content: 7, client_id: "c" }, "content"],
    [{ content: "a\u0007b", client_id: "c" }, "content"],
    [{ content: "Hello" }, "client_id"],
    [{ content: "Hello", client_id: "" }, "client_id"],
    [{ content: "Hello", client_id: "c".repeat(201) }, "client_id"],
  ])("is 400 for %j, naming %s", async (body, field) => {
    const answer = await ask("POST", "/support/conversation/messages", { body });
    expect(answer).toMatchObject(bad("VALIDATION_ERROR"));
    expect(Object(answer.body).error.context.field).toBe(field);
  });

  it("is 409 for a client_id that was accepted before, with the first message", async () => {
    const first = dataOf(await say(ask, "Hello", "c-1"));
    const again = await say(ask, "Hello again", "c-1");
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false, context: { message: first } } },
    });
    expect(dataOf(await read())).toEqual([first]);
    expect(await say(shopper(shop), "Hello", "c-1")).toMatchObject({ status: 200 });
  });

  it("accepts a client_id once of many at once", async () => {
    await open();
    const answers = await Promise.all([1, 2, 3, 4].map(() => say(ask, "Hello", "c-1")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(dataOf(await read())).toHaveLength(1);
  });

  it("is 422 in a conversation that is full; the business can answer yet, and is full in turn", async () => {
    const { ask, object, threadId } = await givenConversation(shop, "Hello");
    const filledTo = (count: number) =>
      runInDurableObject(object, (_, { storage }) => {
        storage.sql.exec(
          "update conversation set record = json_set(record, '$.messageCount', ?)",
          count,
        );
      });
    await filledTo(1_999);
    expect(await say(ask, "The last", "c-last")).toMatchObject({ status: 200 });
    const full = {
      status: 422,
      body: {
        error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "CONVERSATION_FULL" } },
      },
    };
    expect(await say(ask, "One more")).toMatchObject(full);
    expect(await say(ask, "The last", "c-last")).toMatchObject({ status: 409 });
    const answer = () =>
      merchant(shop)("POST", `/conversations/${threadId}/messages`, { body: { content: "Bye" } });
    expect(await answer()).toMatchObject({ status: 201 });
    await filledTo(4_000);
    expect(await answer()).toMatchObject(full);
    expect(contentsOf(dataOf(await ask("GET", "/support/conversation/messages")))).toEqual([
      "Hello",
      "The last",
      "Bye",
    ]);
  });

  it("takes a client_id again whose message was refused", async () => {
    await say(ask, " ", "c-1");
    expect(await say(ask, "Hello", "c-1")).toMatchObject({ status: 200 });
  });

  it("gives no two messages the same time, though the clock stand still or go back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.parse("2030-01-01T00:00:00.500Z");
    const times: string[] = [];
    for (const at of [now, now, now - 60_000, now + 2]) {
      vi.setSystemTime(at);
      times.push(dataOf(await say(ask, "Hello")).created_at);
    }
    expect(times).toEqual([500, 501, 502, 503].map((ms) => `2030-01-01T00:00:00.${ms}Z`));
  });
});

describe("GET /support/conversation/messages", () => {
  it("is empty without a conversation, and begins none", async () => {
    const answer = await read();
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: [] } });
  });

  it("gives what came after a moment, the earliest first, never skipping one", async () => {
    for (const content of ["a", "b", "c", "d", "e"]) await say(ask, content);
    const all = dataOf(await read());
    expect(contentsOf(all)).toEqual(["a", "b", "c", "d", "e"]);
    const found: string[] = [];
    for (let after = ""; ; ) {
      const page = dataOf(await read(`?limit=2${after}`));
      if (page.length === 0) break;
      found.push(...contentsOf(page));
      after = `&after=${encodeURIComponent(page.at(-1).created_at)}`;
    }
    expect(found).toEqual(contentsOf(all));
    const inOffset = all[2].created_at.replace("Z", "+00:00");
    for (const after of [encodeURIComponent(inOffset), inOffset])
      expect(contentsOf(dataOf(await read(`?after=${after}`)))).toEqual(["d", "e"]);
  });

  it("gives 50 unless told otherwise", async () => {
    for (let number = 0; number < 51; number += 1) await say(ask, `${number}`);
    expect(dataOf(await read())).toHaveLength(50);
    expect(dataOf(await read("?limit=100"))).toHaveLength(51);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?limit=many", "limit"],
    ["?after=yesterday", "after"],
  ])("is 400 for %s", async (query, field) => {
    const answer = await read(query);
    expect(answer).toMatchObject(bad("VALIDATION_ERROR"));
    expect(Object(answer.body).error.context.field).toBe(field);
  });
});

describe("a conversation", () => {
  const asPlanter = (cookie: string | null) => shopper(shop, cookie);
  const idOf = (answer: Answer) => dataOf(answer).conversation.id;

  it("is its session's alone: another session, or another business, has another", async () => {
    const { cookie, threadId } = await givenConversation(shop, "secret");
    const neighbour = await givenBusiness();
    for (const other of [shopper(shop), shopper(neighbour, cookie)]) {
      const answer = await other("POST", "/support/conversation");
      expect(idOf(answer)).not.toBe(threadId);
      expect(dataOf(answer).messages).toEqual([]);
    }
    expect(dataOf(await asPlanter(cookie)("GET", "/support/conversation/messages"))).toHaveLength(
      1,
    );
  });

  it("is not reached by a cookie that was tampered with", async () => {
    const { cookie, threadId } = await givenConversation(shop, "secret");
    const forged = await asPlanter(`${cookie}x`)("POST", "/support/conversation");
    expect(idOf(forged)).not.toBe(threadId);
  });

  it("renews the session's cookie as it is used, and no other", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await say(ask, "Hello");
    vi.setSystemTime(Date.now() + 2 * day);
    const renewed = await say(ask, "Still there?");
    expect(renewed).toMatchObject({ status: 200 });
    expect(claimsOf(cookieIn(renewed))).toMatchObject({ gen: 0 });
  });
});
