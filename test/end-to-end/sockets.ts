import { setTimeout as pause } from "node:timers/promises";

type Frame = Readonly<{ type: string; message?: unknown; latest_message_at?: string | null }>;

/** One end of a conversation. */
export type Socket = Readonly<{
  send(frame: object): void;
  /** Waits for the next frame of a type after those that were waited for before. */
  next(type: string): Promise<Frame>;
  hangUp(): void;
}>;

const arrivesWithinMs = 30_000;

/** Opens a socket at an address of the service. */
export function socketAt(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Socket> {
  // Node's own takes headers, of which the browser's types know nothing.
  const socket: WebSocket = Reflect.construct(WebSocket, [
    `${origin.replace("http", "ws")}${path}`,
    { headers },
  ]);
  const frames: Frame[] = [];
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data))));

  async function next(type: string): Promise<Frame> {
    const deadline = performance.now() + arrivesWithinMs;
    while (performance.now() < deadline) {
      const at = frames.findIndex((frame) => frame.type === type);
      const [found] = at === -1 ? [] : frames.splice(at, 1);
      if (found) return found;
      await pause(10);
    }
    throw new Error(`No ${type} arrived, but ${JSON.stringify(frames)}.`);
  }

  const opened: Socket = {
    send: (frame) => socket.send(JSON.stringify(frame)),
    next,
    hangUp: () => socket.close(1000, "bye"),
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(opened), { once: true });
    socket.addEventListener("error", () => reject(new Error(`No socket at ${path}.`)), {
      once: true,
    });
  });
}
