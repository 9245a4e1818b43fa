import { DukaError, UnauthorizedError } from "./errors.ts";
import { isRecord } from "./route.ts";
import { delay } from "./send.ts";
import type { CallOptions } from "./types.ts";

/** A conversation's messages as they arrive. `close()` ends the iteration. */
export type Connection<M> = AsyncIterable<M> & Readonly<{ close: () => void }>;

/** What a connection needs of a WebSocket. Those of other packages, such as `ws`, fit too. */
export type Socket = {
  send(text: string): void;
  close(): void;
  addEventListener(type: "message", listen: (event: Readonly<{ data: unknown }>) => void): void;
  addEventListener(type: "close", listen: (event: Readonly<{ code: number }>) => void): void;
  addEventListener(type: "error", listen: () => void): void;
};

export type SocketOptions = Readonly<{
  /** Opens WebSockets where there is no global `WebSocket`, as in Node 20. */
  openSocket?: ((url: string, protocols: string[]) => Socket | Promise<Socket>) | undefined;
}>;

export const openWebSocket = (
  { openSocket }: SocketOptions,
  url: string,
  protocols: string[],
): Socket | Promise<Socket> =>
  openSocket ? openSocket(url, protocols) : new WebSocket(url, protocols);

type ConnectionInput<M> = Readonly<{
  /** Opens a socket with current credentials. */
  open: (options: CallOptions) => Promise<Socket>;
  /** Reads a page of the messages after a time, oldest first. */
  readAfter: (input: { after?: string }, options: CallOptions) => Promise<readonly M[]>;
  /** The time after which messages are wanted. Left out, those that arrive from now on. */
  after?: string | undefined;
  isMessage: (value: unknown) => value is M;
  onSocketId?: ((socketId: string) => void) | undefined;
}>;

/** The service closes a socket with this code when it does not let the caller in. */
const unauthorizedCode = 4001;
const maxRefusals = 3;
const maxDelayMs = 30_000;
/** The service pings every 30 seconds, so a socket without frames for longer is dead. */
const silenceMs = 75_000;

/**
 * Iterates over the messages of a conversation. A lost socket is opened again with back-off, and
 * what was said meanwhile is read first, so that no message is missed and none comes twice.
 *
 * @throws UnauthorizedError when the service refuses the caller three times in a row; any other
 * error that another try would not end, such as NotFoundError.
 */
export function connect<M extends Readonly<{ created_at: string }>>(
  input: ConnectionInput<M>,
): Connection<M> {
  const controller = new AbortController();
  const { signal } = controller;
  const readAfter = (after: string) => input.readAfter(after ? { after } : {}, { signal });

  async function* iterate(): AsyncGenerator<M> {
    let { after } = input;
    let attempts = 0;
    let refusals = 0;
    while (!signal.aborted) {
      try {
        for await (const frame of readFrames(await input.open({ signal }), signal)) {
          const { type, message, socket_id: socketId, latest_message_at: latest } = frame;
          if (type === "resync") {
            attempts = 0;
            refusals = 0;
            if (typeof socketId === "string") input.onSocketId?.(socketId);
            after ??= typeof latest === "string" ? latest : "";
            for (
              let page = await readAfter(after);
              page.length > 0;
              page = await readAfter(after)
            ) {
              for (const missed of page) {
                if (signal.aborted) return;
                after = missed.created_at;
                yield missed;
              }
            }
          } else if (type === "message" && input.isMessage(message)) {
            if (after && Date.parse(message.created_at) <= Date.parse(after)) continue;
            after = message.created_at;
            yield message;
          }
        }
      } catch (error) {
        if (signal.aborted) return;
        const isRefusal = error instanceof UnauthorizedError && ++refusals < maxRefusals;
        if (!isRefusal && !(error instanceof DukaError && error.retryable)) throw error;
      }
      const delayMs = Math.min(500 * 2 ** attempts++, maxDelayMs);
      await delay(delayMs * (0.5 + Math.random() / 2), signal).catch(() => undefined);
    }
  }

  return { [Symbol.asyncIterator]: iterate, close: () => controller.abort() };
}

type Frame = Readonly<Record<string, unknown>>;

/** The frames of a socket until it closes. Answers pings. Closes the socket at the end. */
async function* readFrames(socket: Socket, signal: AbortSignal): AsyncGenerator<Frame> {
  const frames: Frame[] = [];
  let closeCode: number | undefined;
  let wake = () => {};
  const end = (code: number) => {
    closeCode ??= code;
    wake();
  };
  const startTimer = () => setTimeout(() => end(1006), silenceMs);
  let timer = startTimer();
  const abort = () => end(1000);
  socket.addEventListener("message", ({ data }) => {
    clearTimeout(timer);
    timer = startTimer();
    const frame: unknown = JSON.parse(String(data));
    if (!isRecord(frame)) return;
    if (frame.type === "ping") socket.send('{"type":"pong"}');
    else frames.push(frame);
    wake();
  });
  socket.addEventListener("close", ({ code }) => end(code));
  socket.addEventListener("error", () => end(1006));
  signal.addEventListener("abort", abort);
  try {
    for (;;) {
      while (frames[0] && !signal.aborted) yield* frames.splice(0, 1);
      if (signal.aborted) return;
      if (closeCode !== undefined) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    socket.close();
  }
  if (closeCode === unauthorizedCode) {
    throw new UnauthorizedError({
      code: "UNAUTHORIZED",
      message: "The service does not let this caller into the conversation.",
      status: 401,
      retryable: false,
    });
  }
}
