/** The two ends of a conversation, as a shopper and an agent have them open. */

/** A socket may send so many frames within any second (completions.md 10). */
const framesPerSecond = 10;
/** A little more than the second, since the clocks of both sides count whole milliseconds. */
const windowMs = 1_005;
const patienceMs = 10_000;

export type Conversation = Readonly<{
  /** Waits until the shopper may send another frame; whether there was anything to wait for. */
  turn(): Promise<boolean>;
  /** Sends a message by the shopper's socket, until the agent's has it. */
  speak(): Promise<void>;
  hangUp(): void;
}>;

export function between(shopper: WebSocket, agent: WebSocket): Conversation {
  /** When the latest frames had certainly arrived: each was counted at that time or before. */
  let arrivals: readonly number[] = [];
  return {
    async turn() {
      const [oldest = Number.NEGATIVE_INFINITY] = arrivals.slice(-framesPerSecond);
      const isFree = arrivals.length < framesPerSecond;
      const wait = isFree ? 0 : oldest + windowMs - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      return wait > 0;
    },
    async speak() {
      const clientId = crypto.randomUUID();
      const received = awaited({ shopper, agent }, clientId);
      shopper.send(JSON.stringify({ type: "message", content: "Hello", client_id: clientId }));
      await received.finally(() => {
        arrivals = [...arrivals.slice(1 - framesPerSecond), performance.now()];
      });
    },
    hangUp() {
      shopper.close();
      agent.close();
    },
  };
}

export function socketAt(url: string, headers: Record<string, string>): Promise<WebSocket> {
  // Node's own takes headers, of which the browser's types know nothing.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }]);
  return new Promise((resolve, reject) => {
    // The greeting: from then on the object sends to it.
    socket.addEventListener("message", () => resolve(socket), { once: true });
    const failed = (event: Event) =>
      reject(
        new Error(`No socket at ${url}`, { cause: "error" in event ? event.error : event.type }),
      );
    socket.addEventListener("error", failed, { once: true });
    socket.addEventListener("close", ({ code }) => reject(new Error(`Closed with ${code}`)));
  });
}

/** Waits for one message at the agent's socket, by its client_id. */
function awaited(
  { shopper, agent }: Readonly<{ shopper: WebSocket; agent: WebSocket }>,
  clientId: string,
): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("A message did not arrive.")), patienceMs);
    signal.addEventListener("abort", () => clearTimeout(timer));
    for (const socket of [shopper, agent]) {
      if (socket.readyState !== WebSocket.OPEN) reject(new Error("The socket is closed."));
      const closed = ({ code, reason }: CloseEvent) =>
        reject(new Error(`Closed with ${code}: ${reason}`));
      socket.addEventListener("close", closed, { signal });
    }
    const listen = ({ data }: MessageEvent) => {
      if (String(data).includes(clientId)) resolve();
    };
    agent.addEventListener("message", listen, { signal });
  }).finally(() => stop.abort());
}
