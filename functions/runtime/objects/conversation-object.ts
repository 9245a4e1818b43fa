import type { Conversation, Draft, SupportMessage } from "../../../shared/support/index.ts";
import type { Outcome, Reply } from "./calls.ts";

/** The business of a conversation, and the shard that lists the conversation. */
export type ConversationBusiness = Readonly<{ id: string; shard: string }>;

/** A shopper, identified by a session cookie. */
export type ConversationCaller = Readonly<{
  sessionId: string;
  generation: number;
  ownedSince: number;
  /** Whether this request created the session, so that no other client has its cookie. */
  isNew: boolean;
  business: ConversationBusiness;
}>;

/** The merchant's side of a conversation, identified by a secret key. */
export type ConversationAgent = Readonly<{ businessId: string; keyId: string }>;

export type ConversationPage = Readonly<{
  conversation: Conversation;
  /** Oldest first. */
  messages: readonly SupportMessage[];
}>;

/** The first messages after a time in epoch milliseconds; without a time, the latest messages. */
export type MessageRange = Readonly<{ after: number | null; limit: number }>;

/** The response to a caller with a session cookie. */
export type SessionResponse<T> = Readonly<{
  data: T;
  /** Whether the session's object confirmed the cookie; only a confirmed cookie is renewed. */
  isConfirmed: boolean;
}>;

/** "stale" when the cookie was issued before the session's last login or logout. */
export type SessionReply<T> = Reply<SessionResponse<T> | "stale">;

/** Who opens a socket. It is sent as a header, because RPC cannot return a socket. */
export type SocketOpening = Readonly<{
  opener:
    | Readonly<{ role: "customer"; caller: ConversationCaller }>
    | Readonly<{ role: "agent"; agent: ConversationAgent }>;
  /** The digest of the key that was used; the socket is closed when that key is revoked. */
  keyHash: string;
}>;

export const socketOpeningHeader = "X-Socket-Opening";

/** The status with which the object refuses a socket. */
export const socketRefusalStatus = { stale: 410, unknown: 404, full: 429 } as const;

/** The RPC interface of a conversation's Durable Object, which is named by the thread id. */
export type ConversationObject = Readonly<{
  open(caller: ConversationCaller): Promise<SessionReply<ConversationPage>>;
  post(caller: ConversationCaller, draft: Draft): Promise<SessionReply<SupportMessage>>;
  listMessages(
    caller: ConversationCaller,
    range: MessageRange,
  ): Promise<SessionReply<readonly SupportMessage[]>>;

  /** Called by the session's object before it starts a new generation. */
  revokeEarlierGenerations(generation: number): Promise<void>;
  /** Called by the session's object with the holder of the current generation. */
  confirmHolder(holder: Readonly<{ generation: number; customerId: string | null }>): Promise<void>;

  read(businessId: string, range: MessageRange): Promise<Outcome<ConversationPage>>;
  postAsAgent(agent: ConversationAgent, draft: Draft): Promise<Reply<SupportMessage>>;
  close(agent: ConversationAgent): Promise<Outcome<Conversation>>;
  /** Erases the messages and the customer of the conversation; safe to repeat. */
  erase(subject: Readonly<{ businessId: string; customerId: string }>): Promise<void>;

  fetch(url: string, init: Readonly<{ headers: Record<string, string> }>): Promise<Response>;
}>;

export type ConversationBinding = Readonly<{ getByName(threadId: string): ConversationObject }>;
