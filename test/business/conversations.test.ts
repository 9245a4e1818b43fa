import { describe, expect, it } from "vitest";
import { contentsOf, givenConversation, isListed, say } from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { inbox } from "./inbox.ts";

const { shop, ask, list, one, close } = inbox();
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describe("GET /conversations", () => {
  it("lists the business's conversations, whose last message is the latest first", async () => {
    const [first, second] = [await givenConversation(shop(), "a"), await givenConversation(shop())];
    const third = await givenConversation(shop(), "c");
    const last = await say(first.ask, "d");
    for (const [{ threadId }, count] of [
      [first, 2],
      [second, 0],
      [third, 1],
    ] as const)
      await isListed(shop(), threadId, { message_count: count });
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
    for (const content of ["a", "b", "c"]) all.unshift(await givenConversation(shop(), content));
    for (const { threadId } of all) await isListed(shop(), threadId, { message_count: 1 });
    const first = await list("?limit=2");
    expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
    const second = await list(`?limit=2&cursor=${first.pagination.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all.map(({ threadId }) => threadId));
    const [{ threadId } = { threadId: "" }] = all;
    await close(threadId);
    await isListed(shop(), threadId, { status: "closed" });
    expect(idsOf(await list("?status=closed"))).toEqual([threadId]);
    expect(idsOf(await list("?status=open"))).toHaveLength(2);
    expect(await ask("GET", "/conversations?status=lost")).toMatchObject({ status: 400 });
    expect(await ask("GET", "/conversations?cursor=bm8=")).toMatchObject({ status: 400 });
  });

  it("shows whose conversation it is", async () => {
    const { ask: customer, customerId } = await loggedInShopper(shop());
    await say(customer, "Hello");
    const { id } = dataOf(await customer("POST", "/support/conversation")).conversation;
    await isListed(shop(), id, { customer_id: customerId });
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
  it("shows the conversation with its latest messages, at one hop", async () => {
    const { threadId } = await givenConversation(shop(), "a", "b");
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
    const { threadId } = await givenConversation(shop(), "a");
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
