import { notFound, Refusal } from "../../shared/kernel/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { keyed } from "../http/context.ts";
import { counted } from "../http/object-calls.ts";
import type {
  ConversationAgent,
  ConversationObject,
  ConversationPage,
} from "../runtime/objects/conversation-object.ts";
import type { Outcome } from "../runtime/objects/reply.ts";
import type { BusinessBindings } from "./env.ts";

type BusinessContext = RequestContext<BusinessBindings>;

const threadId = /^thr_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** @throws Refusal NOT_FOUND for what can be no thread's id: no object comes into being by it. */
export function conversationNamed(c: BusinessContext, id: string): ConversationObject {
  if (!threadId.test(id)) throw notFound("conversation");
  return c.env.SUPPORT_CONVERSATION.getByName(id);
}

/** What an object answered. @throws the refusal that it told. */
export async function told<T>(c: BusinessContext, asked: Promise<Outcome<T>>): Promise<T> {
  const outcome = await counted(c, asked);
  if (!outcome.ok) throw new Refusal(outcome.refusal);
  return outcome.value;
}

export function agentOf(c: BusinessContext): ConversationAgent {
  const { key, business } = keyed(c);
  return { businessId: business.id, keyId: key.id };
}

/** Of the longest messages no more than RPC carries in one answer (32 MiB). */
const messagesAtOnce = 300;

/**
 * Whole conversations, for an export. Each is read from its own object, all at once: what was said
 * stands nowhere else.
 */
export async function transcriptsOf(
  c: BusinessContext,
  ids: readonly string[],
): Promise<ConversationPage[]> {
  return Promise.all(ids.map((id) => transcriptOf(c, id)));
}

async function transcriptOf(c: BusinessContext, id: string): Promise<ConversationPage> {
  const object = conversationNamed(c, id);
  const { businessId } = agentOf(c);
  const page = (after: number) =>
    told(c, object.read(businessId, { after, limit: messagesAtOnce }));
  const first = await page(0);
  const messages = [...first.messages];
  for (let last = first; last.messages.length === messagesAtOnce; ) {
    last = await page(messages.at(-1)?.createdAt ?? 0);
    messages.push(...last.messages);
  }
  return { conversation: first.conversation, messages };
}
