import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createMember, type LoggedInMember } from "../support/console.ts";
import { createConversation } from "../support/create-conversation.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { openSocketClient } from "../support/sockets.ts";
import { createBusiness, dataOf } from "../support/world.ts";

let shop: CreatedBusiness;
let threadId: string;
holdListSyncs();

beforeEach(async () => {
  shop = await createBusiness();
  ({ threadId } = await createConversation(shop, "Hello"));
});

const origin = "https://duka.test";
const pathOf = () => `/v1/businesses/${shop.business.id}/conversations/${threadId}/ws`;
const open = ({ cookie }: Pick<LoggedInMember, "cookie">, headers: Record<string, string> = {}) =>
  openSocketClient(pathOf(), { Cookie: cookie, Origin: origin, ...headers });

describe("the agent's socket of a member", () => {
  it("opens with the cookie from a page of this host", async () => {
    const member = await createMember(shop, "orders");
    const agent = await open(member);
    await agent.nextFrame("resync");
    agent.send({ type: "message", content: "How can I help?", client_id: "1" });
    expect(await agent.nextFrame("message")).toMatchObject({ message: { sender_type: "agent" } });
    agent.disconnect();
  });

  it("does not open from a page of another host, nor for a role without support:write", async () => {
    const member = await createMember(shop, "orders");
    const foreign = await open(member, { Origin: "https://evil.example" });
    expect(await foreign.waitForClose()).toBe(4001);
    const viewer = await open(await createMember(shop, "viewer"));
    expect(await viewer.waitForClose()).toBe(4001);
    const foreigner = await createMember(await createBusiness(), "owner");
    await expect(open(foreigner)).rejects.toThrow(/^404 /);
  });

  it.each([["with the cookie"], ["with a ticket"]])(
    "opened %s closes once the member is removed or loses support:write",
    async (way) => {
      onTestFinished(() => void vi.useRealTimers());
      const owner = await createMember(shop, "owner");
      for (const end of ["removed", "demoted"]) {
        vi.useRealTimers();
        const member = await createMember(shop, "orders");
        const agent =
          way === "with a ticket"
            ? await openSocketClient(await ticketPath(member), { Origin: origin })
            : await open(member);
        await agent.nextFrame("resync");
        const path = `/members/${member.id}`;
        if (end === "removed") await owner.ask("DELETE", path);
        else await owner.ask("PATCH", path, { body: { role: "viewer" } });
        vi.setSystemTime(Date.now() + 10 * second);
        agent.send({ type: "message", content: "Still here", client_id: end });
        expect(await agent.waitForClose(), end).toBe(4001);
      }
    },
  );
});

async function ticketPath({ ask }: LoggedInMember): Promise<string> {
  const { url } = dataOf(await ask("POST", `/conversations/${threadId}/ticket`));
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
