import { callObject, requireKey } from "../http/context.ts";
import type {
  ConversationCaller,
  ConversationObject,
  SessionReply,
} from "../runtime/objects/conversation-object.ts";
import { type CookieSession, readSession, renewSession, startSession } from "./caller-session.ts";
import { deriveConversationId } from "./conversation-id.ts";
import type { StorefrontContext } from "./env.ts";

/** A session, and whether this request created it. */
type SessionBearer = Readonly<{ session: CookieSession; isNew: boolean }>;

type ConversationCall<T> = (
  conversation: ConversationObject,
  caller: ConversationCaller,
) => Promise<SessionReply<T>>;

/**
 * Calls the conversation of the caller's session. A caller gets a new anonymous session first when
 * it has none, or when its cookie is from before a login or logout.
 */
export async function callConversation<T>(
  c: StorefrontContext,
  call: ConversationCall<T>,
): Promise<T> {
  const session = await readSession(c);
  if (session !== null) {
    const response = await callAs(c, { session, isNew: false }, call);
    if (response !== "stale") {
      if (response.isConfirmed) await renewSession(c, session);
      return response.data;
    }
  }
  const response = await callAs(c, { session: await startSession(c), isNew: true }, call);
  if (response === "stale") throw new Error("A new session was stale before its first use.");
  return response.data;
}

async function callAs<T>(c: StorefrontContext, bearer: SessionBearer, call: ConversationCall<T>) {
  return callObject(c, call(await conversationOf(c, bearer), callerOf(c, bearer)));
}

export const conversationOf = async (c: StorefrontContext, { session }: SessionBearer) =>
  c.env.SUPPORT_CONVERSATION.getByName(await deriveConversationId(session.id, session.ownedSince));

export function callerOf(
  c: StorefrontContext,
  { session, isNew }: SessionBearer,
): ConversationCaller {
  const { id, shard } = requireKey(c).business;
  const { id: sessionId, generation, ownedSince } = session;
  return { sessionId, generation, ownedSince, isNew, business: { id, shard } };
}
