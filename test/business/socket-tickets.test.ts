import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import { createConversation, openShopperSocket } from "../support/create-conversation.ts";
import { createKey } from "../support/create-key.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { openSocketClient, type SocketClient } from "../support/sockets.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let conversation: Awaited<ReturnType<typeof createConversation>>;
holdListSyncs();

beforeEach(async () => {
  shop = await createBusiness();
  conversation = await createConversation(shop, "Hello");
});

const requestTicket = (owner = shop, threadId = conversation.threadId) =>
  merchant(owner)("POST", `/conversations/${threadId}/ticket`);

const getTicket = async () => dataOf(await requestTicket());

/** Opens a socket as a browser does: without any header but the upgrade. */
const openWith = (url: string): Promise<SocketClient> => {
  const { pathname, search } = new URL(url);
  return openSocketClient(`${pathname}${search}`, { Origin: "https://desk.test" });
};

const closesAtOnce = async (url: string) => (await openWith(url)).waitForClose();

describe("a socket ticket", () => {
  it("opens an agent's socket from a browser", async () => {
    const answer = await requestTicket();
    expect(answer.status).toBe(201);
    expect(roundTrips(answer)).toMatchObject({ do: 1 });
    const { ticket, url, expires_in_secs } = dataOf(answer);
    expect(url).toBe(
      `wss://duka.test/v1/businesses/${shop.business.id}/conversations/${conversation.threadId}/ws?ticket=${ticket}`,
    );
    expect(expires_in_secs).toBe(60);
    const agent = await openWith(url);
    await agent.nextFrame("resync");
    const customer = await openShopperSocket(shop, conversation.cookie);
    await customer.nextFrame("resync");
    agent.send({ type: "message", content: "How can I help?", client_id: "1" });
    expect(await customer.nextFrame("message")).toMatchObject({
      message: { sender_type: "agent", content: "How can I help?" },
    });
    agent.disconnect();
    customer.disconnect();
  });

  it("opens one socket only", async () => {
    const { url } = await getTicket();
    const first = await openWith(url);
    await first.nextFrame("resync");
    expect(await closesAtOnce(url)).toBe(4001);
    first.disconnect();
  });

  it("opens nothing after a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { url } = await getTicket();
    vi.setSystemTime(Date.now() + 60_000);
    expect(await closesAtOnce(url)).toBe(4001);
  });

  it("opens no other conversation, and none of another business", async () => {
    const { ticket } = await getTicket();
    const other = await createConversation(shop, "Hi");
    const foreign = await createBusiness();
    const pathOf = (businessId: string, threadId: string) =>
      `https://duka.test/v1/businesses/${businessId}/conversations/${threadId}/ws?ticket=${ticket}`;
    expect(await closesAtOnce(pathOf(shop.business.id, other.threadId))).toBe(4001);
    expect(await closesAtOnce(pathOf(foreign.business.id, conversation.threadId))).toBe(4001);
    const own = await openWith(pathOf(shop.business.id, conversation.threadId));
    await own.nextFrame("resync");
    own.disconnect();
  });

  it("cannot be made up", async () => {
    const { url, ticket } = await getTicket();
    expect(await closesAtOnce(url.replace(ticket, "x".repeat(43)))).toBe(4001);
    expect(await closesAtOnce(url.replace(ticket, ""))).toBe(4001);
  });

  it("is stored as a digest", async () => {
    const { ticket } = await getTicket();
    const stored = await runInDurableObject(conversation.object, (_, { storage }) =>
      JSON.stringify([...storage.kv.list()]),
    );
    expect(stored).toContain(await sha256(ticket));
    expect(stored).not.toContain(ticket);
  });

  it("is deleted once it has expired and another one is requested", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await getTicket();
    vi.setSystemTime(Date.now() + 60_000);
    await getTicket();
    const count = await runInDurableObject(
      conversation.object,
      (_, { storage }) => [...storage.kv.list({ prefix: "socket_ticket " })].length,
    );
    expect(count).toBe(1);
  });

  it("ends with the key that requested it", async () => {
    const keyText = await createKey(shop, { scopes: ["support:write"] });
    const path = `/conversations/${conversation.threadId}/ticket`;
    const asAgent = { headers: { "X-API-Key": keyText } };
    const { url } = dataOf(await merchant(shop)("POST", path, asAgent));
    const [key] = dataOf(await merchant(shop)("GET", "/keys")).items.filter(
      ({ scopes }: { scopes: string[] }) => scopes.includes("support:write"),
    );
    await merchant(shop)("DELETE", `/keys/${key.id}`);
    vi.setSystemTime(Date.now() + 6_000); // the isolates' cached key has expired
    expect(await closesAtOnce(url)).toBe(4001);
  });

  it("is refused for a conversation of another business, and without the scope", async () => {
    expect(await requestTicket(await createBusiness())).toMatchObject({ status: 404 });
    const reader = await createKey(shop, { scopes: ["support:read"] });
    const path = `/conversations/${conversation.threadId}/ticket`;
    const asReader = { headers: { "X-API-Key": reader } };
    expect(await merchant(shop)("POST", path, asReader)).toMatchObject({ status: 403 });
  });
});
