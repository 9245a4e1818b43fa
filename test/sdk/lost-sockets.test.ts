import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStorefront } from "../../sdk/src/index.ts";

const session = { load: () => "token", save: () => {} };

/** A socket whose frames and whose end the test decides. */
class FakeSocket extends EventTarget<WebSocketEventMap> {
  readonly sent: unknown[] = [];
  isClosed = false;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.isClosed = true;
  }
  receive(frame: object) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
  greet() {
    this.receive({ type: "resync", latest_message_at: null, socket_id: "secret" });
  }
  lose() {
    this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
  }
}

let sockets: FakeSocket[];

/** Iterates over a connection to fake sockets, which missed nothing. */
function listen(input: { after?: string } = {}) {
  const shop = createStorefront({
    ...{ baseUrl: "https://duka.test", publicKey: "pk_test", session },
    fetch: async () => Response.json({ success: true, data: [] }),
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  });
  const connection = shop.support.connect(input);
  const contents: string[] = [];
  const ended = (async () => {
    for await (const { content } of connection) contents.push(content);
  })();
  return { contents, ended, close: connection.close };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1); // the longest waits
  sockets = [];
});

describe("a socket", () => {
  it("answers pings, and passes over frames that the client does not know", async () => {
    const { contents, close, ended } = listen();
    await pass(0);
    sockets[0]?.greet();
    sockets[0]?.receive({ type: "ping", at: "2026-01-01T00:00:30.000Z" });
    sockets[0]?.receive({ type: "of a later version" });
    sockets[0]?.receive({ type: "message", message: { text: "of no known form" } });
    const created_at = "2026-01-01T00:00:31.000Z";
    sockets[0]?.receive({
      type: "message",
      message: { id: "msg_1", content: "Hello", created_at },
    });
    await pass(0);
    expect(sockets[0]?.sent).toEqual([{ type: "pong" }]);
    expect(contents).toEqual(["Hello"]);
    close();
    await ended;
  });

  it("brings what follows a time, in whichever zone the time is written", async () => {
    const { contents, close, ended } = listen({ after: "2026-01-01T01:00:00+01:00" });
    await pass(0);
    sockets[0]?.greet();
    const message = (content: string, created_at: string) =>
      sockets[0]?.receive({ type: "message", message: { id: content, content, created_at } });
    message("Before", "2025-12-31T23:59:59.999Z");
    message("Then", "2026-01-01T00:00:00.000Z");
    message("After", "2026-01-01T00:00:00.001Z");
    await pass(0);
    expect(contents).toEqual(["After"]);
    close();
    await ended;
  });

  it("that is silent for longer than two pings is replaced", async () => {
    const { close, ended } = listen();
    await pass(0);
    sockets[0]?.greet();
    await pass(70_000);
    sockets[0]?.receive({ type: "ping" });
    await pass(74_999);
    expect(sockets[0]?.isClosed).toBe(false);
    await pass(1);
    expect(sockets[0]?.isClosed).toBe(true);
    await pass(500);
    expect(sockets).toHaveLength(2);
    close();
    await ended;
    expect(sockets[1]?.isClosed).toBe(true);
  });
});

describe("the wait before a new socket", () => {
  /** The milliseconds until the next socket, after the latest one was lost. */
  async function loseAndWait(): Promise<number> {
    const { length } = sockets;
    sockets.at(-1)?.lose();
    let waited = 0;
    await pass(0);
    for (; sockets.length === length; waited += 250) await pass(250);
    return waited;
  }

  it("doubles up to half a minute, and is short again after a greeting", async () => {
    const { close, ended } = listen();
    await pass(0);
    const waits: number[] = [];
    for (let times = 1; times <= 8; times += 1) waits.push(await loseAndWait());
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    sockets.at(-1)?.greet();
    await pass(0);
    expect(await loseAndWait()).toBe(500);
    close();
    await ended;
  });

  it("ends with close", async () => {
    const { close, ended } = listen();
    await pass(0);
    sockets[0]?.lose();
    await pass(100);
    close();
    await ended;
    await pass(60_000);
    expect(sockets).toHaveLength(1);
  });
});
