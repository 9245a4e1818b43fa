import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { second } from "../../shared/kernel/index.ts";
import {
  contentsOf,
  openAgentSocket,
  openShopperSocket,
  sendMessage,
} from "../support/create-conversation.ts";
import { createKey } from "../support/create-key.ts";
import { openSocketClient, type SocketClient, waitUntil } from "../support/sockets.ts";
import { call, createBusiness, dataOf, merchant } from "../support/world.ts";
import { createSupportShop, frameTypesOf, message } from "./support-shop.ts";

const { shop, conversation, sockets, awaitGreeting, connectShopper, connectAgent, readMessages } =
  createSupportShop();

describe("GET /support/conversation/ws: access", () => {
  const path = "/api/v1/support/conversation/ws";

  it.each(["", "?public_key=pk_test_unknown", "a secret key"])(
    "closes with 4001 without a publishable key (%s)",
    async (query) => {
      const secret = `?public_key=${shop().keys.secret}`;
      const end = await openSocketClient(`${path}${query === "a secret key" ? secret : query}`);
      expect(await end.waitForClose()).toBe(4001);
      expect(end.frames).toEqual([]);
    },
  );

  it("closes with 4001 for an earlier cookie and sets no new one", async () => {
    await conversation().object.revokeEarlierGenerations(1);
    const end = await openShopperSocket(shop(), conversation().cookie);
    expect(await end.waitForClose()).toBe(4001);
    expect(end).toMatchObject({ frames: [], cookie: null });
  });

  it("closes with 4001 for an origin that is not allowed", async () => {
    const ask = merchant(shop());
    await ask("PATCH", "", { body: { allowed_origins: ["https://shop.example"] } });
    vi.setSystemTime(Date.now() + 6_000); // the isolates' cached business has expired
    const from = (origin: string) =>
      openShopperSocket(shop(), conversation().cookie, { Origin: origin });
    expect(await (await from("https://evil.example")).waitForClose()).toBe(4001);
    await awaitGreeting(from("https://shop.example"));
  });

  it("accepts the key in a header; other calls accept no key in the query", async () => {
    await awaitGreeting(
      openSocketClient(path, {
        "X-Public-Key": shop().keys.publishable,
        Cookie: conversation().cookie,
      }),
    );
    const elsewhere = `/api/v1/cart?public_key=${shop().keys.publishable}`;
    expect(await call("GET", elsewhere)).toMatchObject({ status: 401 });
  });

  it("refuses a request without a WebSocket upgrade", async () => {
    const answer = await conversation().ask("GET", "/support/conversation/ws");
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "upgrade" } } },
    });
    expect(await call("GET", path)).toMatchObject({ status: 401 });
  });
});

describe("the socket limit", () => {
  it("is 20 per role; the next socket gets an error and is closed with 4009", async () => {
    const open = { customer: connectShopper, agent: connectAgent };
    const more = {
      customer: () => openShopperSocket(shop(), conversation().cookie),
      agent: () => openAgentSocket(shop(), conversation().threadId),
    };
    const gone = new Set<SocketClient>();
    for (const side of ["customer", "agent"] as const) {
      const mine: SocketClient[] = [];
      for (let number = 0; number < 20; number += 1) mine.push(await open[side]());
      const refused = await more[side]();
      expect(await refused.waitForClose()).toBe(4009);
      expect(refused.frames).toMatchObject([{ type: "error", code: "RATE_LIMITED" }]);
      for (const end of mine.slice(0, 1)) {
        end.disconnect();
        gone.add(end);
      }
      const count = () =>
        runInDurableObject(conversation().object, (_, state) => state.getWebSockets(side).length);
      await waitUntil(async () => (await count()) < 20);
      await open[side]();
    }
    const left = sockets().filter((end) => !gone.has(end));
    expect(left).toHaveLength(40);
    left[0]?.send(message("All of you"));
    for (const end of left) await end.nextFrame("message");
  });
});

describe("GET /conversations/{thread_id}/ws", () => {
  it("closes with 4001 without a key of the business that has the scope", async () => {
    const [reader, neighbour] = [
      await createKey(shop(), { scopes: ["support:read"] }),
      await createBusiness(),
    ];
    for (const key of ["sk_test_unknown", shop().keys.publishable, reader, neighbour.keys.secret]) {
      const end = await openAgentSocket(shop(), conversation().threadId, key);
      expect(await end.waitForClose()).toBe(4001);
    }
  });

  it("returns 404 for another business's and for an unknown conversation", async () => {
    const neighbour = await createBusiness();
    const unknown = `${conversation().threadId.slice(0, -4)}zzzz`;
    for (const threadId of [conversation().threadId, unknown, "thr_1"])
      await expect(openAgentSocket(neighbour, threadId)).rejects.toThrow("404");
  });

  it.each([
    ["by socket", (mine: SocketClient) => mine.send(message("My address is Ring Road"))],
    ["by a call", () => sendMessage(conversation().ask, "My address is Ring Road")],
  ])("closes the socket of a revoked key before a message is sent %s", async (_, send) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = merchant(shop());
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [mine, listener, other] = [
      await connectShopper(),
      await awaitGreeting(openAgentSocket(shop(), conversation().threadId, key)),
      await connectAgent(),
    ];
    await sendMessage(conversation().ask, "Good day");
    for (const end of [listener, other]) await end.nextFrame("message");
    await ask("DELETE", `/keys/${id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    await send(mine);
    expect(await listener.waitForClose()).toBe(4001);
    expect(await other.nextFrame("message")).toMatchObject({
      message: { content: "My address is Ring Road" },
    });
    expect(frameTypesOf(listener)).toEqual(["resync", "message"]);
  });

  it("closes the socket of a revoked key at its next message or the next ping", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = merchant(shop());
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [talker, listener] = [
      await awaitGreeting(openAgentSocket(shop(), conversation().threadId, key)),
      await awaitGreeting(openAgentSocket(shop(), conversation().threadId, key)),
    ];
    talker.send(message("Good day"));
    await listener.nextFrame("message");
    await ask("DELETE", `/keys/${id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    talker.send(message("Still here"));
    expect(await talker.waitForClose()).toBe(4001);
    expect(contentsOf(await readMessages())).toEqual(["Hello", "Good day"]);
    vi.setSystemTime(Date.now() + 20 * second);
    await runDurableObjectAlarm(conversation().object);
    expect(await listener.waitForClose()).toBe(4001);
  });
});
