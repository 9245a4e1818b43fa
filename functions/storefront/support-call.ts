import type { RequestContext } from "../http/api-env.ts";
import {
  renewSession,
  type Session,
  sessionOf,
  startSession,
} from "../http/authentication/session-cookie.ts";
import { keyed } from "../http/context.ts";
import { replied } from "../http/object-calls.ts";
import type {
  Asked,
  ConversationCaller,
  ConversationObject,
} from "../runtime/objects/conversation-object.ts";
import type { Reply } from "../runtime/objects/reply.ts";
import type { StorefrontBindings } from "./env.ts";
import { conversationIdOf } from "./requests/conversation-id.ts";

type StorefrontContext = RequestContext<StorefrontBindings>;

type Ask<T> = (
  conversation: ConversationObject,
  caller: ConversationCaller,
) => Promise<Reply<Asked<T> | "stale">>;

/**
 * Asks the conversation of the caller's session. A stranger gets a fresh anonymous session, and so
 * does the bearer of a cookie of before a login or logout (completions.md 3), at one more hop.
 */
export async function askConversation<T>(c: StorefrontContext, ask: Ask<T>): Promise<T> {
  const known = await sessionOf(c);
  const asked = known && (await askOf(c, { session: known, isNew: false }, ask));
  if (known !== null && asked !== null && asked !== "stale") {
    if (asked.isConfirmed) await renewSession(c, known);
    return asked.answer;
  }
  const anew = await askOf(c, { session: await startSession(c), isNew: true }, ask);
  if (anew === "stale") throw new Error("A session was stale before its first use.");
  return anew.answer;
}

async function askOf<T>(c: StorefrontContext, bearer: Bearer, ask: Ask<T>) {
  return replied(c, ask(await conversationOf(c, bearer), callerOf(c, bearer)));
}

/** A session, and whether it was made for this request. */
type Bearer = Readonly<{ session: Session; isNew: boolean }>;

export const conversationOf = async (c: StorefrontContext, { session }: Bearer) =>
  c.env.SUPPORT_CONVERSATION.getByName(await conversationIdOf(session.id, session.ownedSince));

export function callerOf(c: StorefrontContext, { session, isNew }: Bearer): ConversationCaller {
  const { id, shard } = keyed(c).business;
  const { id: sessionId, generation, ownedSince } = session;
  return { sessionId, generation, ownedSince, isNew, business: { id, shard } };
}
