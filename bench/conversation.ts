/** A socket may send this many frames within any second. */
const framesPerSecond = 10;
/**
 * A little more than a second, because client and server round their clocks to whole milliseconds.
 */
const rateWindowMs = 1_005;
const messageTimeoutMs = 10_000;

/** A support conversation with a shopper's and an agent's socket. */
export type Conversation = Readonly<{
  /** Waits until the shopper may send another frame. Returns whether a wait was necessary. */
  waitForTurn(): Promise<boolean>;
  /** Sends a message from the shopper and waits until the agent receives it. */
  sendMessage(): Promise<void>;
  close(): void;
}>;

export function createConversation(shopper: WebSocket, agent: WebSocket): Conversation {
  /**
   * When the latest messages had arrived. The server counted each message at that time or earlier.
   */
  let arrivals: readonly number[] = [];
  return {
    async waitForTurn() {
      const [oldest = Number.NEGATIVE_INFINITY] = arrivals.slice(-framesPerSecond);
      const isBelowLimit = arrivals.length < framesPerSecond;
      const waitMs = isBelowLimit ? 0 : oldest + rateWindowMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return waitMs > 0;
    },
    async sendMessage() {
      const clientId = crypto.randomUUID();
      const received = waitForMessage({ shopper, agent }, clientId);
      shopper.send(JSON.stringify({ type: "message", content: "Hello", client_id: clientId }));
      await received.finally(() => {
        arrivals = [...arrivals.slice(1 - framesPerSecond), performance.now()];
      });
    },
    close() {
      shopper.close();
      agent.close();
    },
  };
}

export function openSocket(url: string, headers: Record<string, string>): Promise<WebSocket> {
  // Node's WebSocket accepts headers, but the DOM's types do not declare them.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }]);
  return new Promise((resolve, reject) => {
    // After this first frame, the server sends all messages to this socket too.
    socket.addEventListener("message", () => resolve(socket), { once: true });
    const onError = (event: Event) =>
      reject(
        new Error(`No socket at ${url}`, { cause: "error" in event ? event.error : event.type }),
      );
    socket.addEventListener("error", onError, { once: true });
    socket.addEventListener("close", ({ code }) => reject(new Error(`Closed with ${code}`)));
  });
}

/** Waits until the agent's socket receives the message with the client_id. */
function waitForMessage(
  { shopper, agent }: Readonly<{ shopper: WebSocket; agent: WebSocket }>,
  clientId: string,
): Promise<void> {
  const listeners = new AbortController();
  const { signal } = listeners;
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("A message did not arrive.")),
      messageTimeoutMs,
    );
    signal.addEventListener("abort", () => clearTimeout(timer));
    for (const socket of [shopper, agent]) {
      if (socket.readyState !== WebSocket.OPEN) reject(new Error("The socket is closed."));
      const onClose = ({ code, reason }: CloseEvent) =>
        reject(new Error(`Closed with ${code}: ${reason}`));
      socket.addEventListener("close", onClose, { signal });
    }
    const listen = ({ data }: MessageEvent) => {
      if (String(data).includes(clientId)) resolve();
    };
    agent.addEventListener("message", listen, { signal });
  }).finally(() => listeners.abort());
}
