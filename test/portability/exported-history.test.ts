import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { runNextJob } from "../../shared/portability/index.ts";
import { createShopWithSale, expireBusinessCaches, openShard } from "../moves/create-move.ts";
import {
  createConversation,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import {
  createTransferContext,
  exportBusiness,
  parseFile,
  requestExport,
  runTransfers,
} from "./run-exports.ts";

const start = Date.parse("2031-04-05T06:00:00Z");

beforeEach(async () => {
  vi.setSystemTime(start);
  await env.CORE.exec("delete from portability_jobs"); // of earlier tests
});

type FileRow = Readonly<{ table: string; row: Readonly<Record<string, unknown>> }>;

const rowsOf = (rows: readonly FileRow[], table: string) =>
  rows.filter((row) => row.table === table).map(({ row }) => row);

const invitation = { email: "ama@example.com", name: "Ama", role: "owner" };

/** A shop with a member, an audit trail and a conversation. */
async function createShopWithHistory() {
  const shop = await createShopWithSale();
  expect((await merchant(shop)("POST", "/members", { body: invitation })).status).toBe(201);
  const { threadId } = await createConversation(shop, "Is the scarf silk?", "And is it red?");
  const body = { content: "It is both." };
  await merchant(shop)("POST", `/conversations/${threadId}/messages`, { body });
  await waitUntilListed(shop, threadId, { message_count: 3 });
  return { shop, threadId };
}

it("exports members, the audit trail, and conversations with their messages", async () => {
  const { shop, threadId } = await createShopWithHistory();
  const { rows, footer } = parseFile(await exportBusiness(shop));

  const [member] = rowsOf(rows, "members");
  expect(member).toMatchObject({ ...invitation, user_id: null, accepted_at: null });
  expect(rowsOf(rows, "audit_entries").map(({ action }) => action)).toEqual(
    expect.arrayContaining(["member.invited", "conversation.message_sent"]),
  );
  const [conversation] = rowsOf(rows, "support_conversations");
  expect(conversation).toMatchObject({ id: threadId, status: "open", message_count: 3 });
  const messages = rowsOf(rows, "support_messages");
  expect(messages.map((row) => [row.conversation_id, row.sender_type, row.content])).toEqual([
    [threadId, "customer", "Is the scarf silk?"],
    [threadId, "customer", "And is it red?"],
    [threadId, "agent", "It is both."],
  ]);
  expect(footer.tables).toMatchObject({
    members: 1,
    support_conversations: 1,
    support_messages: 3,
  });
});

it("imports none of them, so that a file gives nobody access", async () => {
  const { shop } = await createShopWithHistory();
  const text = await exportBusiness(shop);
  const target = await createBusiness();
  const options = { rawBody: text, headers: { "Content-Type": "application/x-ndjson" } };
  const { id } = dataOf(await merchant(target)("POST", "/imports/business", options));
  await runTransfers();
  expireBusinessCaches();
  const job = dataOf(await merchant(target)("GET", `/imports/business/${id}`));
  expect(job).toMatchObject({ status: "completed", error: null });
  expect(dataOf(await merchant(target)("GET", "/orders")).items).toHaveLength(1);
  expect(dataOf(await merchant(target)("GET", "/members")).items).toEqual([]);
  expect(dataOf(await merchant(target)("GET", "/conversations")).items).toEqual([]);
  const audit = dataOf(await merchant(target)("GET", "/audit?limit=100")).items;
  const actions = audit.map(({ action }: Readonly<{ action: string }>) => action);
  expect(actions).toContain("business.imported");
  expect(actions).not.toContain("member.invited");
});

it("exports no conversation of a customer who was erased", async () => {
  const shop = await createBusiness();
  const { ask, threadId } = await createConversation(shop);
  const { customerId } = await createLoggedInShopper(shop, "kofi@example.com", ask);
  await sendMessage(ask, "I am Kofi.");
  await waitUntilListed(shop, threadId, { message_count: 1, customer_id: customerId });
  expect((await merchant(shop)("DELETE", `/customers/${customerId}/data`)).status).toBe(200);
  const text = await exportBusiness(shop);
  expect(text).not.toContain("I am Kofi.");
  expect(text).not.toContain(threadId);
});

it("reads many messages in parts, each once, while the business accepts writes", async () => {
  const shop = await createBusiness();
  const { business } = shop;
  const d1 = openShard(business.shard);
  const threads = Array.from(
    { length: 120 },
    (_, index) => `thr_${String(index).padStart(4, "0")}`,
  );
  await d1.batch(
    threads.map((id) =>
      d1
        .prepare(
          `insert into support_conversations
            (id, business_id, status, message_count, created_at, active_at, revision)
            values (?, ?, 'open', 1, 1, 1, 1)`,
        )
        .bind(id, business.id),
    ),
  );
  const long = "thr_0007";
  const addRow = d1
    .prepare("insert into catalogue_versions (business_id, version) values (?, 1)")
    .bind(business.id);
  let calls = 0;
  const ctx = createTransferContext();
  const readMessages: typeof ctx.readMessages = async ({ id }, { after, limit }) => {
    calls += 1;
    if (calls === 1) await addRow.run();
    const count = id === long ? 450 : 1;
    const times = Array.from({ length: count }, (_, index) => index + 1);
    const page = times.filter((at) => at > after).slice(0, limit);
    return page.map((createdAt) => ({
      ...{ id: `msg_${id}_${createdAt}`, senderType: "customer", content: "Hello" },
      ...{ attachments: [], clientId: null, createdAt },
    }));
  };
  const id = await requestExport(shop);
  for (let isRunning = true; isRunning; ) isRunning = await runNextJob({ ...ctx, readMessages });
  const file = await merchant(shop)("GET", `/exports/${id}/file`);
  const messages = rowsOf(parseFile(String(file.body)).rows, "support_messages");
  expect(new Set(messages.map((row) => row.id)).size).toBe(messages.length);
  expect(messages.length).toBe(threads.length - 1 + 450);
  expect(calls).toBe(threads.length - 1 + 3);
});
