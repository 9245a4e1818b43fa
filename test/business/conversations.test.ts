import { describe, expect, it } from "vitest";
import {
  contentsOf,
  createConversation,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";
import { setUpAgentInbox } from "./agent-inbox.ts";

const { shop, ask, listConversations, getConversation, replyTo, markRead, closeConversation } =
  setUpAgentInbox();
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describe("GET /conversations", () => {
  it("lists conversations by their latest message, newest first", async () => {
    const [first, second] = [
      await createConversation(shop(), "a"),
      await createConversation(shop()),
    ];
    const third = await createConversation(shop(), "c");
    const last = await sendMessage(first.ask, "d");
    for (const [{ threadId }, count] of [
      [first, 2],
      [second, 0],
      [third, 1],
    ] as const)
      await waitUntilListed(shop(), threadId, { message_count: count });
    const page = await listConversations();
    expect(idsOf(page)).toEqual([first, third, second].map(({ threadId }) => threadId));
    expect(page.items[0]).toEqual({
      id: first.threadId,
      status: "open",
      ai_enabled: false,
      message_count: 2,
      unread_count: 2,
      customer_id: null,
      customer_name: null,
      created_at: expect.stringMatching(/Z$/),
      last_message_at: dataOf(last).created_at,
    });
    expect(roundTrips(await ask("GET", "/conversations"))).toMatchObject({ d1: 1, do: 0 });
  });

  it("pages with a cursor and filters by status", async () => {
    const all = [];
    for (const content of ["a", "b", "c"]) all.unshift(await createConversation(shop(), content));
    for (const { threadId } of all) await waitUntilListed(shop(), threadId, { message_count: 1 });
    const first = await listConversations("?limit=2");
    expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
    const second = await listConversations(`?limit=2&cursor=${first.pagination.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all.map(({ threadId }) => threadId));
    const [{ threadId } = { threadId: "" }] = all;
    await closeConversation(threadId);
    await waitUntilListed(shop(), threadId, { status: "closed" });
    expect(idsOf(await listConversations("?status=closed"))).toEqual([threadId]);
    expect(idsOf(await listConversations("?status=open"))).toHaveLength(2);
    expect(await ask("GET", "/conversations?status=lost")).toMatchObject({ status: 400 });
    expect(await ask("GET", "/conversations?cursor=bm8=")).toMatchObject({ status: 400 });
  });

  it("shows the customer of the conversation", async () => {
    const { ask: customer, customerId } = await createLoggedInShopper(shop());
    await ask("PATCH", `/customers/${customerId}`, { body: { name: "Ama Mensah" } });
    await sendMessage(customer, "Hello");
    const { id } = dataOf(await customer("POST", "/support/conversation")).conversation;
    await waitUntilListed(shop(), id, { customer_id: customerId });
    expect((await listConversations()).items).toMatchObject([
      { id, customer_id: customerId, customer_name: "Ama Mensah" },
    ]);
  });

  it.each([
    ["", "support_conversations_by_activity (business_id=? AND (active_at,id)<(?,?))"],
    [
      "status = 'open' and ",
      "support_conversations_by_status (business_id=? AND status=? AND (active_at,id)<(?,?))",
    ],
    [
      "unread_count > 0 and ",
      "support_conversations_unread (business_id=? AND (active_at,id)<(?,?))",
    ],
  ])("uses an index (%s)", async (condition, index) => {
    const plan = await selectRows(
      shop(),
      `explain query plan select * from support_conversations where business_id = ? and ${condition}
         (active_at, id) < (?, ?) order by active_at desc, id desc limit 20`,
      shop().business.id,
      1,
      "thr_1",
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      `SEARCH support_conversations USING INDEX ${index}`,
    ]);
  });
});

describe("GET /conversations/{thread_id}", () => {
  it("returns the conversation and its latest messages with one object call", async () => {
    const { threadId } = await createConversation(shop(), "a", "b");
    const answer = await getConversation(threadId);
    expect(dataOf(answer)).toMatchObject({
      conversation: { id: threadId, message_count: 2, customer_id: null },
      messages: [{ content: "a" }, { content: "b" }],
    });
    expect(contentsOf(dataOf(await getConversation(threadId, "?limit=1")).messages)).toEqual(["b"]);
    const after = dataOf(answer).messages[0].created_at;
    expect(contentsOf(dataOf(await getConversation(threadId, `?after=${after}`)).messages)).toEqual(
      ["b"],
    );
    expect(
      contentsOf(dataOf(await getConversation(threadId, "?after=1970-01-01T00:00:00Z")).messages),
    ).toEqual(["a", "b"]);
    expect(roundTrips(await getConversation(threadId))).toMatchObject({ d1: 0, do: 1 });
  });

  it("returns 404 on every call for another business's and for an unknown conversation", async () => {
    const { threadId } = await createConversation(shop(), "a");
    const neighbour = merchant(await createBusiness());
    const unknown = `${threadId.slice(0, -4)}0000`;
    for (const id of [threadId, unknown, "thr_1", "x"])
      for (const [method, path, options] of [
        ["GET", "", {}],
        ["POST", "/messages", { body: { content: "Hello" } }],
        ["POST", "/close", {}],
        ["POST", "/read", { body: {} }],
      ] as const)
        expect(await neighbour(method, `/conversations/${id}${path}`, options)).toMatchObject({
          status: 404,
          body: { error: { code: "NOT_FOUND", message: "No such conversation." } },
        });
    expect(dataOf(await getConversation(threadId)).conversation).toMatchObject({ status: "open" });
  });
});

describe("POST /conversations/{thread_id}/read", () => {
  const unreadIds = async () => idsOf(await listConversations("?unread=true"));

  it("counts the customer's messages that nobody has read or answered", async () => {
    const { ask: customer, threadId } = await createConversation(shop(), "a", "b");
    const other = await createConversation(shop());
    await waitUntilListed(shop(), other.threadId, { unread_count: 0 });
    await waitUntilListed(shop(), threadId, { unread_count: 2 });
    expect(await unreadIds()).toEqual([threadId]);
    expect(idsOf(await listConversations("?unread=false"))).toHaveLength(2);

    const [first] = dataOf(await getConversation(threadId)).messages;
    const readFirst = () => markRead(threadId, { until: first.created_at });
    expect(dataOf(await readFirst())).toMatchObject({ id: threadId, unread_count: 1 });
    expect(dataOf(await markRead(threadId))).toMatchObject({ unread_count: 0 });
    expect(dataOf(await readFirst())).toMatchObject({ unread_count: 0 });
    await waitUntilListed(shop(), threadId, { unread_count: 0 });
    expect(await unreadIds()).toEqual([]);

    for (const respond of [
      () => replyTo(threadId, { content: "d" }),
      () => closeConversation(threadId),
    ]) {
      await sendMessage(customer, "c");
      expect(await unreadCountOf(threadId)).toBe(1);
      await respond();
      expect(await unreadCountOf(threadId)).toBe(0);
    }
    expect(await markRead(threadId, { until: "soon" })).toMatchObject({ status: 400 });
  });

  const unreadCountOf = async (threadId: string) =>
    dataOf(await getConversation(threadId)).conversation.unread_count;
});
