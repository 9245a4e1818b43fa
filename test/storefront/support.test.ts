import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { contentsOf, createConversation, sendMessage } from "../support/create-conversation.ts";
import { parseCookieClaims, sessionCookieOf } from "../support/sessions.ts";
import {
  type ApiResponse,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const openConversation = () => ask("POST", "/support/conversation");
const readMessages = (query = "") => ask("GET", `/support/conversation/messages${query}`);
const bad = (code: string) => ({ status: 400, body: { success: false, error: { code } } });

describe("POST /support/conversation", () => {
  it("creates the conversation, and a session when there is none", async () => {
    const answer = await openConversation();
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

  it("returns the same conversation to concurrent requests", async () => {
    const first = dataOf(await openConversation()).conversation;
    const answers = await Promise.all([1, 2, 3].map(openConversation));
    expect(answers.map((answer) => dataOf(answer).conversation.id)).toEqual(
      [1, 2, 3].map(() => first.id),
    );
    expect(dataOf(await shopper(shop)("POST", "/support/conversation")).conversation.id).not.toBe(
      first.id,
    );
  });

  it("creates the conversation of an existing session after the response", async () => {
    await ask("GET", "/cart");
    const answer = await openConversation();
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 1 });
    const { id, created_at } = dataOf(answer).conversation;
    await expect
      .poll(() => env.SUPPORT_CONVERSATION.getByName(id).read(shop.business.id, latest))
      .toMatchObject({ ok: true });
    expect(dataOf(await openConversation()).conversation).toMatchObject({ id, created_at });
  });

  it("returns the latest 50 messages, oldest first", async () => {
    const { ask, object } = await createConversation(shop, "first");
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

  it("takes no query and one object call, as do posting and polling", async () => {
    await openConversation();
    for (const call of [openConversation, () => sendMessage(ask, "Hello"), () => readMessages()])
      expect(roundTrips(await call())).toMatchObject({ d1: 0, do: 1 });
  });
});

const latest = { after: null, limit: 50 };

describe("POST /support/conversation/messages", () => {
  it("stores the trimmed content", async () => {
    const answer = await sendMessage(ask, "  Where is my order?\n", "c-1");
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
    expect(dataOf(await readMessages())).toEqual([dataOf(answer)]);
    expect(dataOf(await openConversation()).conversation).toMatchObject({
      message_count: 1,
      last_message_at: dataOf(answer).created_at,
    });
  });

  it.each(["", "  \n ", "x".repeat(4_001)])(
    "refuses invalid content with 400 BAD_REQUEST",
    async (content) => {
      await openConversation();
      expect(await sendMessage(ask, content)).toMatchObject(bad("BAD_REQUEST"));
      expect(dataOf(await readMessages())).toEqual([]);
    },
  );

  it("accepts 4,000 characters of any size", async () => {
    const content = "🫖".repeat(4_000);
    expect(dataOf(await sendMessage(ask, ` ${content} `)).content).toBe(content);
  });

  it.each([
    [{ client_id: "c" }, "content"],
    [{ content: 7, client_id: "c" }, "content"],
    [{ content: "a\u0007b", client_id: "c" }, "content"],
    [{ content: "Hello" }, "client_id"],
    [{ content: "Hello", client_id: "" }, "client_id"],
    [{ content: "Hello", client_id: "c".repeat(201) }, "client_id"],
  ])("refuses %j and names %s", async (body, field) => {
    const answer = await ask("POST", "/support/conversation/messages", { body });
    expect(answer).toMatchObject(bad("VALIDATION_ERROR"));
    expect(Object(answer.body).error.context.field).toBe(field);
  });

  it("returns 409 with the first message for a repeated client_id", async () => {
    const first = dataOf(await sendMessage(ask, "Hello", "c-1"));
    const again = await sendMessage(ask, "Hello again", "c-1");
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false, context: { message: first } } },
    });
    expect(dataOf(await readMessages())).toEqual([first]);
    expect(await sendMessage(shopper(shop), "Hello", "c-1")).toMatchObject({ status: 200 });
  });

  it("accepts a client_id once from concurrent requests", async () => {
    await openConversation();
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendMessage(ask, "Hello", "c-1")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(dataOf(await readMessages())).toHaveLength(1);
  });

  it("returns 422 in a full conversation, where the business has a higher limit", async () => {
    const { ask, object, threadId } = await createConversation(shop, "Hello");
    const filledTo = (count: number) =>
      runInDurableObject(object, (_, { storage }) => {
        storage.sql.exec(
          "update conversation set record = json_set(record, '$.messageCount', ?)",
          count,
        );
      });
    await filledTo(1_999);
    expect(await sendMessage(ask, "The last", "c-last")).toMatchObject({ status: 200 });
    const full = {
      status: 422,
      body: {
        error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "CONVERSATION_FULL" } },
      },
    };
    expect(await sendMessage(ask, "One more")).toMatchObject(full);
    expect(await sendMessage(ask, "The last", "c-last")).toMatchObject({ status: 409 });
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

  it("accepts the client_id of a refused message again", async () => {
    await sendMessage(ask, " ", "c-1");
    expect(await sendMessage(ask, "Hello", "c-1")).toMatchObject({ status: 200 });
  });

  it("gives every message a later time, even if the clock stops or goes back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.parse("2030-01-01T00:00:00.500Z");
    const times: string[] = [];
    for (const at of [now, now, now - 60_000, now + 2]) {
      vi.setSystemTime(at);
      times.push(dataOf(await sendMessage(ask, "Hello")).created_at);
    }
    expect(times).toEqual([500, 501, 502, 503].map((ms) => `2030-01-01T00:00:00.${ms}Z`));
  });
});

describe("GET /support/conversation/messages", () => {
  it("is empty without a conversation and creates none", async () => {
    const answer = await readMessages();
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: [] } });
  });

  it("lists the messages after a time, oldest first, without gaps", async () => {
    for (const content of ["a", "b", "c", "d", "e"]) await sendMessage(ask, content);
    const all = dataOf(await readMessages());
    expect(contentsOf(all)).toEqual(["a", "b", "c", "d", "e"]);
    const contents: string[] = [];
    for (let after = ""; ; ) {
      const page = dataOf(await readMessages(`?limit=2${after}`));
      if (page.length === 0) break;
      contents.push(...contentsOf(page));
      after = `&after=${encodeURIComponent(page.at(-1).created_at)}`;
    }
    expect(contents).toEqual(contentsOf(all));
    const inOffset = all[2].created_at.replace("Z", "+00:00");
    for (const after of [encodeURIComponent(inOffset), inOffset])
      expect(contentsOf(dataOf(await readMessages(`?after=${after}`)))).toEqual(["d", "e"]);
  });

  it("returns 50 messages by default", async () => {
    for (let number = 0; number < 51; number += 1) await sendMessage(ask, `${number}`);
    expect(dataOf(await readMessages())).toHaveLength(50);
    expect(dataOf(await readMessages("?limit=100"))).toHaveLength(51);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?limit=many", "limit"],
    ["?after=yesterday", "after"],
  ])("refuses %s with 400", async (query, field) => {
    const answer = await readMessages(query);
    expect(answer).toMatchObject(bad("VALIDATION_ERROR"));
    expect(Object(answer.body).error.context.field).toBe(field);
  });
});

describe("a conversation", () => {
  const asPlanter = (cookie: string | null) => shopper(shop, cookie);
  const idOf = (answer: ApiResponse) => dataOf(answer).conversation.id;

  it("belongs to one session of one business", async () => {
    const { cookie, threadId } = await createConversation(shop, "secret");
    const neighbour = await createBusiness();
    for (const other of [shopper(shop), shopper(neighbour, cookie)]) {
      const answer = await other("POST", "/support/conversation");
      expect(idOf(answer)).not.toBe(threadId);
      expect(dataOf(answer).messages).toEqual([]);
    }
    expect(dataOf(await asPlanter(cookie)("GET", "/support/conversation/messages"))).toHaveLength(
      1,
    );
  });

  it("is not accessible with a tampered cookie", async () => {
    const { cookie, threadId } = await createConversation(shop, "secret");
    const forged = await asPlanter(`${cookie}x`)("POST", "/support/conversation");
    expect(idOf(forged)).not.toBe(threadId);
  });

  it("renews only a confirmed session cookie", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await sendMessage(ask, "Hello");
    vi.setSystemTime(Date.now() + 2 * day);
    const renewed = await sendMessage(ask, "Still there?");
    expect(renewed).toMatchObject({ status: 200 });
    expect(parseCookieClaims(sessionCookieOf(renewed))).toMatchObject({ gen: 0 });
  });
});
