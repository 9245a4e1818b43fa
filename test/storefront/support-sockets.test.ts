import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour, iso, minute, second } from "../../shared/kernel/index.ts";
import { givenKey } from "../business/given.ts";
import {
  agentsEnd,
  contentsOf,
  givenConversation,
  say,
  shoppersEnd,
} from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { type End, openEnd, until } from "../support/sockets.ts";
import { call, givenBusiness, merchant, shopper } from "../support/world.ts";

type Given = Awaited<ReturnType<typeof givenConversation>>;

let shop: CreatedBusiness;
let given: Given;
let ends: End[] = [];

beforeEach(async () => {
  shop = await givenBusiness();
  given = await givenConversation(shop, "Hello");
});

afterEach(() => {
  for (const end of ends) if (end.closed() === null) end.hangUp();
  ends = [];
});

async function greeted(opened: Promise<End>): Promise<End> {
  const end = await opened;
  ends.push(end);
  await end.next("resync");
  return end;
}

const shoppers = () => greeted(shoppersEnd(shop, given.cookie));
const agents = () => greeted(agentsEnd(shop, given.threadId));
const message = (content: string, clientId = content) => ({
  type: "message",
  content,
  client_id: clientId,
});
const typesOf = ({ frames }: End) => frames.map(({ type }) => type);
const heard = async () => dataOf(await given.ask("GET", "/support/conversation/messages"));

describe("GET /support/conversation/ws", () => {
  it("greets with the time of the latest message", async () => {
    const [last] = (await heard()).slice(-1);
    const end = await shoppersEnd(shop, given.cookie);
    expect(await end.next("resync")).toEqual({
      type: "resync",
      latest_message_at: last.created_at,
    });
    end.hangUp();
  });

  it("greets with null, and a session, where nothing was said yet", async () => {
    const end = await shoppersEnd(shop, null);
    expect(await end.next("resync")).toEqual({ type: "resync", latest_message_at: null });
    expect(end.cookie).toMatch(/^__Host-session=/);
    const other = shopper(shop, end.cookie);
    await say(other, "By post");
    expect(await end.next("message")).toMatchObject({ message: { content: "By post" } });
    end.hangUp();
  });

  it("brings what either side says, by socket or by call, to both", async () => {
    const [mine, theirs] = [await shoppers(), await agents()];
    mine.send(message("Where is it?", "c-1"));
    const said = await theirs.next("message");
    expect(said).toMatchObject({
      message: { sender_type: "customer", content: "Where is it?", client_id: "c-1" },
    });
    expect(await mine.next("message")).toEqual(said);
    theirs.send(message("On its way"));
    expect(await mine.next("message")).toMatchObject({ message: { sender_type: "agent" } });
    await theirs.next("message");
    await say(given.ask, "Thanks");
    expect(await theirs.next("message")).toMatchObject({ message: { content: "Thanks" } });
    expect(contentsOf(await heard())).toEqual(["Hello", "Where is it?", "On its way", "Thanks"]);
  });

  it("tells the others who types, and not the one who does", async () => {
    const [mine, theirs] = [await shoppers(), await agents()];
    mine.send({ type: "typing" });
    expect(await theirs.next("typing")).toEqual({ type: "typing", sender_type: "customer" });
    theirs.send({ type: "typing" });
    expect(await mine.next("typing")).toEqual({ type: "typing", sender_type: "agent" });
    expect(typesOf(mine)).toEqual(["resync", "typing"]);
  });

  it("keeps the rules of the call: an error names the refused message", async () => {
    const end = await shoppers();
    end.send(message("  ", "empty"));
    expect(await end.next("error")).toMatchObject({ code: "BAD_REQUEST", client_id: "empty" });
    end.send(message("x".repeat(4_001), "long"));
    expect(await end.next("error")).toMatchObject({ code: "BAD_REQUEST", client_id: "long" });
    end.send(message("Once", "c-1"));
    const first = await end.next("message");
    end.send(message("Twice", "c-1"));
    expect(await end.next("error")).toMatchObject({
      code: "CONFLICT",
      client_id: "c-1",
      context: { message: first.message },
    });
    expect(contentsOf(await heard())).toEqual(["Hello", "Once"]);
  });

  it.each([
    "not JSON",
    "[]",
    "null",
    '{"type":"shout"}',
    '{"type":"message","content":"Hello"}',
    '{"type":"message","content":"\\u0007","client_id":"c"}',
    '{"type":"message","content":7,"client_id":"c"}',
  ])("answers %s with an error, and goes on", async (text) => {
    const end = await shoppers();
    end.sendText(text);
    expect(await end.next("error")).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.any(String),
    });
    end.sendText(new Uint8Array(new TextEncoder().encode(text)).buffer);
    await end.next("error");
    end.send(message("Fine"));
    await end.next("message");
  });

  it.each(['{"type":"ping"}', '{ "type": "ping" }'])("answers %s with a pong", async (ping) => {
    const end = await shoppers();
    end.sendText(ping);
    expect(await end.next("pong")).toEqual({ type: "pong" });
  });

  it("is closed with 1009 by a frame of more than 16 KiB, not by one of as much", async () => {
    const end = await shoppers();
    const bytes = (count: number) => `"${"é".repeat((count - 2) / 2)}"`;
    end.sendText(bytes(16 * 1024));
    await end.next("error");
    end.sendText(bytes(16 * 1024 + 2));
    expect(await end.closing()).toBe(1009);
    const binary = await shoppers();
    binary.sendText(new ArrayBuffer(16 * 1024 + 1));
    expect(await binary.closing()).toBe(1009);
  });

  it("is closed with 4009 by the eleventh frame within any second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await shoppers();
    const send = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) end.send(message(`${number}`));
      for (let number = from; number < to; number += 1) await end.next("message");
    };
    await send(0, 5);
    vi.setSystemTime(Date.now() + 600);
    await send(5, 10);
    vi.setSystemTime(Date.now() + 399);
    await evictDurableObject(given.object);
    end.send(message("too fast"));
    expect(await end.closing()).toBe(4009);
    expect(await heard()).toHaveLength(11);
  });

  it("takes ten frames of each second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await shoppers();
    for (let sent = 0; sent < 30; sent += 1) {
      if (sent % 10 === 0) vi.setSystemTime(Date.now() + second);
      end.send(message(`${sent}`));
      await end.next("message");
    }
    expect(end.closed()).toBeNull();
  });

  it("reads nothing of a socket after it was closed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await shoppers();
    end.sendText(new ArrayBuffer(20_000));
    end.send(message("After the end"));
    expect(await end.closing()).toBe(1009);
    expect(contentsOf(await heard())).toEqual(["Hello"]);
  });
});

describe("who opens a socket", () => {
  const path = "/api/v1/support/conversation/ws";

  it.each(["", "?public_key=pk_test_unknown", "a secret key"])(
    "is told 4001 with no publishable key (%s)",
    async (query) => {
      const secret = `?public_key=${shop.keys.secret}`;
      const end = await openEnd(`${path}${query === "a secret key" ? secret : query}`);
      expect(await end.closing()).toBe(4001);
      expect(end.frames).toEqual([]);
    },
  );

  it("is told 4001 with a cookie of before a login, and gets no other", async () => {
    await given.object.raise(1);
    const end = await shoppersEnd(shop, given.cookie);
    expect(await end.closing()).toBe(4001);
    expect(end).toMatchObject({ frames: [], cookie: null });
  });

  it("is told 4001 from an origin that is none of the business's", async () => {
    const ask = merchant(shop);
    await ask("PATCH", "", { body: { allowed_origins: ["https://shop.example"] } });
    vi.setSystemTime(Date.now() + 6_000); // what isolates remember of the business has grown old
    const from = (origin: string) => shoppersEnd(shop, given.cookie, { Origin: origin });
    expect(await (await from("https://evil.example")).closing()).toBe(4001);
    await greeted(from("https://shop.example"));
  });

  it("may send the key in a header, and in the query of no other call", async () => {
    await greeted(openEnd(path, { "X-Public-Key": shop.keys.publishable, Cookie: given.cookie }));
    const elsewhere = `/api/v1/cart?public_key=${shop.keys.publishable}`;
    expect(await call("GET", elsewhere)).toMatchObject({ status: 401 });
  });

  it("asks for a WebSocket: anything else is 400, or 401 without a key", async () => {
    const answer = await given.ask("GET", "/support/conversation/ws");
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
      customer: () => shoppersEnd(shop, given.cookie),
      agent: () => agentsEnd(shop, given.threadId),
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
        runInDurableObject(given.object, (_, state) => state.getWebSockets(side).length);
      await until(async () => (await count()) < 20);
      await open[side]();
    }
    const left = ends.filter((end) => !gone.has(end));
    expect(left).toHaveLength(40);
    left[0]?.send(message("All of you"));
    for (const end of left) await end.next("message");
  });
});

describe("GET /conversations/{thread_id}/ws", () => {
  it("is told 4001 without a key of the business that has the scope", async () => {
    const [reader, neighbour] = [
      await givenKey(shop, { scopes: ["support:read"] }),
      await givenBusiness(),
    ];
    for (const key of ["sk_test_unknown", shop.keys.publishable, reader, neighbour.keys.secret]) {
      const end = await agentsEnd(shop, given.threadId, key);
      expect(await end.closing()).toBe(4001);
    }
  });

  it("is 404 for another business's conversation as for nobody's", async () => {
    const neighbour = await givenBusiness();
    const unknown = `${given.threadId.slice(0, -4)}zzzz`;
    for (const threadId of [given.threadId, unknown, "thr_1"])
      await expect(agentsEnd(neighbour, threadId)).rejects.toThrow("404");
  });

  it.each([
    ["by socket", (mine: End) => mine.send(message("My address is Ring Road"))],
    ["by a call", () => say(given.ask, "My address is Ring Road")],
  ])("ends with its key before anything more is said %s", async (_, speak) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = merchant(shop);
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [mine, listener, other] = [
      await shoppers(),
      await greeted(agentsEnd(shop, given.threadId, key)),
      await agents(),
    ];
    await say(given.ask, "Good day");
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
    const ask = merchant(shop);
    const { id, key } = dataOf(
      await ask("POST", "/keys", { body: { kind: "secret", scopes: ["support:write"] } }),
    );
    const [talker, listener] = [
      await greeted(agentsEnd(shop, given.threadId, key)),
      await greeted(agentsEnd(shop, given.threadId, key)),
    ];
    talker.send(message("Good day"));
    await listener.next("message");
    await ask("DELETE", `/keys/${id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    talker.send(message("Still here"));
    expect(await talker.closing()).toBe(4001);
    expect(contentsOf(await heard())).toEqual(["Hello", "Good day"]);
    vi.setSystemTime(Date.now() + 20 * second);
    await runDurableObjectAlarm(given.object);
    expect(await listener.closing()).toBe(4001);
  });
});

describe("keep-alive", () => {
  let start: number;
  const alarm = () => runDurableObjectAlarm(given.object);
  const alarmAt = (ms: number) => {
    vi.setSystemTime(start + ms);
    return alarm();
  };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    start = Date.now() + hour; // so far ahead that no alarm rings by itself
    vi.setSystemTime(start - minute);
    await say(given.ask, "Is anybody there?");
    await alarmAt(0); // what that left to do
  });

  it("pings every 30 seconds while a socket is open, and not after the last", async () => {
    const end = await shoppers();
    for (const at of [30 * second, minute]) {
      await alarmAt(at);
      expect(await end.next("ping")).toEqual({ type: "ping", at: iso(start + at) });
      end.send({ type: "pong" });
      await evictDurableObject(given.object);
    }
    end.hangUp();
    vi.setSystemTime(start + 89 * second);
    await until(async () => !(await alarm()));
  });

  it("closes with 4008 whoever sends no pong for 90 seconds, and nobody else", async () => {
    const [silent, lively, agent] = [await shoppers(), await shoppers(), await agents()];
    for (const at of [30, 60, 89.999]) {
      await alarmAt(at * second);
      await evictDurableObject(given.object);
      for (const end of [lively, agent]) {
        await end.next("ping");
        end.send({ type: "pong" });
      }
      expect(silent.closed()).toBeNull();
    }
    silent.send(message("I do not answer pings"));
    await lively.next("message");
    await alarmAt(91 * second);
    expect(await silent.closing()).toBe(4008);
    await lively.next("ping");
    expect([lively.closed(), agent.closed()]).toEqual([null, null]);
  });

  it("notices in time: the object wakes when the silence of one is too long", async () => {
    await shoppers();
    vi.setSystemTime(start + 10 * second);
    const late = await shoppers();
    for (const at of [30, 60, 90]) {
      await alarmAt(at * second);
    }
    expect(late.closed()).toBeNull();
    await alarmAt(100 * second);
    expect(await late.closing()).toBe(4008);
  });
});

describe("an object that is put out of memory", () => {
  it("before any choice of frames loses nothing", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const [mine, theirs] = [await shoppers(), await agents()];
    const steps = [
      { by: mine, says: "one", hears: theirs, what: "message" },
      { by: theirs, says: "two", hears: mine, what: "message" },
      { by: mine, says: "one", hears: mine, what: "error" },
    ];
    const said = ["Hello"];
    const told = { mine: ["resync"], theirs: ["resync"] };
    for (let choice = 0; choice < 2 ** steps.length; choice += 1) {
      vi.setSystemTime(Date.now() + second);
      for (const [number, { by, says, hears, what }] of steps.entries()) {
        if ((choice & (1 << number)) !== 0) await evictDurableObject(given.object);
        const before = hears.frames.length;
        by.send(message(`${says} ${choice}`));
        await until(() => typesOf(hears).slice(before).includes(what));
      }
      said.push(`one ${choice}`, `two ${choice}`);
      told.mine.push("message", "message", "error");
      told.theirs.push("message", "message");
    }
    expect(contentsOf(await heard())).toEqual(said);
    expect({ mine: typesOf(mine), theirs: typesOf(theirs) }).toEqual(told);
  });

  it("with its sockets closed: who comes back hears from resync how far it is behind", async () => {
    const mine = await shoppers();
    mine.send(message("one"));
    const { message: one } = await mine.next("message");
    await evictDurableObject(given.object, { webSockets: "close" });
    await until(() => mine.closed() !== null);
    await say(given.ask, "two");
    const back = await shoppersEnd(shop, given.cookie);
    ends.push(back);
    const { latest_message_at: latest } = await back.next("resync");
    const { created_at: after } = Object(one);
    expect(Date.parse(String(latest))).toBeGreaterThan(Date.parse(after));
    const missed = await given.ask("GET", `/support/conversation/messages?after=${after}`);
    expect(contentsOf(dataOf(missed))).toEqual(["two"]);
    expect(dataOf(missed)[0].created_at).toBe(latest);
  });
});
