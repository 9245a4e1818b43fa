import { minute, Refusal } from "../../../shared/kernel/index.ts";
import type { Conversation, Draft, SupportMessage } from "../../../shared/support/index.ts";
import type { Outcome, Reply } from "./calls.ts";

/** The business of a conversation. Its shard stores the list that shows the conversation. */
export type ConversationBusiness = Readonly<{ id: string; shard: string }>;

/** A shopper, identified by a session cookie. */
export type ConversationCaller = Readonly<{
  sessionId: string;
  generation: number;
  ownedSince: number;
  /**
   * Whether this request created the session. Then no other client can have the session's cookie.
   */
  isNew: boolean;
  /**
   * For how long the caller's network may create no conversation; an existing one stays open. Null
   * when it may.
   */
  mayCreateInMs: number | null;
  business: ConversationBusiness;
}>;

/** @throws Refusal RATE_LIMITED when the caller's network may create no conversation now. */
export function assertMayCreate(mayCreateInMs: ConversationCaller["mayCreateInMs"]): void {
  if (mayCreateInMs === null) return;
  throw new Refusal({
    code: "RATE_LIMITED",
    message: "Too many conversations were opened from this network; wait and try again.",
    context: { retry_after_ms: mayCreateInMs },
  });
}

/**
 * The merchant's side of a conversation. `keyId` is the id of the secret key, or of the user of a
 * member.
 */
export type ConversationAgent = Readonly<{ businessId: string; keyId: string }>;

export type ConversationPage = Readonly<{
  conversation: Conversation;
  /** Oldest first. */
  messages: readonly SupportMessage[];
}>;

/**
 * A part of a conversation: the first messages after `after` (epoch milliseconds), or the latest
 * messages when `after` is null.
 */
export type MessageRange = Readonly<{ after: number | null; limit: number }>;

/** The response to a caller with a session cookie. */
export type SessionResponse<T> = Readonly<{
  data: T;
  /** Whether the session's object confirmed the cookie. Only a confirmed cookie may be renewed. */
  isConfirmed: boolean;
}>;

/** The outcome is "stale" when the cookie was issued before the session's last login or logout. */
export type SessionReply<T> = Reply<SessionResponse<T> | "stale">;

/**
 * Who opens a socket. Sent as a header of a request, because an RPC call cannot return a socket.
 */
export type SocketRequest =
  | CustomerSocketRequest
  | Readonly<{ role: "agent"; agent: ConversationAgent; keyHash: string }>
  | TicketSocketRequest;

/** Begins the `keyHash` of a socket that a member opened; the hash of the cookie's token follows. */
export const consoleCredentialPrefix = "console:";

/** `keyHash` is the digest of the API key. The socket is closed when that key is revoked. */
export type CustomerSocketRequest = Readonly<{
  role: "customer";
  caller: ConversationCaller;
  keyHash: string;
}>;

/** An agent who has a ticket instead of a key. */
export type TicketSocketRequest = Readonly<{
  role: "ticket";
  businessId: string;
  ticketHash: string;
}>;

/** A ticket with which an agent's browser opens one socket, and the key that it was made with. */
export type SocketTicket = Readonly<{ ticketHash: string; keyHash: string }>;

export const socketTicketTtlMs = minute;

export const socketRequestHeader = "X-Socket-Request";

/** The HTTP status with which a conversation's object refuses to open a socket. */
export const socketRefusalStatus = { stale: 410, unknown: 404, full: 429 } as const;

// Safe: only the Workers of this project can call the object, and they set this header.
export const readSocketRequest = (request: Request): SocketRequest =>
  JSON.parse(request.headers.get(socketRequestHeader) ?? "") as SocketRequest;

export const refuseSocket = (why: keyof typeof socketRefusalStatus): Response =>
  new Response(null, { status: socketRefusalStatus[why] });

/** The RPC interface of a conversation's Durable Object. The object's name is the thread id. */
export type ConversationObject = Readonly<{
  open(caller: ConversationCaller): Promise<SessionReply<ConversationPage>>;
  post(caller: ConversationCaller, draft: Draft): Promise<SessionReply<SupportMessage>>;
  listMessages(
    caller: ConversationCaller,
    range: MessageRange,
  ): Promise<SessionReply<readonly SupportMessage[]>>;

  /**
   * Invalidates the cookies of earlier logins. The session's object calls this before each login or
   * logout takes effect.
   *
   * @param keptSocketId the shopper's socket that pauses until `confirmHolder` continues it.
   */
  revokeEarlierGenerations(generation: number, keptSocketId?: string | null): Promise<void>;
  /**
   * Tells the conversation which customer the current cookie belongs to. Called by the session's
   * object.
   */
  confirmHolder(
    holder: Readonly<{ generation: number; customerId: string | null }>,
    keptSocketId: string | null,
  ): Promise<void>;

  read(businessId: string, range: MessageRange): Promise<Outcome<ConversationPage>>;
  postAsAgent(agent: ConversationAgent, draft: Draft): Promise<Reply<SupportMessage>>;
  /** Stores a ticket with which an agent's browser opens one socket. */
  addTicket(agent: ConversationAgent, ticket: SocketTicket): Promise<Outcome<null>>;
  /** Marks the customer's messages until a time (epoch milliseconds) as read, or all of them. */
  markRead(businessId: string, until: number | null): Promise<Outcome<Conversation>>;
  /** Whether the shopper has no open socket and has not read the conversation since this time. */
  isShopperAway(businessId: string, since: number): Promise<boolean>;
  close(agent: ConversationAgent): Promise<Outcome<Conversation>>;
  /** Erases the conversation's messages and its customer. May be called again. */
  erase(subject: Readonly<{ businessId: string; customerId: string }>): Promise<void>;

  /** Deletes everything that the object stores about the business; safe to repeat. */
  eraseAll(businessId: string): Promise<void>;

  fetch(url: string, init: Readonly<{ headers: Record<string, string> }>): Promise<Response>;
}>;

export type ConversationBinding = Readonly<{ getByName(threadId: string): ConversationObject }>;
