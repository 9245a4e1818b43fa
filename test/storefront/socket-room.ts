import { afterEach, beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { agentsEnd, givenConversation, shoppersEnd } from "../support/conversations.ts";
import { heldCopies } from "../support/copies.ts";
import { dataOf } from "../support/orders.ts";
import type { End } from "../support/sockets.ts";
import { givenBusiness } from "../support/world.ts";

/** What one client sends to say something. */
export const message = (content: string, clientId = content) => ({
  type: "message",
  content,
  client_id: clientId,
});

export const typesOf = ({ frames }: End) => frames.map(({ type }) => type);

/** For each test of the file: a shop with a conversation in which Hello was said, and the sockets opened in it. */
export function socketRoom() {
  const copies = heldCopies(); // before the room is made, or an eviction waits for the first copy
  let room: Readonly<{
    shop: CreatedBusiness;
    given: Awaited<ReturnType<typeof givenConversation>>;
    ends: End[];
  }>;

  beforeEach(async () => {
    const shop = await givenBusiness();
    room = { shop, given: await givenConversation(shop, "Hello"), ends: [] };
  });

  afterEach(() => {
    for (const end of room.ends) if (end.closed() === null) end.hangUp();
  });

  async function greeted(opened: Promise<End>): Promise<End> {
    const end = await opened;
    room.ends.push(end);
    await end.next("resync");
    return end;
  }

  return {
    shop: () => room.shop,
    given: () => room.given,
    /** Those that were greeted, in order. */
    ends: () => room.ends,
    greeted,
    shoppers: () => greeted(shoppersEnd(room.shop, room.given.cookie)),
    agents: () => greeted(agentsEnd(room.shop, room.given.threadId)),
    heard: async () => dataOf(await room.given.ask("GET", "/support/conversation/messages")),
    evict: (how?: Parameters<typeof copies.evict>[1]) => copies.evict(room.given.object, how),
  };
}
