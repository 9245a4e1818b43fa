import { notFound, Refusal, sha256 } from "../../shared/kernel/index.ts";
import { readApiKey } from "../http/authentication/access.ts";
import { callerId } from "../http/authentication/caller.ts";
import { countObjectCall, type RequestContext, requireCaller } from "../http/context.ts";
import type { Outcome } from "../runtime/objects/calls.ts";
import {
  type ConversationAgent,
  type ConversationObject,
  type ConversationPage,
  consoleCredentialPrefix,
} from "../runtime/objects/conversation-object.ts";
import type { BusinessBindings } from "./env.ts";

type BusinessContext = RequestContext<BusinessBindings>;

const threadIdPattern = /^thr_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** @throws Refusal NOT_FOUND for a malformed id. Otherwise any id would create a Durable Object. */
export function conversationObject(c: BusinessContext, id: string): ConversationObject {
  if (!threadIdPattern.test(id)) throw notFound("conversation");
  return c.env.SUPPORT_CONVERSATION.getByName(id);
}

/**
 * Awaits the outcome of a call to a conversation.
 *
 * @throws Refusal when the conversation refused the call.
 */
export async function unwrapConversationOutcome<T>(
  c: BusinessContext,
  call: Promise<Outcome<T>>,
): Promise<T> {
  const outcome = await countObjectCall(c, call);
  if (!outcome.ok) throw new Refusal(outcome.refusal);
  return outcome.value;
}

export function agentOf(c: BusinessContext): ConversationAgent {
  const caller = requireCaller(c);
  return { businessId: caller.business.id, keyId: callerId(caller) };
}

/** What the conversation checks again while a socket is open: the API key, or the member's login. */
export async function hashCredential(c: BusinessContext): Promise<string> {
  const caller = requireCaller(c);
  return caller.type === "member"
    ? `${consoleCredentialPrefix}${caller.tokenHash}`
    : sha256(readApiKey(c) ?? "");
}

/**
 * Messages per page of an export. A page of messages of maximum length fits in 32 MiB, the limit of
 * an RPC response.
 */
const transcriptPageSize = 300;

/** Reads whole conversations for an export. Calls their Durable Objects concurrently. */
export async function readTranscripts(
  c: BusinessContext,
  ids: readonly string[],
): Promise<ConversationPage[]> {
  return Promise.all(ids.map((id) => readTranscript(c, id)));
}

async function readTranscript(c: BusinessContext, id: string): Promise<ConversationPage> {
  const object = conversationObject(c, id);
  const { businessId } = agentOf(c);
  const readPage = (after: number) =>
    unwrapConversationOutcome(c, object.read(businessId, { after, limit: transcriptPageSize }));
  const firstPage = await readPage(0);
  const messages = [...firstPage.messages];
  for (let page = firstPage; page.messages.length === transcriptPageSize; ) {
    page = await readPage(messages.at(-1)?.createdAt ?? 0);
    messages.push(...page.messages);
  }
  return { conversation: firstPage.conversation, messages };
}
