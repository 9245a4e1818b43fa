import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import {
  contentsOf,
  createConversation,
  openShopperSocket,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { dataOf, roundTrips } from "../support/world.ts";
import { setUpAgentInbox } from "./agent-inbox.ts";

const { shop, getConversation, replyTo, closeConversation } = setUpAgentInbox();

describe("POST /conversations/{thread_id}/messages", () => {
  it("returns 201 and reaches the shopper's socket", async () => {
    const { threadId, cookie } = await createConversation(shop(), "Where is it?");
    const end = await openShopperSocket(shop(), cookie);
    await end.nextFrame("resync");
    const body = {
      content: " Here ",
      attachments: [{ url: "https://cdn.example/map.png", filename: "map.png", size_bytes: 10 }],
    };
    await getConversation(threadId); // caches the API key
    const answer = await replyTo(threadId, body);
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
    expect(await end.nextFrame("message")).toEqual({ type: "message", message: dataOf(answer) });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 }); // one lookup: whether the socket's key is still valid
    expect(roundTrips(await replyTo(threadId, body))).toMatchObject({ d1: 0, do: 1 });
    end.disconnect();
  });

  it("stores the message and its audit entry together, and sends nothing that is not stored", async () => {
    const { threadId, cookie, object } = await createConversation(shop(), "Where is it?");
    const end = await openShopperSocket(shop(), cookie);
    await end.nextFrame("resync");
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
    expect(contentsOf(dataOf(await getConversation(threadId)).messages)).toEqual(["Where is it?"]);
    await replyTo(threadId, { content: "Here" });
    expect(await end.nextFrame("message")).toMatchObject({ message: { content: "Here" } });
    end.disconnect();
  });

  it("keeps a closed conversation closed and writes an audit entry without the content", async () => {
    const { threadId } = await createConversation(shop(), "Hello");
    await closeConversation(threadId);
    const { id } = dataOf(await replyTo(threadId, { content: "One more thing" }));
    expect(dataOf(await getConversation(threadId)).conversation).toMatchObject({
      status: "closed",
    });
    await waitUntilListed(shop(), threadId, { message_count: 2 });
    expect(await listAuditActions(shop())).toEqual([
      "conversation.closed",
      "conversation.message_sent",
    ]);
    const [entry] = await selectRows(
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
  ])("refuses %j with 400", async (body, code, field) => {
    const { threadId } = await createConversation(shop(), "Hello");
    const answer = await replyTo(threadId, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code, context: { field } } } });
    expect(dataOf(await getConversation(threadId)).messages).toHaveLength(1);
  });

  it("returns 409 for a client_id that was used in the conversation", async () => {
    const { threadId } = await createConversation(shop(), "Hello");
    const first = dataOf(await replyTo(threadId, { content: "a", client_id: "m-1" }));
    expect(await replyTo(threadId, { content: "b", client_id: "m-1" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", context: { message: first } } },
    });
  });

  it("posts once per Idempotency-Key when the response is lost", async () => {
    const { threadId } = await createConversation(shop(), "Hello");
    const headers = { "Idempotency-Key": "key-1" };
    const first = await replyTo(threadId, { content: "a" }, headers);
    const again = await replyTo(threadId, { content: "a" }, headers);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    // As after a crash between writing the message and storing the response.
    await selectRows(
      shop(),
      "delete from idempotency_keys where business_id = ?",
      shop().business.id,
    );
    expect((await replyTo(threadId, { content: "a" }, headers)).body).toEqual(first.body);
    expect(dataOf(await getConversation(threadId)).messages).toHaveLength(2);
  });
});

describe("POST /conversations/{thread_id}/close", () => {
  it("closes once and notifies the sockets; a customer's message reopens", async () => {
    const { ask: customer, threadId, cookie } = await createConversation(shop(), "Hello");
    const end = await openShopperSocket(shop(), cookie);
    await end.nextFrame("resync");
    const answer = await closeConversation(threadId);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id: threadId, status: "closed" } },
    });
    expect(await end.nextFrame("conversation")).toMatchObject({
      conversation: { status: "closed" },
    });
    expect((await closeConversation(threadId)).body).toEqual(answer.body);
    await sendMessage(customer, "Wait");
    await end.nextFrame("message");
    expect(await end.nextFrame("conversation")).toMatchObject({
      conversation: { status: "open", message_count: 2 },
    });
    await waitUntilListed(shop(), threadId, { status: "open", message_count: 2 });
    expect(await listAuditActions(shop())).toEqual(["conversation.closed"]);
    end.disconnect();
  });
});
