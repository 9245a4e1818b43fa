import { describe, expect, it, vi } from "vitest";
import { second } from "../../shared/kernel/index.ts";
import { contentsOf, openShopperSocket, sendMessage } from "../support/create-conversation.ts";
import { shopper } from "../support/world.ts";
import { createSupportShop, frameTypesOf, message } from "./support-shop.ts";

const { shop, conversation, connectShopper, connectAgent, readMessages, evict } =
  createSupportShop();

describe("GET /support/conversation/ws", () => {
  it("starts with a resync frame with the time of the latest message", async () => {
    const [last] = (await readMessages()).slice(-1);
    const end = await openShopperSocket(shop(), conversation().cookie);
    expect(await end.nextFrame("resync")).toEqual({
      type: "resync",
      latest_message_at: last.created_at,
      socket_id: expect.any(String),
    });
    end.disconnect();
  });

  it("starts with null and a new session when there are no messages", async () => {
    const end = await openShopperSocket(shop(), null);
    expect(await end.nextFrame("resync")).toEqual({
      type: "resync",
      latest_message_at: null,
      socket_id: expect.any(String),
    });
    expect(end.cookie).toMatch(/^__Host-session=/);
    const other = shopper(shop(), end.cookie);
    await sendMessage(other, "By post");
    expect(await end.nextFrame("message")).toMatchObject({ message: { content: "By post" } });
    end.disconnect();
  });

  it("delivers messages from sockets and calls to both sides", async () => {
    const [mine, theirs] = [await connectShopper(), await connectAgent()];
    mine.send(message("Where is it?", "c-1"));
    const said = await theirs.nextFrame("message");
    expect(said).toMatchObject({
      message: { sender_type: "customer", content: "Where is it?", client_id: "c-1" },
    });
    expect(await mine.nextFrame("message")).toEqual(said);
    theirs.send(message("On its way"));
    expect(await mine.nextFrame("message")).toMatchObject({ message: { sender_type: "agent" } });
    await theirs.nextFrame("message");
    await sendMessage(conversation().ask, "Thanks");
    expect(await theirs.nextFrame("message")).toMatchObject({ message: { content: "Thanks" } });
    expect(contentsOf(await readMessages())).toEqual([
      "Hello",
      "Where is it?",
      "On its way",
      "Thanks",
    ]);
  });

  it("sends typing frames to the other sockets", async () => {
    const [mine, theirs] = [await connectShopper(), await connectAgent()];
    mine.send({ type: "typing" });
    expect(await theirs.nextFrame("typing")).toEqual({ type: "typing", sender_type: "customer" });
    theirs.send({ type: "typing" });
    expect(await mine.nextFrame("typing")).toEqual({ type: "typing", sender_type: "agent" });
    expect(frameTypesOf(mine)).toEqual(["resync", "typing"]);
  });

  it("applies the rules of the HTTP call and names the refused message", async () => {
    const end = await connectShopper();
    end.send(message("  ", "empty"));
    expect(await end.nextFrame("error")).toMatchObject({ code: "BAD_REQUEST", client_id: "empty" });
    end.send(message("x".repeat(4_001), "long"));
    expect(await end.nextFrame("error")).toMatchObject({ code: "BAD_REQUEST", client_id: "long" });
    end.send(message("Once", "c-1"));
    const first = await end.nextFrame("message");
    end.send(message("Twice", "c-1"));
    expect(await end.nextFrame("error")).toMatchObject({
      code: "CONFLICT",
      client_id: "c-1",
      context: { message: first.message },
    });
    expect(contentsOf(await readMessages())).toEqual(["Hello", "Once"]);
  });

  it("names the invalid field and the client_id where it can be read", async () => {
    const end = await connectShopper();
    end.send(message("\u0007", "bell"));
    expect(await end.nextFrame("error")).toEqual({
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
    expect(await end.nextFrame("error")).toMatchObject({
      context: { field: "content", issues: [{ field: "content" }, { field: "client_id" }] },
      client_id: null,
    });
    end.sendText("[]");
    expect(await end.nextFrame("error")).toMatchObject({
      context: { field: "frame" },
      client_id: null,
    });
    end.sendText("not JSON");
    expect(await end.nextFrame("error")).toMatchObject({
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
  ])("responds to %s with an error and stays open", async (text) => {
    const end = await connectShopper();
    end.sendText(text);
    expect(await end.nextFrame("error")).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.any(String),
    });
    end.sendText(new Uint8Array(new TextEncoder().encode(text)).buffer);
    await end.nextFrame("error");
    end.send(message("Fine"));
    await end.nextFrame("message");
  });

  it.each(['{"type":"ping"}', '{ "type": "ping" }'])("responds to %s with a pong", async (ping) => {
    const end = await connectShopper();
    end.sendText(ping);
    expect(await end.nextFrame("pong")).toEqual({ type: "pong" });
  });

  it("is closed with 1009 by a frame larger than 16 KiB", async () => {
    const end = await connectShopper();
    const bytes = (count: number) => `"${"é".repeat((count - 2) / 2)}"`;
    end.sendText(bytes(16 * 1024));
    await end.nextFrame("error");
    end.sendText(bytes(16 * 1024 + 2));
    expect(await end.waitForClose()).toBe(1009);
    const binary = await connectShopper();
    binary.sendText(new ArrayBuffer(16 * 1024 + 1));
    expect(await binary.waitForClose()).toBe(1009);
  });

  it("is closed with 4009 by the eleventh frame within a second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await connectShopper();
    const send = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) end.send(message(`${number}`));
      for (let number = from; number < to; number += 1) await end.nextFrame("message");
    };
    await send(0, 5);
    vi.setSystemTime(Date.now() + 600);
    await send(5, 10);
    vi.setSystemTime(Date.now() + 399);
    await evict();
    end.send(message("too fast"));
    expect(await end.waitForClose()).toBe(4009);
    expect(await readMessages()).toHaveLength(11);
  });

  it("accepts ten frames per second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await connectShopper();
    for (let sent = 0; sent < 30; sent += 1) {
      if (sent % 10 === 0) vi.setSystemTime(Date.now() + second);
      end.send(message(`${sent}`));
      await end.nextFrame("message");
    }
    expect(end.closeCode()).toBeNull();
  });

  it("ignores frames after it was closed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = await connectShopper();
    end.sendText(new ArrayBuffer(20_000));
    end.send(message("After the end"));
    expect(await end.waitForClose()).toBe(1009);
    expect(contentsOf(await readMessages())).toEqual(["Hello"]);
  });
});
