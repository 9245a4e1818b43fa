import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hour, iso, minute, second } from "../../shared/kernel/index.ts";
import { contentsOf, say, shoppersEnd } from "../support/conversations.ts";
import { dataOf } from "../support/orders.ts";
import { until } from "../support/sockets.ts";
import { message, socketRoom, typesOf } from "./socket-room.ts";

const { shop, given, ends, shoppers, agents, heard, evict } = socketRoom();

describe("keep-alive", () => {
  let start: number;
  const alarm = () => runDurableObjectAlarm(given().object);
  const alarmAt = (ms: number) => {
    vi.setSystemTime(start + ms);
    return alarm();
  };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    start = Date.now() + hour; // so far ahead that no alarm rings by itself
    vi.setSystemTime(start - minute);
    await say(given().ask, "Is anybody there?");
    await alarmAt(0); // what that left to do
  });

  it("pings every 30 seconds while a socket is open, and not after the last", async () => {
    const end = await shoppers();
    for (const at of [30 * second, minute]) {
      await alarmAt(at);
      expect(await end.next("ping")).toEqual({ type: "ping", at: iso(start + at) });
      end.send({ type: "pong" });
      await evict();
    }
    end.hangUp();
    vi.setSystemTime(start + 89 * second);
    await until(async () => !(await alarm()));
  });

  it("closes with 4008 whoever sends no pong for 90 seconds, and nobody else", async () => {
    const [silent, lively, agent] = [await shoppers(), await shoppers(), await agents()];
    for (const at of [30, 60, 89.999]) {
      await alarmAt(at * second);
      await evict();
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
        if ((choice & (1 << number)) !== 0) await evict();
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
    await evict({ webSockets: "close" });
    await until(() => mine.closed() !== null);
    await say(given().ask, "two");
    const back = await shoppersEnd(shop(), given().cookie);
    ends().push(back);
    const { latest_message_at: latest } = await back.next("resync");
    const { created_at: after } = Object(one);
    expect(Date.parse(String(latest))).toBeGreaterThan(Date.parse(after));
    const missed = await given().ask("GET", `/support/conversation/messages?after=${after}`);
    expect(contentsOf(dataOf(missed))).toEqual(["two"]);
    expect(dataOf(missed)[0].created_at).toBe(latest);
  });
});
