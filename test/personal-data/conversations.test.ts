import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour, minute } from "../../shared/kernel/index.ts";
import {
  contentsOf,
  createConversation,
  findListedConversation,
  openShopperSocket,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { runHousekeeping } from "../support/cron.ts";
import { createLoggedInShopper, logIn } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, type shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

/** Creates a customer with a listed conversation. */
async function createCustomerConversation(...contents: string[]) {
  const { ask: customer, cookie, customerId } = await createLoggedInShopper(shop);
  for (const content of contents) await sendMessage(customer, content);
  const page = dataOf(await customer("POST", "/support/conversation"));
  const threadId = String(page.conversation.id);
  await waitUntilListed(shop, threadId, {
    customer_id: customerId,
    message_count: contents.length,
  });
  return { customer, cookie, customerId, threadId };
}

const exportData = async (id: string) => dataOf(await ask("GET", `/customers/${id}/data`));
const erase = (id: string) => ask("DELETE", `/customers/${id}/data`);
const readMessages = async (customer: ReturnType<typeof shopper>) =>
  dataOf(await customer("GET", "/support/conversation/messages"));

describe("GET /customers/{customer_id}/data", () => {
  it("contains only the customer's own conversations with all messages", async () => {
    const { customerId, threadId } = await createCustomerConversation("I am Ama", "of Ring Road");
    await createConversation(shop, "I am Kofi");
    expect((await exportData(customerId)).support_conversations).toMatchObject([
      {
        conversation: { id: threadId, customer_id: customerId },
        messages: [{ content: "I am Ama" }, { content: "of Ring Road" }],
      },
    ]);
  });
});

describe("DELETE /customers/{customer_id}/data", () => {
  it("erases the messages and closes the conversation's sockets", async () => {
    const { customerId, threadId, cookie, customer } = await createCustomerConversation("I am Ama");
    const end = await openShopperSocket(shop, cookie);
    await end.nextFrame("resync");
    expect(await erase(customerId)).toMatchObject({ status: 200 });
    await runHousekeeping();
    expect(await end.waitForClose()).toBe(4001);
    expect(dataOf(await ask("GET", `/conversations/${threadId}`))).toMatchObject({
      conversation: { status: "closed", message_count: 0, customer_id: null },
      messages: [],
    });
    expect(await readMessages(customer)).toEqual([]);
    await waitUntilListed(shop, threadId, {
      customer_id: null,
      message_count: 0,
      erase_due_at: null,
    });
    expect((await exportData(customerId)).support_conversations).toEqual([]);
  });

  it("treats later messages of the session as a guest's", async () => {
    const { customerId, threadId, customer } = await createCustomerConversation("I am Ama");
    await erase(customerId);
    await runHousekeeping();
    await sendMessage(customer, "Is anybody there?");
    expect(dataOf(await ask("GET", `/conversations/${threadId}`)).conversation).toMatchObject({
      customer_id: null,
      status: "open",
      message_count: 1,
    });
  });

  it("is retried until the conversation's object responds", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { customerId, customer } = await createCustomerConversation("I am Ama");
    await erase(customerId);
    const failing = vi
      .spyOn(SupportConversation.prototype, "erase")
      .mockRejectedValueOnce(new Error("not now"));
    await runHousekeeping();
    expect(contentsOf(await readMessages(customer))).toEqual(["I am Ama"]);
    vi.setSystemTime(Date.now() + minute);
    await runHousekeeping();
    expect(await readMessages(customer)).toEqual([]);
    failing.mockRestore();
  });

  it("erases a conversation that is listed only afterwards", async () => {
    const given = await createConversation(shop, "I am Ama");
    const object = env.SUPPORT_CONVERSATION.getByName(given.threadId);
    await waitUntilListed(shop, given.threadId, { message_count: 1 });
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + hour); // no alarm rings by itself
    const { id } = dataOf(await logIn(given.ask, "+233241234567")).customer;
    await given.ask("GET", "/support/conversation/messages");
    expect(await findListedConversation(shop, given.threadId)).toMatchObject({ customer_id: null });
    await erase(id);
    await runDurableObjectAlarm(object);
    expect(await findListedConversation(shop, given.threadId)).toMatchObject({
      customer_id: id,
      erase_due_at: Date.now(),
    });
    await runHousekeeping();
    expect(await readMessages(given.ask)).toEqual([]);
  });

  it("does not change another customer's conversation", async () => {
    const { customer } = await createCustomerConversation("I am Ama");
    const other = await createLoggedInShopper(shop, "+233209999999");
    await erase(other.customerId);
    await runHousekeeping();
    expect(await readMessages(customer)).toHaveLength(1);
  });
});
