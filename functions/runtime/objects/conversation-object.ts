import type { Conversation, Draft, Message } from "../../../shared/support/index.ts";
import type { Outcome, Reply } from "./reply.ts";

/** Whose a conversation is, and in which shop database it is listed. */
export type ConversationBusiness = Readonly<{ id: string; shard: string }>;

/** The bearer of a session's cookie. */
export type ConversationCaller = Readonly<{
  sessionId: string;
  generation: number;
  ownedSince: number;
  /** The session was made for this very request: nobody else has its cookie. */
  isNew: boolean;
  business: ConversationBusiness;
}>;

/** A merchant's server, by its key. */
export type ConversationAgent = Readonly<{ businessId: string; keyId: string }>;

export type ConversationPage = Readonly<{
  conversation: Conversation;
  /** In the order that they were said. */
  messages: readonly Message[];
}>;

/** Messages after a moment from the earliest on; without one the latest. */
export type MessageRange = Readonly<{ after: number | null; limit: number }>;

/** What the session's bearer asked for, or that the session is not theirs any more. */
export type Asked<T> = Readonly<{
  answer: T;
  /** Whether the session's object has said so: only then may its cookie live on. */
  isConfirmed: boolean;
}>;

/** What opens a socket: it travels with the request, since RPC carries no sockets. */
export type SocketOpening = Readonly<{
  by:
    | Readonly<{ role: "customer"; caller: ConversationCaller }>
    | Readonly<{ role: "agent"; agent: ConversationAgent }>;
  /** The digest of the key that opened it: when that is revoked, the socket is over. */
  keyHash: string;
}>;

/** Where an opening stands in the object's request. */
export const openingHeader = "X-Socket-Opening";

/** What the object answers to an opening that it did not take. */
export const refusedOpening = { stale: 410, unknown: 404, full: 429 } as const;

/** A conversation's object as it looks from outside; it is named by the thread's id. */
export type ConversationObject = Readonly<{
  open(caller: ConversationCaller): Promise<Reply<Asked<ConversationPage> | "stale">>;
  post(caller: ConversationCaller, draft: Draft): Promise<Reply<Asked<Message> | "stale">>;
  messages(
    caller: ConversationCaller,
    range: MessageRange,
  ): Promise<Reply<Asked<readonly Message[]> | "stale">>;

  /** From its session: cookies of earlier generations are over. */
  raise(generation: number): Promise<void>;
  /** From its session: whose the current generation is. */
  confirm(holder: Readonly<{ generation: number; customerId: string | null }>): Promise<void>;

  read(businessId: string, range: MessageRange): Promise<Outcome<ConversationPage>>;
  postAsAgent(agent: ConversationAgent, draft: Draft): Promise<Reply<Message>>;
  close(agent: ConversationAgent): Promise<Outcome<Conversation>>;
  /** Takes away what a customer said and was told; safe to repeat. */
  erase(of: Readonly<{ businessId: string; customerId: string }>): Promise<void>;

  fetch(url: string, init: Readonly<{ headers: Record<string, string> }>): Promise<Response>;
}>;

export type ConversationBinding = Readonly<{ getByName(threadId: string): ConversationObject }>;
