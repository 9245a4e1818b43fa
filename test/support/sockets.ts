import { exports } from "cloudflare:workers";

export type SocketFrame = Readonly<Record<string, unknown>> & Readonly<{ type: string }>;

/** A client of a WebSocket. */
export type SocketClient = Readonly<{
  frames: SocketFrame[];
  closeCode: () => number | null;
  /** Waits until the server closes the socket; resolves to the close code. */
  waitForClose: () => Promise<number>;
  send: (frame: unknown) => void;
  sendText: (text: string | ArrayBuffer) => void;
  /** Waits for the next frame of a type after those that earlier calls returned. */
  nextFrame: (type: string) => Promise<SocketFrame>;
  disconnect: () => void;
  cookie: string | null;
  /** The subprotocol that the server selected. */
  protocol: string | null;
}>;

/** Opens a WebSocket through the whole Worker. */
export async function openSocketClient(
  path: string,
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const response = await exports.default.fetch(`https://duka.test${path}`, {
    headers: { Upgrade: "websocket", ...headers },
  });
  const { webSocket } = response;
  if (!webSocket) throw new Error(`${response.status} ${await response.text()}`);
  const frames: SocketFrame[] = [];
  const returned = new Map<string, number>();
  let code: number | null = null;
  const closed = new Promise<number>((resolve) => {
    webSocket.addEventListener("close", (event) => {
      code = event.code;
      resolve(event.code);
    });
  });
  webSocket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)));
  });
  webSocket.accept();
  return {
    frames,
    closeCode: () => code,
    waitForClose: () => closed,
    send: (frame) => webSocket.send(JSON.stringify(frame)),
    sendText: (text) => webSocket.send(text),
    async nextFrame(type) {
      const before = returned.get(type) ?? 0;
      const ofType = () => frames.filter((frame) => frame.type === type);
      await waitUntil(() => ofType().length > before);
      returned.set(type, before + 1);
      return ofType()[before] ?? { type: "none" };
    },
    disconnect: () => webSocket.close(1000, "bye"),
    cookie: response.headers.get("set-cookie")?.split(";")[0] ?? null,
    protocol: response.headers.get("sec-websocket-protocol"),
  };
}

/** Waits in real time: expect.poll would advance a faked clock. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4_000; tries += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("The condition was not met within 20 seconds.");
}
