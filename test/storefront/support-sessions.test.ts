import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SupportConversation } from "../../functions/storefront/objects/support-conversation/support-conversation.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  contentsOf,
  createConversation,
  openShopperSocket,
  sendMessage,
} from "../support/create-conversation.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import {
  logIn,
  parseCookieClaims,
  readAuthStatus,
  readSessionStorage,
  sessionCookieOf,
} from "../support/sessions.ts";
import { createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
const copies = holdListSyncs();

beforeEach(async () => {
  shop = await createBusiness();
});

const phone = "+233241234567";
type ShopperClient = ReturnType<typeof shopper>;

const openConversation = async (ask: ShopperClient) =>
  dataOf(await ask("POST", "/support/conversation"));
const readMessages = async (ask: ShopperClient) =>
  dataOf(await ask("GET", "/support/conversation/messages"));
const findCustomerId = async (threadId: string) => {
  const range = { after: null, limit: 1 };
  const found = await env.SUPPORT_CONVERSATION.getByName(threadId).read(shop.business.id, range);
  return found.ok ? found.value.conversation.customerId : undefined;
};

describe("a login", () => {
  it("keeps the conversation and sets its customer", async () => {
    const { ask, threadId } = await createConversation(shop, "Hello");
    const answer = await logIn(ask, phone);
    const customerId = dataOf(answer).customer.id;
    expect(roundTrips(answer)).toMatchObject({ do: 2 });
    await expect.poll(() => findCustomerId(threadId)).toBe(customerId);
    const page = await openConversation(ask);
    expect(page.conversation.id).toBe(threadId);
    expect(contentsOf(page.messages)).toEqual(["Hello"]);
    expect(roundTrips(await sendMessage(ask, "It is me"))).toMatchObject({ d1: 0, do: 1 });
  });

  it("invalidates the earlier cookie, so that a planted cookie gives no access", async () => {
    const { ask, cookie, threadId } = await createConversation(shop, "Hello");
    await logIn(ask, phone);
    const planter = shopper(shop, cookie);
    const page = await openConversation(planter);
    expect(page.conversation.id).not.toBe(threadId);
    expect(page.messages).toEqual([]);
    await sendMessage(shopper(shop, cookie), "I am the customer");
    expect(await readMessages(shopper(shop, cookie))).toEqual([]);
    expect(contentsOf(await readMessages(ask))).toEqual(["Hello"]);
  });

  it("invalidates the earlier cookie also before the conversation exists", async () => {
    const ask = shopper(shop);
    const cookie = sessionCookieOf(await ask("GET", "/cart"));
    await logIn(ask, phone);
    const planter = shopper(shop, cookie);
    await openConversation(planter);
    await sendMessage(planter, "I am the customer");
    const page = await openConversation(ask);
    expect(page).toMatchObject({ messages: [] });
    expect(await readMessages(ask)).toEqual([]);
  });

  it("sets the customer of a conversation that is created later", async () => {
    const ask = shopper(shop);
    const { id } = dataOf(await logIn(ask, phone)).customer;
    const { conversation } = await openConversation(ask);
    await sendMessage(ask, "Hello");
    expect(await findCustomerId(conversation.id)).toBe(id);
  });

  it("closes earlier sockets with 4001", async () => {
    const { ask, cookie } = await createConversation(shop, "Hello");
    const end = await openShopperSocket(shop, cookie);
    await end.nextFrame("resync");
    const answer = await logIn(ask, phone);
    expect(await end.waitForClose()).toBe(4001);
    const stale = await openShopperSocket(shop, cookie);
    expect(stale.cookie).toBeNull();
    expect(await stale.waitForClose()).toBe(4001);
    const mine = await openShopperSocket(shop, sessionCookieOf(answer));
    expect(await mine.nextFrame("resync")).toMatchObject({ latest_message_at: expect.any(String) });
  });

  it("keeps the socket that it names, and closes the others", async () => {
    const { ask, cookie } = await createConversation(shop, "Hello");
    const kept = await openShopperSocket(shop, cookie);
    const other = await openShopperSocket(shop, cookie);
    const { socket_id } = await kept.nextFrame("resync");
    expect((await other.nextFrame("resync")).socket_id).not.toBe(socket_id);
    expect(await logIn(ask, phone, { socket_id })).toMatchObject({ status: 200 });
    expect(await kept.nextFrame("resync")).toMatchObject({ socket_id });
    expect(await other.waitForClose()).toBe(4001);
    kept.send({ type: "message", content: "It is me", client_id: "1" });
    expect(await kept.nextFrame("message")).toMatchObject({ message: { content: "It is me" } });
    await sendMessage(ask, "By call");
    expect(await kept.nextFrame("message")).toMatchObject({ message: { content: "By call" } });
    expect(kept.closeCode()).toBeNull();
    await ask("POST", "/auth/logout");
    expect(await kept.waitForClose()).toBe(4001);
  });

  it("keeps the socket through a second login of the same customer", async () => {
    const { ask, cookie } = await createConversation(shop, "Hello");
    const kept = await openShopperSocket(shop, cookie);
    const { socket_id } = await kept.nextFrame("resync");
    for (let logins = 0; logins < 2; logins += 1) {
      await logIn(ask, phone, { socket_id });
      await kept.nextFrame("resync");
    }
    await sendMessage(ask, "Still here");
    expect(await kept.nextFrame("message")).toMatchObject({ message: { content: "Still here" } });
    kept.disconnect();
  });

  it("of another customer keeps no socket of the previous one", async () => {
    const { ask } = await createConversation(shop, "Hello");
    const cookie = sessionCookieOf(await logIn(ask, phone));
    await sendMessage(ask, "It is me");
    const mine = await openShopperSocket(shop, cookie);
    const { socket_id } = await mine.nextFrame("resync");
    await logIn(ask, "+233209999999", { socket_id });
    expect(await mine.waitForClose()).toBe(4001);
  });

  it("that loses against another one keeps no socket", async () => {
    const { object, cookie } = await createConversation(shop, "Hello");
    const planted = await openShopperSocket(shop, cookie);
    const { socket_id } = await planted.nextFrame("resync");
    // Announced by a login that was not stored, because another one was stored first.
    await object.revokeEarlierGenerations(1, String(socket_id));
    const customer = { generation: 1, customerId: "cus_1" };
    await object.confirmHolder(customer, null);
    expect(await planted.waitForClose()).toBe(4001);
  });

  it("pauses the named socket until it is stored", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, object, cookie } = await createConversation(shop, "Hello");
    const paused = await openShopperSocket(shop, cookie);
    const { socket_id } = await paused.nextFrame("resync");
    await object.revokeEarlierGenerations(1, String(socket_id));
    paused.send({ type: "message", content: "Too early", client_id: "1" });
    expect(await paused.nextFrame("error")).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      client_id: "1",
    });
    await sendMessage(ask, "Not for this socket");
    expect(paused.frames.map(({ type }) => type)).toEqual(["resync", "error"]);
    vi.setSystemTime(Date.now() + 31_000);
    await runDurableObjectAlarm(object);
    expect(await paused.waitForClose()).toBe(4001);
  });

  it("of another customer in the same session starts another conversation", async () => {
    const { ask, threadId } = await createConversation(shop, "My number is 7");
    await logIn(ask, phone);
    await sendMessage(ask, "And my address is here");
    await logIn(ask, "+233209999999");
    const page = await openConversation(ask);
    expect(page.conversation.id).not.toBe(threadId);
    expect(page.messages).toEqual([]);
    await sendMessage(ask, "I am Kofi");
    expect(await readMessages(ask)).toHaveLength(1);
    await logIn(ask, "+233209999999");
    expect(contentsOf(await readMessages(ask))).toEqual(["I am Kofi"]);
  });

  it("succeeds when a guest's conversation does not respond, and revokes its sockets later", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["Date"] }); // no alarm runs by itself
    vi.setSystemTime(Date.now() + day);
    const { ask, cookie, threadId } = await createConversation(shop, "Is anybody there?");
    await sendMessage(ask, "Once more"); // now the session knows the conversation
    const end = await openShopperSocket(shop, cookie);
    const revoke = vi
      .spyOn(SupportConversation.prototype, "revokeEarlierGenerations")
      .mockRejectedValue(new Error());
    expect(await logIn(ask, phone)).toMatchObject({ status: 200 });
    const mine = await openConversation(ask);
    expect(mine.conversation.id).not.toBe(threadId);
    await sendMessage(ask, "My address is Ring Road");
    const planter = shopper(shop, cookie);
    expect(contentsOf(await readMessages(planter))).toEqual(["Is anybody there?", "Once more"]);

    const session = env.CART_SESSION.getByName(parseCookieClaims(cookie).sub);
    await runDurableObjectAlarm(session); // fails again
    revoke.mockRestore();
    await evictDurableObject(session);
    await runDurableObjectAlarm(session);
    expect(await readMessages(planter)).toEqual([]);
    expect(await end.waitForClose()).toBe(4001);
    expect(contentsOf(await readMessages(ask))).toEqual(["My address is Ring Road"]);
    expect(await findCustomerId(threadId)).toBeNull();
  });

  it("is refused when the conversation of the previous customer does not respond", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { ask } = await createConversation(shop, "Hello");
    const cookie = sessionCookieOf(await logIn(ask, phone));
    await sendMessage(ask, "It is me");
    const revoke = vi
      .spyOn(SupportConversation.prototype, "revokeEarlierGenerations")
      .mockRejectedValue(new Error());
    expect(await logIn(ask, phone)).toMatchObject({ status: 503 });
    expect(await ask("POST", "/auth/logout")).toMatchObject({ status: 503 });
    revoke.mockRestore();
    const same = shopper(shop, cookie);
    expect(await readAuthStatus(same)).toMatchObject({ is_authenticated: true });
    expect(await readMessages(same)).toHaveLength(2);
  });

  it("that was announced but never stored costs only one extra call", async () => {
    const { ask, object, cookie } = await createConversation(shop, "Hello");
    await sendMessage(ask, "Once more");
    await object.revokeEarlierGenerations(1);
    const answer = await sendMessage(ask, "Still me");
    expect(answer).toMatchObject({ status: 200 });
    expect(roundTrips(answer).do).toBe(2);
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(await (await openShopperSocket(shop, cookie)).waitForClose()).toBe(4001);
    vi.setSystemTime(Date.now() + 11_000);
    const later = await openShopperSocket(shop, cookie);
    await later.nextFrame("resync");
  });
});

describe("a login of which the conversation was not notified", () => {
  it("closes the sockets of earlier cookies with the customer's next call", async () => {
    const { ask, cookie, threadId } = await createConversation(shop, "Hello");
    const socket = await openShopperSocket(shop, cookie);
    await socket.nextFrame("resync");
    // As when the session's token was signed by a version that does not tell its object of the conversation.
    for (const name of ["revokeEarlierGenerations", "confirmHolder"] as const)
      vi.spyOn(SupportConversation.prototype, name).mockResolvedValueOnce(undefined);
    await logIn(ask, phone);
    expect((await openConversation(ask)).conversation.id).toBe(threadId);
    expect(await socket.waitForClose()).toBe(4001);
    expect(contentsOf(await readMessages(ask))).toEqual(["Hello"]);
  });

  it("ends the guest's access when the session is next asked", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, cookie } = await createConversation(shop, "Hello");
    for (const name of ["revokeEarlierGenerations", "confirmHolder"] as const)
      vi.spyOn(SupportConversation.prototype, name).mockResolvedValueOnce(undefined);
    await logIn(ask, phone);
    const planter = shopper(shop, cookie);
    vi.setSystemTime(Date.now() + 2 * day);
    await readMessages(planter); // asks the session after the response
    await expect.poll(() => readMessages(planter)).toEqual([]);
  });
});

describe("a logout", () => {
  it("invalidates the old cookie and gives the shopper a new conversation", async () => {
    const { ask, threadId, cookie } = await createConversation(shop, "Hello");
    const loggedIn = sessionCookieOf(await logIn(ask, phone));
    const end = await openShopperSocket(shop, loggedIn);
    await end.nextFrame("resync");
    expect(await ask("POST", "/auth/logout")).toMatchObject({ status: 200 });
    expect(await end.waitForClose()).toBe(4001);
    for (const old of [cookie, loggedIn]) {
      const page = await openConversation(shopper(shop, old));
      expect(page.conversation.id).not.toBe(threadId);
      expect(await readMessages(shopper(shop, old))).toEqual([]);
    }
    expect((await openConversation(ask)).conversation.id).not.toBe(threadId);
  });

  it("still applies after the conversation was evicted", async () => {
    const { ask, object } = await createConversation(shop, "Hello");
    const loggedIn = sessionCookieOf(await logIn(ask, phone));
    await copies.evict(object);
    await ask("POST", "/auth/logout");
    await copies.evict(object);
    expect(await readMessages(shopper(shop, loggedIn))).toEqual([]);
  });
});

describe("a session that began with its conversation", () => {
  const nothing = { values: [], tables: [] };

  it("stores nothing in its object before the first login", async () => {
    const { ask, cookie, threadId } = await createConversation(shop, "Hello");
    const answer = await sendMessage(ask, "Once more");
    expect(roundTrips(answer)).toMatchObject({ do: 1 });
    const { sub } = parseCookieClaims(cookie);
    expect(await readSessionStorage(sub)).toEqual(nothing);
    const { id } = dataOf(await logIn(ask, phone)).customer;
    await expect.poll(() => findCustomerId(threadId)).toBe(id);
  });

  it("loses its sockets and its old cookie with a logout, even without a login", async () => {
    const { ask, cookie, threadId } = await createConversation(shop, "Hello");
    const end = await openShopperSocket(shop, cookie);
    await end.nextFrame("resync");
    expect(roundTrips(await ask("POST", "/auth/logout"))).toMatchObject({ do: 2 });
    expect(await end.waitForClose()).toBe(4001);
    const page = await openConversation(shopper(shop, cookie));
    expect(page.conversation.id).not.toBe(threadId);
  });

  it("loses the sockets of its old cookies with a login by a renewed token", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, cookie } = await createConversation(shop, "Hello");
    const end = await openShopperSocket(shop, cookie);
    await end.nextFrame("resync");
    vi.setSystemTime(Date.now() + 2 * day);
    const renewed = sessionCookieOf(await ask("GET", "/cart"));
    expect(renewed).not.toBeNull();
    expect(renewed).not.toBe(cookie);
    await logIn(shopper(shop, renewed), phone);
    expect(await end.waitForClose()).toBe(4001);
  });

  it("begins with a socket as well", async () => {
    const opened = await openShopperSocket(shop, null);
    await opened.nextFrame("resync");
    const { sub } = parseCookieClaims(opened.cookie);
    expect(await readSessionStorage(sub)).toEqual(nothing);
    await logIn(shopper(shop, opened.cookie), phone);
    expect(await opened.waitForClose()).toBe(4001);
  });
});

describe("a session that only uses support", () => {
  it("is extended by each use", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, cookie } = await createConversation(shop, "Hello");
    await logIn(ask, phone);
    const { sub } = parseCookieClaims(cookie);
    const usedAt = () =>
      runInDurableObject(env.CART_SESSION.getByName(sub), (_, { storage }) =>
        storage.kv.get<number>("used_at"),
      );
    const before = await usedAt();
    // The confirmation of the login may still be on its way; then only the next use extends the session.
    const nextUse = async () => {
      vi.setSystemTime(Date.now() + 2 * day);
      await sendMessage(ask, "Still there?");
      return usedAt();
    };
    await expect.poll(nextUse).toBeGreaterThan(Number(before) + day);
  });

  it("stores nothing for a stale cookie", async () => {
    const { ask, cookie } = await createConversation(shop, "Hello");
    await logIn(ask, phone);
    await sendMessage(ask, "Me");
    const { sub } = parseCookieClaims(cookie);
    const before = await readSessionStorage(sub);
    await sendMessage(shopper(shop, cookie), "Not me");
    expect(await readSessionStorage(sub)).toEqual(before);
  });
});
