import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createConversation, sendMessage } from "../support/create-conversation.ts";
import { eraseCustomer } from "../support/create-customer.ts";
import { runHousekeeping } from "../support/cron.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn } from "../support/sessions.ts";
import { call, createBusiness, dataOf, merchant } from "../support/world.ts";

const copies = holdListSyncs();
let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

type OutboxEvent = Readonly<{ id: string; content: string | null; customer_id: string | null }>;

async function listMessageEvents(): Promise<OutboxEvent[]> {
  const rows = await selectRows(
    shop,
    "select id, data from events where business_id = ? and type = 'support.message_created' order by id",
    shop.business.id,
  );
  return rows.map(({ id, data }) => ({ id, ...JSON.parse(String(data)) }));
}

type Conversation = Awaited<ReturnType<typeof createConversation>>;

const copyNow = ({ object }: Pick<Conversation, "object">) => copies.run(object);
const objectOf = (threadId: string) => env.SUPPORT_CONVERSATION.getByName(threadId);
const listContents = async () => (await listMessageEvents()).map(({ content }) => content);

describe("support.message_created", () => {
  it("reports a message of the shopper and one of the agent, as the conversation shows them", async () => {
    const conversation = await createConversation(shop, "Do you deliver?");
    const attachments = [{ url: "https://cdn.example.com/a.png", filename: "a.png" }];
    const reply = await merchant(shop)("POST", `/conversations/${conversation.threadId}/messages`, {
      body: { content: "We do.", attachments },
    });
    await copyNow(conversation);
    const [question, answer] = dataOf(
      await conversation.ask("GET", "/support/conversation/messages"),
    );
    const shared = { id: expect.any(String), conversation_id: conversation.threadId };
    expect(await listMessageEvents()).toEqual([
      {
        ...shared,
        message_id: question.id,
        sender_type: "customer",
        content: "Do you deliver?",
        attachment_count: 0,
        customer_id: null,
        created_at: question.created_at,
      },
      {
        ...shared,
        message_id: dataOf(reply).id,
        sender_type: "agent",
        content: "We do.",
        attachment_count: 1,
        customer_id: null,
        created_at: answer.created_at,
      },
    ]);
  });

  it("names the customer when the shopper is logged in", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const { conversation } = dataOf(await ask("POST", "/support/conversation"));
    await sendMessage(ask, "Hello");
    await copies.run(objectOf(conversation.id));
    expect(await listMessageEvents()).toMatchObject([{ customer_id: customerId }]);
  });

  it("is recorded once for a repeated request and for a used client_id", async () => {
    const conversation = await createConversation(shop);
    const send = (headers: Record<string, string>) =>
      conversation.ask("POST", "/support/conversation/messages", {
        body: { content: "Hello", client_id: "one" },
        headers,
      });
    await send({ "Idempotency-Key": "key-1" });
    await send({ "Idempotency-Key": "key-1" });
    expect((await send({})).status).toBe(409);
    await copyNow(conversation);
    expect(await listMessageEvents()).toHaveLength(1);
  });

  it("is recorded after an eviction, and once when the object forgets that it was", async () => {
    const conversation = await createConversation(shop, "Hello");
    const { object } = conversation;
    const pending = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("select id, event from pending_events").toArray(),
    );
    expect(pending).toHaveLength(1);
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    expect(await listMessageEvents()).toHaveLength(1);
    // As after a crash between the copy and the deletion of what was copied.
    await runInDurableObject(object, (_, { storage }) => {
      for (const { id, event } of pending)
        storage.sql.exec("insert into pending_events (id, event) values (?, ?)", id, event);
    });
    await sendMessage(conversation.ask, "Anybody there?");
    await copies.evict(object);
    await runDurableObjectAlarm(object);
    expect(await listContents()).toEqual(["Hello", "Anybody there?"]);
  });

  it("is recorded for every message of a long conversation", async () => {
    const { object } = await createConversation(shop);
    const agent = { businessId: shop.business.id, keyId: "key_test" };
    const draft = { content: "x".repeat(4_000), clientId: null, attachments: [], requestKey: null };
    for (let number = 0; number < 60; number += 1) await object.postAsAgent(agent, draft);
    await copies.run(object);
    await copies.run(object);
    expect(await listMessageEvents()).toHaveLength(60);
  });

  it("is not recorded once the customer was erased before the message was copied", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const { conversation } = dataOf(await ask("POST", "/support/conversation"));
    await sendMessage(ask, "My secret");
    await eraseCustomer(shop, customerId);
    await copies.run(objectOf(conversation.id));
    expect(await listMessageEvents()).toEqual([]);
    await runHousekeeping();
    await copies.run(objectOf(conversation.id));
    expect(await listMessageEvents()).toEqual([]);
  });

  it("loses its content when the customer becomes known only after the erasure", async () => {
    const conversation = await createConversation(shop, "I am Ama");
    await copyNow(conversation);
    const { id } = dataOf(await logIn(conversation.ask, "+233241234567")).customer;
    await conversation.ask("GET", "/support/conversation/messages");
    await eraseCustomer(shop, id);
    await copyNow(conversation);
    await runHousekeeping();
    expect(await listContents()).toEqual([null]);
  });

  it("loses its content with the erasure, and is not sent any more", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const { conversation } = dataOf(await ask("POST", "/support/conversation"));
    const created = await call("POST", "/api/v1/webhooks", {
      headers: { "X-API-Key": shop.keys.secret },
      body: { url: "https://hooks.example.com/a", events: ["support.message_created"] },
    });
    expect(created.status).toBe(200);
    await sendMessage(ask, "My secret");
    await copies.run(objectOf(conversation.id));
    await sendMessage(ask, "Another secret");
    await copies.run(objectOf(conversation.id));
    const [first, second] = await listMessageEvents();
    await selectRows(
      shop,
      `insert into webhook_deliveries (id, business_id, subscription_id, event_id, status, attempts, next_attempt_at, created_at)
         values ('dlv_1', ?1, ?2, ?3, 'pending', '[]', 1, 1), ('dlv_2', ?1, ?2, ?4, 'delivered', '[]', null, 1)`,
      shop.business.id,
      dataOf(created).id,
      first?.id,
      second?.id,
    );
    await eraseCustomer(shop, customerId);
    expect(await listMessageEvents()).toMatchObject([{ content: null }, { content: null }]);
    const deliveries = await selectRows(
      shop,
      "select status, next_attempt_at from webhook_deliveries where business_id = ? order by id",
      shop.business.id,
    );
    expect(deliveries).toEqual([
      { status: "failed", next_attempt_at: null },
      { status: "delivered", next_attempt_at: null },
    ]);
    const waiting = await selectRows(
      shop,
      "select id from events where business_id = ? and type = 'support.message_created' and dispatched_at is null",
      shop.business.id,
    );
    expect(waiting).toEqual([]);
  });
});
