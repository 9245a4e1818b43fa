import { describe, expect, it, vi } from "vitest";
import { second } from "../../shared/kernel/index.ts";
import { contentsOf, say, shoppersEnd } from "../support/conversations.ts";
import { shopper } from "../support/world.ts";
import { message, socketRoom, typesOf } from "./socket-room.ts";

const { shop, given, shoppers, agents, heard, evict } = socketRoom();

describe("GET /support/conversation/ws", () => {
  it("greets with the time of the latest message", async () => {
    const [last] = (await heard()).slice(-1);
    const end = await shoppersEnd(shop(), given().cookie);
    expect(await end.next("resync")).toEqual({
      type: "resync",
      latest_message_at: last.created_at,
    });
    end.hangUp();
  });

  it("greets with null, and a session, where nothing was said yet", async () => {
    const end = await shoppersEnd(shop(), null);
    expect(await end.next("resync")).toEqual({ type: "resync", latest_message_at: null });
    expect(end.cookie).toMatch(/^__Host-session=/);
    const other = shopper(shop(), end.cookie);
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
    await say(given().ask, "Thanks");
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

  it("an error names the field that is wrong, and the message by its client_id where that can be read", async () => {
    const end = await shoppers();
    end.send(message("\u0007", "bell"));
    expect(await end.next("error")).toEqual({
      type: "error",
      code: "VALIDATION_ERROR",
      message: "content: must not contain control characters",
      context: {
        field: "content",
        issues: [{ field: "content", message: "must not contain control characters" }],
      },
      client_id: "bell",
    });
    end.send({ type: "message", content: 7, client_id: "\u0007" });
    expect(await end.next("error")).toMatchObject({
      context: { field: "content", issues: [{ field: "content" }, { field: "client_id" }] },
      client_id: null,
    });
    end.sendText("[]");
    expect(await end.next("error")).toMatchObject({ context: { field: "frame" }, client_id: null });
    end.sendText("not JSON");
    expect(await end.next("error")).toMatchObject({
      message: "frame: must be JSON",
      context: { field: "frame" },
      client_id: null,
    });
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
    await evict();
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
