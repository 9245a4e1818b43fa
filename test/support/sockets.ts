import { exports } from "cloudflare:workers";

type Frame = Readonly<Record<string, unknown>> & Readonly<{ type: string }>;

/** One end of a conversation, as a client has it. */
export type End = Readonly<{
  frames: Frame[];
  closed: () => number | null;
  /** The code with which the other side closes. */
  closing: () => Promise<number>;
  send: (frame: unknown) => void;
  sendText: (text: string | ArrayBuffer) => void;
  /** Waits for the next frame of a type after those that were waited for before. */
  next: (type: string) => Promise<Frame>;
  hangUp: () => void;
  cookie: string | null;
}>;

/** Opens a socket through the whole Worker. */
export async function openEnd(path: string, headers: Record<string, string> = {}): Promise<End> {
  const response = await exports.default.fetch(`https://duka.test${path}`, {
    headers: { Upgrade: "websocket", ...headers },
  });
  const { webSocket } = response;
  if (!webSocket) throw new Error(`${response.status} ${await response.text()}`);
  const frames: Frame[] = [];
  const seen = new Map<string, number>();
  let code: number | null = null;
  const closing = new Promise<number>((resolve) => {
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
    closed: () => code,
    closing: () => closing,
    send: (frame) => webSocket.send(JSON.stringify(frame)),
    sendText: (text) => webSocket.send(text),
    async next(type) {
      const before = seen.get(type) ?? 0;
      const ofType = () => frames.filter((frame) => frame.type === type);
      await until(() => ofType().length > before);
      seen.set(type, before + 1);
      return ofType()[before] ?? { type: "none" };
    },
    hangUp: () => webSocket.close(1000, "bye"),
    cookie: response.headers.get("set-cookie")?.split(";")[0] ?? null,
  };
}

/** Waits, on the real clock: expect.poll would move a faked one on. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4_000; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("It did not happen within twenty seconds.");
}
