import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  findListedConversation,
  openShopperSocket,
  sendMessage,
  waitUntilListed,
} from "../support/create-conversation.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const openFrom = (address: string, ask = shopper(shop)) =>
  ask("POST", "/support/conversation", { headers: { "CF-Connecting-IP": address } });

describe("the anonymous conversations of a network", () => {
  it("are at most 30 an hour, and existing ones stay open", async () => {
    const first = shopper(shop);
    expect((await openFrom("203.0.113.1", first)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 35 }, () => openFrom("203.0.113.1")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(29);
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      body: { error: { code: "RATE_LIMITED", context: { retry_after_ms: expect.any(Number) } } },
    });
    expect((await openFrom("203.0.113.1", first)).status).toBe(200);
    expect((await openFrom("203.0.113.2")).status).toBe(200);
    const guest = shopper(shop);
    await guest("GET", "/cart"); // a session of its own does not help
    expect((await openFrom("203.0.113.1", guest)).status).toBe(429);
    const { ask: customer } = await createLoggedInShopper(shop);
    expect((await openFrom("203.0.113.1", customer)).status).toBe(200);
  });

  it("cost a new network no call of a counter beyond those of its request", async () => {
    const limited = await createBusiness({ settings: {} });
    const opened = await openFrom("203.0.113.8", shopper(limited));
    expect(roundTrips(opened).lease).toBe(2); // of the network's counter and of the business's
    const called = vi.spyOn(env.RATE_LIMITER, "getByName");
    (await openShopperSocket(limited, null, { "CF-Connecting-IP": "203.0.113.9" })).disconnect();
    expect(called).toHaveBeenCalledTimes(1); // the business's lease is left from the first call
  });

  it("cannot be opened by repeating a refused call with the cookie of its response", async () => {
    await Promise.all(Array.from({ length: 30 }, () => openFrom("203.0.113.6")));
    const guest = shopper(shop);
    const refused = await openFrom("203.0.113.6", guest);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("set-cookie")).toBeNull();
    expect((await openFrom("203.0.113.6", guest)).status).toBe(429);
    await expect(
      openShopperSocket(shop, null, { "CF-Connecting-IP": "203.0.113.6" }),
    ).rejects.toThrow("429");
  });

  it("cannot be opened with the token of a login that has ended", async () => {
    const { ask, cookie } = await createLoggedInShopper(shop);
    await openFrom("203.0.113.7", ask);
    await ask("POST", "/auth/logout");
    await Promise.all(Array.from({ length: 30 }, () => openFrom("203.0.113.7")));
    expect((await openFrom("203.0.113.7", shopper(shop, cookie))).status).toBe(429);
  });

  it("have at most 60 sockets an hour", async () => {
    const open = (address: string) =>
      openShopperSocket(shop, null, { "CF-Connecting-IP": address });
    const cookies: (string | null)[] = [];
    for (let count = 0; count < 30; count += 1) {
      const client = await open("203.0.113.3");
      cookies.push(client.cookie);
      client.disconnect();
    }
    for (const cookie of cookies)
      (await openShopperSocket(shop, cookie, { "CF-Connecting-IP": "203.0.113.3" })).disconnect();
    await expect(open("203.0.113.3")).rejects.toThrow("429");
    (await open("203.0.113.4")).disconnect();
  });
});

describe("a guest's conversation without a message", () => {
  const createGuest = async () => {
    const ask = shopper(shop);
    const threadId = String(dataOf(await openFrom("203.0.113.5", ask)).conversation.id);
    await waitUntilListed(shop, threadId, { message_count: 0 });
    return { ask, threadId, object: env.SUPPORT_CONVERSATION.getByName(threadId) };
  };
  const afterOneDay = async ({ object }: Awaited<ReturnType<typeof createGuest>>) => {
    vi.setSystemTime(Date.now() + day + 1_000);
    await runDurableObjectAlarm(object);
  };

  it("expires after a day, and can be opened again", async () => {
    const guest = await createGuest();
    await afterOneDay(guest);
    expect(await findListedConversation(shop, guest.threadId)).toBeUndefined();
    const again = await openFrom("203.0.113.5", guest.ask);
    expect(dataOf(again).conversation.message_count).toBe(0);
    await waitUntilListed(shop, guest.threadId, { message_count: 0 });
  });

  it("stays once it has a message", async () => {
    const guest = await createGuest();
    await sendMessage(guest.ask, "Hello");
    await afterOneDay(guest);
    expect(await findListedConversation(shop, guest.threadId)).toMatchObject({ message_count: 1 });
  });
});
