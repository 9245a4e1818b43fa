import { createLruCache } from "../../shared/kernel/index.ts";
import { callObject, requireKey } from "../http/context.ts";
import {
  assertWithinLimit,
  countRequest,
  type RateLimitedContext,
} from "../http/rate-limits/rate-limit.ts";
import {
  assertMayCreate,
  type ConversationCaller,
  type ConversationObject,
  type SessionReply,
} from "../runtime/objects/conversation-object.ts";
import { runtime } from "../runtime/runtime.ts";
import { readSession, renewSession, type SessionClaims, startSession } from "./caller-session.ts";
import { deriveConversationId } from "./conversation-id.ts";
import { conversationLimit, socketLimit } from "./conversation-limits.ts";
import type { StorefrontContext } from "./env.ts";

/** A session, whether this request created it, and whether it may create a conversation. */
type SessionBearer = Readonly<{ session: SessionClaims }> &
  Pick<ConversationCaller, "isNew" | "mayCreateInMs">;

/** The sessions that this isolate has counted, so that their later calls count nothing. */
const countedSessions = createLruCache<true>(10_000, () => 1);

/**
 * Counts an anonymous session's conversation against its network, because anybody can start any
 * number of sessions. Returns for how long it may create none; null when it may.
 */
export async function countConversation(
  c: StorefrontContext,
  session: SessionClaims | null,
): Promise<number | null> {
  if (session !== null && (session.generation > 0 || countedSessions.get(session.id))) return null;
  const { isExceeded, resetAt } = await countRequest(c, conversationLimit(c));
  if (isExceeded) return Math.max(resetAt - runtime.now(), 1);
  if (session !== null) countedSessions.put(session.id, true);
  return null;
}

/**
 * Starts a session that begins with its conversation.
 *
 * @param mayCreateInMs as `countConversation` returned it for this call.
 * @throws Refusal RATE_LIMITED when the caller's network may create no conversation now.
 */
export async function startCountedSession(
  c: StorefrontContext,
  mayCreateInMs: number | null,
): Promise<SessionClaims> {
  assertMayCreate(mayCreateInMs);
  const session = await startSession(c, { beganWithConversation: true });
  countedSessions.put(session.id, true);
  return session;
}

/** @throws Refusal RATE_LIMITED when an anonymous caller's network has opened too many sockets. */
export async function assertMayOpenSocket(
  c: StorefrontContext & RateLimitedContext,
  session: SessionClaims | null,
): Promise<void> {
  if (session !== null && session.generation > 0) return;
  await assertWithinLimit(c, socketLimit(c));
}

type ConversationCall<T> = (
  conversation: ConversationObject,
  caller: ConversationCaller,
) => Promise<SessionReply<T>>;

/**
 * Calls the conversation of the caller's session. A caller gets a new anonymous session first when
 * it has none, or when its token is from before a login or logout.
 */
export async function callConversation<T>(
  c: StorefrontContext,
  call: ConversationCall<T>,
): Promise<T> {
  const session = await readSession(c);
  const mayCreateInMs = await countConversation(c, session);
  if (session !== null) {
    const response = await callAs(c, { session, isNew: false, mayCreateInMs }, call);
    if (response !== "stale") {
      if (response.isConfirmed) await renewSession(c, session);
      return response.data;
    }
  }
  // The new session creates another conversation, and a customer's stale session was not counted.
  const waitMs = session === null ? mayCreateInMs : await countConversation(c, null);
  const newSession = await startCountedSession(c, waitMs);
  const bearer = { session: newSession, isNew: true, mayCreateInMs: null };
  const response = await callAs(c, bearer, call);
  if (response === "stale") throw new Error("A new session was stale before its first use.");
  return response.data;
}

async function callAs<T>(c: StorefrontContext, bearer: SessionBearer, call: ConversationCall<T>) {
  return callObject(c, call(await conversationOf(c, bearer), callerOf(c, bearer)));
}

export const conversationOf = async (
  c: StorefrontContext,
  { session }: Pick<SessionBearer, "session">,
) =>
  c.env.SUPPORT_CONVERSATION.getByName(await deriveConversationId(session.id, session.ownedSince));

export function callerOf(
  c: StorefrontContext,
  { session, isNew, mayCreateInMs }: SessionBearer,
): ConversationCaller {
  const { id, shard } = requireKey(c).business;
  const { id: sessionId, generation, ownedSince } = session;
  return { sessionId, generation, ownedSince, isNew, mayCreateInMs, business: { id, shard } };
}
