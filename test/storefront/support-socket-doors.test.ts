import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { second } from "../../shared/kernel/index.ts";
import { givenKey } from "../business/given.ts";
import { agentsEnd, contentsOf, say, shoppersEnd } from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { type End, openEnd, until } from "../support/sockets.ts";
import { call, givenBusiness, merchant } from "../support/world.ts";
import { message, socketRoom, typesOf } from "./socket-room.ts";

const { shop, given, ends, greeted, shoppers, agents, heard } = socketRoom();

describe("who opens a socket", () => {
  const path = "/api/v1/support/conversation/ws";

  it.each(["", "?public_key=pk_test_unknown", "a secret key"])(
    "is told 4001 with no publishable key (%s)",
    async (query) => {
      const secret = `?public_key=${shop().keys.secret}`;
      const end = await openEnd(`${path}${query === "a secret key" ? secret : query}`);
      expect(await end.closing()).toBe(4001);
      expect(end.frames).toEqual([]);
    },
  );

  it("is told 4001 with a cookie of before a login, and gets no other", async () => {
    await given().object.raise(1);
    const end = await shoppersEnd(shop(), given().cookie);
    expect(await end.closing()).toBe(4001);
    expect(end).toMatchObject({ frames: [], cookie: null });
  });

  it("is told 4001 from an origin that is none of the business's", async () => {
    const ask = merchant(shop());
    await ask("PATCH", "", { body: { allowed_origins: ["https://shop.example"] } });
    vi.setSystemTime(Date.now() + 6_000); // what isolates remember of the business has grown old
    const from = (origin: string) => shoppersEnd(shop(), given().cookie, { Origin: origin });
    expect(await (await from("https://evil.example")).closing()).toBe(4001);
    await greeted(from("https://shop.example"));
  });

  it("may send the key in a header, and in the query of no other call", async () => {
    await greeted(
      openEnd(path, { "X-Public-Key": shop().keys.publishable, Cookie: given().cookie }),
    );
    const elsewhere = `/api/v1/cart?public_key=${shop().keys.publishable}`;
    expect(await call("GET", elsewhere)).toMatchObject({ status: 401 });
  });

  it("asks for a WebSocket: anything else is 400, or 401 without a key", async () => {
    const answer = await given().ask("GET", "/support/conversation/ws");
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "upgrade" } } },
    });
    expect(await call("GET", path)).toMatchObject({ status: 401 });
  });
});

describe("how many sockets a conversation has", () => {
  it("is 20 for each side: one more hears why, is closed with 4009 and costs the others nothing", async () => {
    const open = { customer: shoppers, agent: agents };
    const more = {
      customer: () => shoppersEnd(shop(), given().cookie),
      agent: () => agentsEnd(shop(), given().threadId),
    };
    const gone = new Set<End>();
    for (const side of ["customer", "agent"] as const) {
      const mine: End[] = [];
      for (let number = 0; number < 20; number += 1) mine.push(await open[side]());
      const refused = await more[side]();
      expect(await refused.closing()).toBe(4009);
      expect(refused.frames).toMatchObject([{ type: "error", code: "RATE_LIMITED" }]);
      for (const end of mine.slice(0, 1)) {
        end.hangUp();
        gone.add(end);
      }
      const count = () =>
        runInDurableObject(given().object, (_, state) => state.getWebSockets(side).length);
      await until(async () => (await count()) < 20);
      await open[side]();
    }
    const left = ends().filter((end) => !gone.has(end));
    expect(left).toHaveLength(40);
    left[0]?.send(message("All of you"));
    for (const end of left) await end.next("message");
  });
});

describe("GET /conversations/{thread_id}/ws", () => {
  it("is told 4001 without a key of the business that has the scope", async () => {
    const [reader, neighbour] = [
      await givenKey(shop(), { scopes: ["support:read"] }),
      await givenBusiness(),
    ];
    for (const key of ["sk_test_unknown", shop().keys.publishable, reader, neighbour.keys.secret]) {
      const end = await agentsEnd(shop(), given().threadId, key);
      expect(await end.closing()).toBe(4001);
    }
  });

  it("is 404 for another business's conversation as for nobody's", async () => {
    const neighbour = await givenBusiness();
    const unknown = `${given().threadId.slice(0, -4)}zzzz`;
    for (const threadId of [given().threadId, unknown, "thr_1"])
      await expect(agentsEnd(neighbour, threadId)).rejects.toThrow("404");
  });

  it.each([
    ["by socket", (mine: End) => mine.send(message("My address is Ring Road"))],
    ["by a call", () => say(given().ask, "My address is Ring Road")],
  ])("ends with its key before anything more is said %s", async (_, speak) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = merchant(shop());
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [mine, listener, other] = [
      await shoppers(),
      await greeted(agentsEnd(shop(), given().threadId, key)),
      await agents(),
    ];
    await say(given().ask, "Good day");
    for (const end of [listener, other]) await end.next("message");
    await ask("DELETE", `/keys/${id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    await speak(mine);
    expect(await listener.closing()).toBe(4001);
    expect(await other.next("message")).toMatchObject({
      message: { content: "My address is Ring Road" },
    });
    expect(typesOf(listener)).toEqual(["resync", "message"]);
  });

  it("ends with its key: at its next message, and else at the next ping", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = merchant(shop());
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [talker, listener] = [
      await greeted(agentsEnd(shop(), given().threadId, key)),
      await greeted(agentsEnd(shop(), given().threadId, key)),
    ];
    talker.send(message("Good day"));
    await listener.next("message");
    await ask("DELETE", `/keys/${id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    talker.send(message("Still here"));
    expect(await talker.closing()).toBe(4001);
    expect(contentsOf(await heard())).toEqual(["Hello", "Good day"]);
    vi.setSystemTime(Date.now() + 20 * second);
    await runDurableObjectAlarm(given().object);
    expect(await listener.closing()).toBe(4001);
  });
});
