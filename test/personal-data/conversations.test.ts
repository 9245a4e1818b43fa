import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour, minute } from "../../shared/kernel/index.ts";
import {
  contentsOf,
  givenConversation,
  indexedRow,
  isListed,
  say,
  shoppersEnd,
} from "../support/conversations.ts";
import { keepHouse } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper, logIn } from "../support/sessions.ts";
import { givenBusiness, merchant, type shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
});

/** A customer with a conversation that the shop's list has. */
async function givenCustomersConversation(...contents: string[]) {
  const { ask: customer, cookie, customerId } = await loggedInShopper(shop);
  for (const content of contents) await say(customer, content);
  const page = dataOf(await customer("POST", "/support/conversation"));
  const threadId = String(page.conversation.id);
  await isListed(shop, threadId, { customer_id: customerId, message_count: contents.length });
  return { customer, cookie, customerId, threadId };
}

const exported = async (id: string) => dataOf(await ask("GET", `/customers/${id}/data`));
const erase = (id: string) => ask("DELETE", `/customers/${id}/data`);
const read = async (customer: ReturnType<typeof shopper>) =>
  dataOf(await customer("GET", "/support/conversation/messages"));

describe("GET /customers/{customer_id}/data", () => {
  it("holds the customer's conversations with all that was said, and nobody else's", async () => {
    const { customerId, threadId } = await givenCustomersConversation("I am Ama", "of Ring Road");
    await givenConversation(shop, "I am Kofi");
    expect((await exported(customerId)).support_conversations).toMatchObject([
      {
        conversation: { id: threadId, customer_id: customerId },
        messages: [{ content: "I am Ama" }, { content: "of Ring Road" }],
      },
    ]);
  });
});

describe("DELETE /customers/{customer_id}/data", () => {
  it("takes away what was said, and closes the conversation's sockets", async () => {
    const { customerId, threadId, cookie, customer } = await givenCustomersConversation("I am Ama");
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    expect(await erase(customerId)).toMatchObject({ status: 200 });
    await keepHouse();
    expect(await end.closing()).toBe(4001);
    expect(dataOf(await ask("GET", `/conversations/${threadId}`))).toMatchObject({
      conversation: { status: "closed", message_count: 0, customer_id: null },
      messages: [],
    });
    expect(await read(customer)).toEqual([]);
    await isListed(shop, threadId, { customer_id: null, message_count: 0, erase_due_at: null });
    expect((await exported(customerId)).support_conversations).toEqual([]);
  });

  it("leaves what the session says afterwards to a guest", async () => {
    const { customerId, threadId, customer } = await givenCustomersConversation("I am Ama");
    await erase(customerId);
    await keepHouse();
    await say(customer, "Is anybody there?");
    expect(dataOf(await ask("GET", `/conversations/${threadId}`)).conversation).toMatchObject({
      customer_id: null,
      status: "open",
      message_count: 1,
    });
  });

  it("is tried again until the object was told", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { customerId, customer } = await givenCustomersConversation("I am Ama");
    await erase(customerId);
    const failing = vi
      .spyOn(SupportConversation.prototype, "erase")
      .mockRejectedValueOnce(new Error("not now"));
    await keepHouse();
    expect(contentsOf(await read(customer))).toEqual(["I am Ama"]);
    vi.setSystemTime(Date.now() + minute);
    await keepHouse();
    expect(await read(customer)).toEqual([]);
    failing.mockRestore();
  });

  it("reaches a conversation that the list learns of only afterwards", async () => {
    const given = await givenConversation(shop, "I am Ama");
    const object = env.SUPPORT_CONVERSATION.getByName(given.threadId);
    await isListed(shop, given.threadId, { message_count: 1 });
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + hour); // no alarm rings by itself
    const { id } = dataOf(await logIn(given.ask, "+233241234567")).customer;
    await given.ask("GET", "/support/conversation/messages");
    expect(await indexedRow(shop, given.threadId)).toMatchObject({ customer_id: null });
    await erase(id);
    await runDurableObjectAlarm(object);
    expect(await indexedRow(shop, given.threadId)).toMatchObject({
      customer_id: id,
      erase_due_at: Date.now(),
    });
    await keepHouse();
    expect(await read(given.ask)).toEqual([]);
  });

  it("leaves another customer's conversation alone", async () => {
    const { customer } = await givenCustomersConversation("I am Ama");
    const other = await loggedInShopper(shop, "+233209999999");
    await erase(other.customerId);
    await keepHouse();
    expect(await read(customer)).toHaveLength(1);
  });
});
