import { setTimeout as pause } from "node:timers/promises";

type SocketFrame = Readonly<{ type: string; message?: unknown; latest_message_at?: string | null }>;

/** A socket of a support conversation. */
export type EndToEndSocket = Readonly<{
  send(frame: object): void;
  /** Waits for the next frame of a type that was not returned before. */
  nextFrame(type: string): Promise<SocketFrame>;
  close(): void;
}>;

const frameTimeoutMs = 30_000;

/** Opens a socket of the service. */
export function openSocket(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EndToEndSocket> {
  // Node's WebSocket accepts headers, which the DOM types do not declare.
  const socket: WebSocket = Reflect.construct(WebSocket, [
    `${origin.replace("http", "ws")}${path}`,
    { headers },
  ]);
  const frames: SocketFrame[] = [];
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data))));

  async function next(type: string): Promise<SocketFrame> {
    const deadline = performance.now() + frameTimeoutMs;
    while (performance.now() < deadline) {
      const index = frames.findIndex((candidate) => candidate.type === type);
      const [frame] = index === -1 ? [] : frames.splice(index, 1);
      if (frame) return frame;
      await pause(10);
    }
    throw new Error(`No ${type} arrived, but ${JSON.stringify(frames)}.`);
  }

  const opened: EndToEndSocket = {
    send: (frame) => socket.send(JSON.stringify(frame)),
    nextFrame: next,
    close: () => socket.close(1000, "bye"),
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(opened), { once: true });
    socket.addEventListener("error", () => reject(new Error(`No socket at ${path}.`)), {
      once: true,
    });
  });
}
