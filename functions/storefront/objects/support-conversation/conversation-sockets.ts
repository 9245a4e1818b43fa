import { generateToken, second } from "../../../../shared/kernel/index.ts";
import {
  type Conversation,
  isPongOverdue,
  type SenderType,
  withFrameTime,
} from "../../../../shared/support/index.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { frames, isTooLarge, plainPing } from "./conversation-frames.ts";

type SocketRole = Extract<SenderType, "customer" | "agent">;

/**
 * The state attached to a socket. The state survives a hibernation of the object, as the socket
 * does.
 */
type SocketState = Readonly<{
  /** A secret of the client that opened the socket. */
  id: string;
  role: SocketRole;
  /** The generation of the session cookie that opened a customer's socket; null for an agent's. */
  generation: number | null;
  /** The id of the key that opened an agent's socket; null for a customer's. */
  keyId: string | null;
  /** The digest of the API key that opened the socket. */
  keyHash: string;
  /** When the client last sent a ping or pong, or opened the socket. */
  lastPongAt: number;
  /** The times of the most recent frames. */
  frameTimes: readonly number[];
  /** Whether the socket was closed. Frames that still arrive are then ignored. */
  isClosed: boolean;
  /** Since when the socket waits for a login to be stored. It receives and posts no messages. */
  pausedAt: number | null;
}>;

export type SocketOpener = Pick<SocketState, "role" | "generation" | "keyId" | "keyHash">;

/** A socket with its state. */
export type ConversationSocket = Readonly<{ socket: WebSocket }> & SocketState;

const maxSocketsPerRole = 20;

/** A login is stored within a second. A socket that is paused for longer belongs to a failed one. */
const maxPauseMs = 10 * second;

/** The codes with which the service closes a socket (docs/contract/events.md#support-close-codes). */
const closeReasons = {
  notAuthorised: { code: 4001, reason: "not authorised" },
  noPong: { code: 4008, reason: "no pong" },
  tooFast: { code: 4009, reason: "too many frames" },
  tooLarge: { code: 1009, reason: "frame too large" },
} as const;

type ContinuedLogin = Readonly<{ keptSocketId: string | null; conversation: Conversation }>;

const isPausedTooLong = ({ pausedAt }: ConversationSocket): boolean =>
  pausedAt !== null && runtime.now() - pausedAt > maxPauseMs;

/** The sockets of one conversation, including those that were opened before a hibernation. */
export function createConversationSockets(state: DurableObjectState) {
  const all = (): ConversationSocket[] =>
    state
      .getWebSockets()
      .map(withState)
      .filter(({ isClosed }) => !isClosed);

  function updateState(
    connection: ConversationSocket,
    change: Partial<SocketState>,
  ): ConversationSocket {
    const { socket, ...socketState } = { ...connection, ...change };
    socket.serializeAttachment(socketState);
    return { socket, ...socketState };
  }

  function close(connection: ConversationSocket, why: keyof typeof closeReasons): void {
    updateState(connection, { isClosed: true });
    const { code, reason } = closeReasons[why];
    connection.socket.close(code, reason);
  }

  /**
   * Sends a frame, but not to a socket that is closing. Its client loads missed messages when it
   * connects again.
   */
  function send({ socket }: Pick<ConversationSocket, "socket">, frame: string): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(frame);
  }

  /**
   * The time of the socket's last ping or pong. While the object hibernates, the Cloudflare runtime
   * responds to pings and stores only a timestamp.
   */
  const lastPongOf = ({ socket, lastPongAt }: ConversationSocket): number =>
    Math.max(lastPongAt, state.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0);

  const ofEarlierGenerations = (generation: number): ConversationSocket[] =>
    all().filter(
      (connection) => connection.generation !== null && connection.generation < generation,
    );

  return {
    all,
    send,
    close,

    /**
     * Whether a role has its maximum of 20 sockets. A socket counts until its close handshake is
     * complete.
     */
    isFull: (role: SocketRole): boolean => state.getWebSockets(role).length >= maxSocketsPerRole,

    /** Accepts a socket, sends the resync frame, and returns the client's end. */
    accept(opener: SocketOpener, conversation: Conversation): WebSocket {
      const { 0: client, 1: server } = new WebSocketPair();
      state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(plainPing, frames.pong));
      state.acceptWebSocket(server, [opener.role]);
      const id = generateToken(runtime.randomBytes);
      const timing = { lastPongAt: runtime.now(), frameTimes: [], isClosed: false, pausedAt: null };
      const connection = updateState({ socket: server, ...opener, id, ...timing }, {});
      send(connection, frames.resync(conversation, id));
      return client;
    },

    /**
     * Counts a frame and returns its sender. Closes a socket that exceeds a limit. Returns null
     * when the frame must be ignored.
     */
    admitFrame(socket: WebSocket, data: string | ArrayBuffer): ConversationSocket | null {
      const connection = withState(socket);
      if (connection.isClosed) return null;
      const frameTimes = withFrameTime(connection.frameTimes, runtime.now());
      if (frameTimes === null) close(connection, "tooFast");
      else if (isTooLarge(data)) close(connection, "tooLarge");
      else return updateState(connection, { frameTimes });
      return null;
    },

    /** Records that the client closed the socket. */
    markClosed: (socket: WebSocket) => updateState(withState(socket), { isClosed: true }),

    recordPong: (connection: ConversationSocket) =>
      updateState(connection, { lastPongAt: runtime.now() }),

    broadcast(frame: string, except?: WebSocket): void {
      for (const connection of all())
        if (connection.socket !== except && connection.pausedAt === null) send(connection, frame);
    },

    /**
     * Closes the customer sockets that were opened with cookies of earlier generations. Pauses the
     * socket that the login names, because its client will have the new cookie.
     */
    revokeEarlierGenerations(generation: number, keptSocketId: string | null): void {
      for (const connection of ofEarlierGenerations(generation)) {
        if (connection.id === keptSocketId) updateState(connection, { pausedAt: runtime.now() });
        else close(connection, "notAuthorised");
      }
    },

    /**
     * Continues the socket that a stored login names, if that login has paused it. Closes all other
     * customer sockets of earlier generations.
     */
    continueAfterLogin(generation: number, login: ContinuedLogin): void {
      for (const connection of ofEarlierGenerations(generation)) {
        if (connection.id === login.keptSocketId && connection.pausedAt !== null) {
          send(
            updateState(connection, { generation, pausedAt: null }),
            frames.resync(login.conversation, connection.id),
          );
        } else close(connection, "notAuthorised");
      }
    },

    closeAll(): void {
      for (const connection of all()) close(connection, "notAuthorised");
    },

    closeCustomerSockets(): void {
      for (const connection of all())
        if (connection.role === "customer") close(connection, "notAuthorised");
    },

    /**
     * Closes the sockets whose pong is overdue or whose login failed, and returns the last pong
     * times of the others.
     */
    closeUnresponsive(): number[] {
      const lastPongTimes: number[] = [];
      for (const connection of all()) {
        const lastPongAt = lastPongOf(connection);
        if (isPongOverdue(lastPongAt, runtime.now())) close(connection, "noPong");
        else if (isPausedTooLong(connection)) close(connection, "notAuthorised");
        else lastPongTimes.push(lastPongAt);
      }
      return lastPongTimes;
    },
  };
}

export type ConversationSockets = ReturnType<typeof createConversationSockets>;

function withState(socket: WebSocket): ConversationSocket {
  // Safe: `accept` attaches the state to every socket.
  const socketState = socket.deserializeAttachment() as SocketState;
  return { socket, ...socketState };
}
