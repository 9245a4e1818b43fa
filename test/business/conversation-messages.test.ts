import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import {
  contentsOf,
  givenConversation,
  isListed,
  say,
  shoppersEnd,
} from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { roundTrips } from "../support/world.ts";
import { inbox } from "./inbox.ts";

const { shop, one, answerTo, close } = inbox();

describe("POST /conversations/{thread_id}/messages", () => {
  it("is 201, and arrives at the shopper's socket", async () => {
    const { threadId, cookie } = await givenConversation(shop(), "Where is it?");
    const end = await shoppersEnd(shop(), cookie);
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
    const { threadId, cookie, object } = await givenConversation(shop(), "Where is it?");
    const end = await shoppersEnd(shop(), cookie);
    await end.next("resync");
    const inObject = (statement: string) =>
      runInDurableObject(object, (_, { storage }) => storage.sql.exec(statement).toArray());
    await inObject(`create trigger refuse before insert on audit_entries
      begin select raise(abort, 'no'); end`);
    const agent = { businessId: shop().business.id, keyId: "key_test" };
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
    const { threadId } = await givenConversation(shop(), "Hello");
    await close(threadId);
    const { id } = dataOf(await answerTo(threadId, { content: "One more thing" }));
    expect(dataOf(await one(threadId)).conversation).toMatchObject({ status: "closed" });
    await isListed(shop(), threadId, { message_count: 2 });
    expect(await auditedActions(shop())).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
    const [entry] = await rowsOf(
      shop(),
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
    const { threadId } = await givenConversation(shop(), "Hello");
    const answer = await answerTo(threadId, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code, context: { field } } } });
    expect(dataOf(await one(threadId)).messages).toHaveLength(1);
  });

  it("is 409 for a client_id that was accepted on the thread", async () => {
    const { threadId } = await givenConversation(shop(), "Hello");
    const first = dataOf(await answerTo(threadId, { content: "a", client_id: "m-1" }));
    expect(await answerTo(threadId, { content: "b", client_id: "m-1" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", context: { message: first } } },
    });
  });

  it("is said once under an Idempotency-Key, though the answer was lost", async () => {
    const { threadId } = await givenConversation(shop(), "Hello");
    const headers = { "Idempotency-Key": "key-1" };
    const first = await answerTo(threadId, { content: "a" }, headers);
    const again = await answerTo(threadId, { content: "a" }, headers);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    // As after a crash between the message and the keeping of its answer.
    await rowsOf(shop(), "delete from idempotency_keys where business_id = ?", shop().business.id);
    expect((await answerTo(threadId, { content: "a" }, headers)).body).toEqual(first.body);
    expect(dataOf(await one(threadId)).messages).toHaveLength(2);
  });
});

describe("POST /conversations/{thread_id}/close", () => {
  it("closes, once however often, and tells the sockets; a new message reopens", async () => {
    const { ask: customer, threadId, cookie } = await givenConversation(shop(), "Hello");
    const end = await shoppersEnd(shop(), cookie);
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
    await isListed(shop(), threadId, { status: "open", message_count: 2 });
    expect(await auditedActions(shop())).toEqual(["conversation.closed"]);
    end.hangUp();
  });
});
