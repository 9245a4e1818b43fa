import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { contentsOf, givenConversation, say, shoppersEnd } from "../support/conversations.ts";
import { heldCopies } from "../support/copies.ts";
import { dataOf } from "../support/orders.ts";
import { claimsOf, cookieIn, logIn, statusOf, storedIn } from "../support/sessions.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
const copies = heldCopies();

beforeEach(async () => {
  shop = await givenBusiness();
});

const phone = "+233241234567";
type Ask = ReturnType<typeof shopper>;

const open = async (ask: Ask) => dataOf(await ask("POST", "/support/conversation"));
const read = async (ask: Ask) => dataOf(await ask("GET", "/support/conversation/messages"));
const customerOf = async (threadId: string) => {
  const range = { after: null, limit: 1 };
  const found = await env.SUPPORT_CONVERSATION.getByName(threadId).read(shop.business.id, range);
  return found.ok ? found.value.conversation.customerId : undefined;
};

describe("a login", () => {
  it("takes the conversation along, and tells it who the customer is", async () => {
    const { ask, threadId } = await givenConversation(shop, "Hello");
    const answer = await logIn(ask, phone);
    const customerId = dataOf(answer).customer.id;
    expect(roundTrips(answer)).toMatchObject({ do: 2 });
    await expect.poll(() => customerOf(threadId)).toBe(customerId);
    const page = await open(ask);
    expect(page.conversation.id).toBe(threadId);
    expect(contentsOf(page.messages)).toEqual(["Hello"]);
    expect(roundTrips(await say(ask, "It is me"))).toMatchObject({ d1: 0, do: 1 });
  });

  it("makes the cookie of before worthless: who planted it reads and writes nothing", async () => {
    const { ask, cookie, threadId } = await givenConversation(shop, "Hello");
    await logIn(ask, phone);
    const planter = shopper(shop, cookie);
    const page = await open(planter);
    expect(page.conversation.id).not.toBe(threadId);
    expect(page.messages).toEqual([]);
    await say(shopper(shop, cookie), "I am the customer");
    expect(await read(shopper(shop, cookie))).toEqual([]);
    expect(contentsOf(await read(ask))).toEqual(["Hello"]);
  });

  it("makes it worthless also where the conversation has yet to begin", async () => {
    const ask = shopper(shop);
    const cookie = cookieIn(await ask("GET", "/cart"));
    await logIn(ask, phone);
    const planter = shopper(shop, cookie);
    await open(planter);
    await say(planter, "I am the customer");
    const page = await open(ask);
    expect(page).toMatchObject({ messages: [] });
    expect(await read(ask)).toEqual([]);
  });

  it("knows the customer of a conversation that begins after it", async () => {
    const ask = shopper(shop);
    const { id } = dataOf(await logIn(ask, phone)).customer;
    const { conversation } = await open(ask);
    await say(ask, "Hello");
    expect(await customerOf(conversation.id)).toBe(id);
  });

  it("closes the sockets of before with 4001", async () => {
    const { ask, cookie } = await givenConversation(shop, "Hello");
    const end = await shoppersEnd(shop, cookie);
    await end.next("resync");
    const answer = await logIn(ask, phone);
    expect(await end.closing()).toBe(4001);
    const stale = await shoppersEnd(shop, cookie);
    expect(stale.cookie).toBeNull();
    expect(await stale.closing()).toBe(4001);
    const mine = await shoppersEnd(shop, cookieIn(answer));
    expect(await mine.next("resync")).toMatchObject({ latest_message_at: expect.any(String) });
  });

  it("of another customer in the same session begins another conversation", async () => {
    const { ask, threadId } = await givenConversation(shop, "My number is 7");
    await logIn(ask, phone);
    await say(ask, "And my address is here");
    await logIn(ask, "+233209999999");
    const page = await open(ask);
    expect(page.conversation.id).not.toBe(threadId);
    expect(page.messages).toEqual([]);
    await say(ask, "I am Kofi");
    expect(await read(ask)).toHaveLength(1);
    await logIn(ask, "+233209999999");
    expect(contentsOf(await read(ask))).toEqual(["I am Kofi"]);
  });

  it("goes on without a guest's conversation that cannot be told, which is told later", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["Date"] }); // no alarm rings by itself
    vi.setSystemTime(Date.now() + day);
    const { ask, cookie, threadId } = await givenConversation(shop, "Is anybody there?");
    await say(ask, "Once more"); // the session knows of the conversation now
    const end = await shoppersEnd(shop, cookie);
    const raise = vi.spyOn(SupportConversation.prototype, "raise").mockRejectedValue(new Error());
    expect(await logIn(ask, phone)).toMatchObject({ status: 200 });
    const mine = await open(ask);
    expect(mine.conversation.id).not.toBe(threadId);
    await say(ask, "My address is Ring Road");
    const planter = shopper(shop, cookie);
    expect(contentsOf(await read(planter))).toEqual(["Is anybody there?", "Once more"]);

    const session = env.CART_SESSION.getByName(claimsOf(cookie).sub);
    await runDurableObjectAlarm(session); // in vain
    raise.mockRestore();
    await evictDurableObject(session);
    await runDurableObjectAlarm(session);
    expect(await end.closing()).toBe(4001);
    expect(await read(planter)).toEqual([]);
    expect(contentsOf(await read(ask))).toEqual(["My address is Ring Road"]);
    expect(await customerOf(threadId)).toBeNull();
  });

  it("of a session that was a customer's is refused, and changes nothing, when its conversation cannot be told", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { ask } = await givenConversation(shop, "Hello");
    const cookie = cookieIn(await logIn(ask, phone));
    await say(ask, "It is me");
    const raise = vi.spyOn(SupportConversation.prototype, "raise").mockRejectedValue(new Error());
    expect(await logIn(ask, phone)).toMatchObject({ status: 503 });
    expect(await ask("POST", "/auth/logout")).toMatchObject({ status: 503 });
    raise.mockRestore();
    const same = shopper(shop, cookie);
    expect(await statusOf(same)).toMatchObject({ is_authenticated: true });
    expect(await read(same)).toHaveLength(2);
  });

  it("that was announced and never stored costs its holder a hop, and nothing else", async () => {
    const { ask, object, cookie } = await givenConversation(shop, "Hello");
    await say(ask, "Once more");
    await object.raise(1);
    const answer = await say(ask, "Still me");
    expect(answer).toMatchObject({ status: 200 });
    expect(roundTrips(answer).do).toBe(2);
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(await (await shoppersEnd(shop, cookie)).closing()).toBe(4001);
    vi.setSystemTime(Date.now() + 11_000);
    const later = await shoppersEnd(shop, cookie);
    await later.next("resync");
  });
});

describe("a logout", () => {
  it("leaves the old cookie a stranger, and the shopper a new conversation", async () => {
    const { ask, threadId, cookie } = await givenConversation(shop, "Hello");
    const loggedIn = cookieIn(await logIn(ask, phone));
    const end = await shoppersEnd(shop, loggedIn);
    await end.next("resync");
    expect(await ask("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await end.closing()).toBe(4001);
    for (const old of [cookie, loggedIn]) {
      const page = await open(shopper(shop, old));
      expect(page.conversation.id).not.toBe(threadId);
      expect(await read(shopper(shop, old))).toEqual([]);
    }
    expect((await open(ask)).conversation.id).not.toBe(threadId);
  });

  it("holds though the conversation was put out of memory", async () => {
    const { ask, object } = await givenConversation(shop, "Hello");
    const loggedIn = cookieIn(await logIn(ask, phone));
    await copies.evict(object);
    await ask("POST", "/auth/logout");
    await copies.evict(object);
    expect(await read(shopper(shop, loggedIn))).toEqual([]);
  });
});

describe("the session of somebody who only chats", () => {
  it("is kept as long as it is used", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, cookie } = await givenConversation(shop, "Hello");
    await logIn(ask, phone);
    const { sub } = claimsOf(cookie);
    const usedAt = () =>
      runInDurableObject(env.CART_SESSION.getByName(sub), (_, { storage }) =>
        storage.kv.get<number>("used_at"),
      );
    const before = await usedAt();
    // Word of the login may be under way to the conversation yet: then the next use is noted.
    const nextUse = async () => {
      vi.setSystemTime(Date.now() + 2 * day);
      await say(ask, "Still there?");
      return usedAt();
    };
    await expect.poll(nextUse).toBeGreaterThan(Number(before) + day);
  });

  it("stores nothing for a cookie that is stale", async () => {
    const { ask, cookie } = await givenConversation(shop, "Hello");
    await logIn(ask, phone);
    await say(ask, "Me");
    const { sub } = claimsOf(cookie);
    const before = await storedIn(sub);
    await say(shopper(shop, cookie), "Not me");
    expect(await storedIn(sub)).toEqual(before);
  });
});
