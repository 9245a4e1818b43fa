import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hour, iso, minute, second } from "../../shared/kernel/index.ts";
import { contentsOf, openShopperSocket, sendMessage } from "../support/create-conversation.ts";
import { waitUntil } from "../support/sockets.ts";
import { dataOf } from "../support/world.ts";
import { createSupportShop, frameTypesOf, message } from "./support-shop.ts";

const { shop, conversation, sockets, connectShopper, connectAgent, readMessages, evict } =
  createSupportShop();

describe("keep-alive", () => {
  let start: number;
  const alarm = () => runDurableObjectAlarm(conversation().object);
  const alarmAt = (ms: number) => {
    vi.setSystemTime(start + ms);
    return alarm();
  };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    start = Date.now() + hour; // so far in the future that no alarm runs by itself
    vi.setSystemTime(start - minute);
    await sendMessage(conversation().ask, "Is anybody there?");
    await alarmAt(0); // runs the alarm of the list copy
  });

  it("pings every 30 seconds while a socket is open", async () => {
    const end = await connectShopper();
    for (const at of [30 * second, minute]) {
      await alarmAt(at);
      expect(await end.nextFrame("ping")).toEqual({ type: "ping", at: iso(start + at) });
      end.send({ type: "pong" });
      await evict();
    }
    end.disconnect();
    vi.setSystemTime(start + 89 * second);
    await waitUntil(async () => !(await alarm()));
  });

  it("closes only sockets without a pong for 90 seconds, with 4008", async () => {
    const [silent, lively, agent] = [
      await connectShopper(),
      await connectShopper(),
      await connectAgent(),
    ];
    for (const at of [30, 60, 89.999]) {
      await alarmAt(at * second);
      await evict();
      for (const end of [lively, agent]) {
        await end.nextFrame("ping");
        end.send({ type: "pong" });
      }
      expect(silent.closeCode()).toBeNull();
    }
    silent.send(message("I do not answer pings"));
    await lively.nextFrame("message");
    await alarmAt(91 * second);
    expect(await silent.waitForClose()).toBe(4008);
    await lively.nextFrame("ping");
    expect([lively.closeCode(), agent.closeCode()]).toEqual([null, null]);
  });

  it("wakes the object when a pong becomes overdue between two pings", async () => {
    await connectShopper();
    vi.setSystemTime(start + 10 * second);
    const late = await connectShopper();
    for (const at of [30, 60, 90]) {
      await alarmAt(at * second);
    }
    expect(late.closeCode()).toBeNull();
    await alarmAt(100 * second);
    expect(await late.waitForClose()).toBe(4008);
  });
});

describe("an evicted object", () => {
  it("loses no frames whenever it is evicted", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const [mine, theirs] = [await connectShopper(), await connectAgent()];
    const steps = [
      { sender: mine, content: "one", receiver: theirs, frameType: "message" },
      { sender: theirs, content: "two", receiver: mine, frameType: "message" },
      { sender: mine, content: "one", receiver: mine, frameType: "error" },
    ];
    const contents = ["Hello"];
    const expectedTypes = { mine: ["resync"], theirs: ["resync"] };
    for (let choice = 0; choice < 2 ** steps.length; choice += 1) {
      vi.setSystemTime(Date.now() + second);
      for (const [number, { sender, content, receiver, frameType }] of steps.entries()) {
        if ((choice & (1 << number)) !== 0) await evict();
        const before = receiver.frames.length;
        sender.send(message(`${content} ${choice}`));
        await waitUntil(() => frameTypesOf(receiver).slice(before).includes(frameType));
      }
      contents.push(`one ${choice}`, `two ${choice}`);
      expectedTypes.mine.push("message", "message", "error");
      expectedTypes.theirs.push("message", "message");
    }
    expect(contentsOf(await readMessages())).toEqual(contents);
    expect({ mine: frameTypesOf(mine), theirs: frameTypesOf(theirs) }).toEqual(expectedTypes);
  });

  it("sends the latest message time to clients that reconnect", async () => {
    const mine = await connectShopper();
    mine.send(message("one"));
    const { message: one } = await mine.nextFrame("message");
    await evict({ webSockets: "close" });
    await waitUntil(() => mine.closeCode() !== null);
    await sendMessage(conversation().ask, "two");
    const back = await openShopperSocket(shop(), conversation().cookie);
    sockets().push(back);
    const { latest_message_at: latest } = await back.nextFrame("resync");
    const { created_at: after } = Object(one);
    expect(Date.parse(String(latest))).toBeGreaterThan(Date.parse(after));
    const missed = await conversation().ask("GET", `/support/conversation/messages?after=${after}`);
    expect(contentsOf(dataOf(missed))).toEqual(["two"]);
    expect(dataOf(missed)[0].created_at).toBe(latest);
  });
});
