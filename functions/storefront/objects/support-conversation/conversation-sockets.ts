import { isSilent, type SenderType, withFrame } from "../../../../shared/support/index.ts";
import { frames, isTooLarge, plainPing } from "./conversation-frames.ts";

/** Whose end of the conversation a socket is. */
type SocketRole = Extract<SenderType, "customer" | "agent">;

/** What is known of a socket; it outlives the object's sleep, as the socket does. */
type Attachment = Readonly<{
  role: SocketRole;
  /** The generation of the cookie that opened it; null for an agent's. */
  generation: number | null;
  /** The merchant's key; null for a customer's. */
  keyId: string | null;
  /** The digest of the key that opened it. */
  keyHash: string;
  /** When its last pong came, or it was opened. */
  heardAt: number;
  /** When its latest frames came. */
  frameTimes: readonly number[];
  /** It was closed from here: whatever comes yet is not read. */
  isOver: boolean;
}>;

/** Who opened a socket. */
export type Opener = Pick<Attachment, "role" | "generation" | "keyId" | "keyHash">;

/** A socket of the conversation, as its handlers see it. */
export type Peer = Readonly<{ socket: WebSocket }> & Attachment;

/** More than the tabs of a shopper, or the people who answer one: each message goes to all of them. */
const mostOfRole = 20;

/** Closing codes (completions.md 10). */
const closings = {
  notAuthorised: { code: 4001, reason: "not authorised" },
  noPong: { code: 4008, reason: "no pong" },
  tooFast: { code: 4009, reason: "too many frames" },
  tooLarge: { code: 1009, reason: "frame too large" },
} as const;

/** The sockets of one conversation, asleep or awake. */
export function conversationSockets(state: DurableObjectState, now: () => number) {
  const all = (): Peer[] =>
    state
      .getWebSockets()
      .map(peerOf)
      .filter(({ isOver }) => !isOver);

  function note(peer: Peer, change: Partial<Attachment>): Peer {
    const { socket, ...attachment } = { ...peer, ...change };
    socket.serializeAttachment(attachment);
    return { socket, ...attachment };
  }

  function end(peer: Peer, closing: keyof typeof closings): void {
    note(peer, { isOver: true });
    const { code, reason } = closings[closing];
    peer.socket.close(code, reason);
  }

  /** One that is going away while it is written to hears of it when it comes back (resync). */
  function send({ socket }: Peer, frame: string): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(frame);
  }

  const heardAtOf = ({ socket, heardAt }: Peer): number =>
    Math.max(heardAt, state.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0);

  return {
    all,
    send,
    end,

    /** Whether a side has all its sockets; one whose closing was not answered yet counts. */
    isFull: (role: SocketRole): boolean => state.getWebSockets(role).length >= mostOfRole,

    /** Takes a socket up; what comes back is the caller's end of it. */
    accept(opener: Opener, greeting: string): WebSocket {
      const { 0: client, 1: server } = new WebSocketPair();
      state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(plainPing, frames.pong));
      state.acceptWebSocket(server, [opener.role]);
      const peer = { socket: server, ...opener, heardAt: now(), frameTimes: [], isOver: false };
      send(note(peer, {}), greeting);
      return client;
    },

    /** Counts a frame in; null when it is not to be read, and its socket closed if it broke a limit. */
    admit(socket: WebSocket, data: string | ArrayBuffer): Peer | null {
      const peer = peerOf(socket);
      if (peer.isOver) return null;
      const frameTimes = withFrame(peer.frameTimes, now());
      if (frameTimes === null) end(peer, "tooFast");
      else if (isTooLarge(data)) end(peer, "tooLarge");
      else return note(peer, { frameTimes });
      return null;
    },

    /** It went away by itself. */
    gone: (socket: WebSocket) => note(peerOf(socket), { isOver: true }),

    heard: (peer: Peer) => note(peer, { heardAt: now() }),

    broadcast(frame: string, except?: WebSocket): void {
      for (const peer of all()) if (peer.socket !== except) send(peer, frame);
    },

    /** Ends customers' sockets that cookies of earlier generations opened. */
    endBefore(generation: number): void {
      for (const peer of all())
        if (peer.generation !== null && peer.generation < generation) end(peer, "notAuthorised");
    },

    endCustomers(): void {
      for (const peer of all()) if (peer.role === "customer") end(peer, "notAuthorised");
    },

    /** Ends whoever has not answered for too long; when each of the others was last heard. */
    endSilent(): number[] {
      const heard: number[] = [];
      for (const peer of all()) {
        const heardAt = heardAtOf(peer);
        if (isSilent(heardAt, now())) end(peer, "noPong");
        else heard.push(heardAt);
      }
      return heard;
    },
  };
}

export type ConversationSockets = ReturnType<typeof conversationSockets>;

function peerOf(socket: WebSocket): Peer {
  // Safe: every accepted socket bears what `note` attached.
  const attachment = socket.deserializeAttachment() as Attachment;
  return { socket, ...attachment };
}
