import { afterEach, beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createConversation,
  openAgentSocket,
  openShopperSocket,
} from "../support/create-conversation.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import type { SocketClient } from "../support/sockets.ts";
import { createBusiness, dataOf } from "../support/world.ts";

/** A message frame. */
export const message = (content: string, clientId = content) => ({
  type: "message",
  content,
  client_id: clientId,
});

export const frameTypesOf = ({ frames }: SocketClient) => frames.map(({ type }) => type);

/** Creates before each test a business and a conversation with the message Hello, and closes its sockets after it. */
export function createSupportShop() {
  const copies = holdListSyncs(); // must run before a conversation exists, or an eviction waits for the first copy
  let current: Readonly<{
    shop: CreatedBusiness;
    conversation: Awaited<ReturnType<typeof createConversation>>;
    sockets: SocketClient[];
  }>;

  beforeEach(async () => {
    const shop = await createBusiness();
    current = { shop, conversation: await createConversation(shop, "Hello"), sockets: [] };
  });

  afterEach(() => {
    for (const socket of current.sockets) if (socket.closeCode() === null) socket.disconnect();
  });

  /** Waits for the resync frame of a socket, which is closed after the test. */
  async function awaitGreeting(opening: Promise<SocketClient>): Promise<SocketClient> {
    const socket = await opening;
    current.sockets.push(socket);
    await socket.nextFrame("resync");
    return socket;
  }

  return {
    shop: () => current.shop,
    conversation: () => current.conversation,
    sockets: () => current.sockets,
    awaitGreeting,
    connectShopper: () =>
      awaitGreeting(openShopperSocket(current.shop, current.conversation.cookie)),
    connectAgent: () => awaitGreeting(openAgentSocket(current.shop, current.conversation.threadId)),
    readMessages: async () =>
      dataOf(await current.conversation.ask("GET", "/support/conversation/messages")),
    evict: (options?: Parameters<typeof copies.evict>[1]) =>
      copies.evict(current.conversation.object, options),
  };
}
