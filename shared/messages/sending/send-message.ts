import type { Context } from "../../database/index.ts";
import { hour } from "../../kernel/index.ts";
import type { Attachment, Message, ProviderResult } from "../../messaging/index.ts";
import type { SkipReason } from "../message.ts";
import { optionalMessages } from "../message-name.ts";
import { type RenderedMessage, renderMessage } from "../rendering/render-message.ts";
import { templateWith } from "../templates/template.ts";
import { composeMessage } from "./compose-message.ts";
import type { SendingContext } from "./context.ts";
import type { MessageFacts } from "./message-facts-query.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import {
  type AttemptOutcome,
  type ClaimedMessage,
  recordOutcome,
  suppressRecipient,
} from "./sending-repo.ts";

/** How long a provider may take to deliver an SMS. */
const smsValidityMs = 4 * hour;

/** An attempt to send a message, and its outcome. */
export type Attempt = Readonly<{ message: ClaimedMessage; outcome: AttemptOutcome }>;

/**
 * Sends a claimed message. Providers of e-mail get its id, by which they recognise a message that is
 * sent again because its outcome was lost; an SMS may be sent twice. An error is reported, and counts
 * as a failed attempt.
 */
export async function attemptMessage(
  ctx: SendingContext,
  message: ClaimedMessage,
): Promise<Attempt> {
  return { message, outcome: await trySending(ctx, message) };
}

async function trySending(ctx: SendingContext, message: ClaimedMessage): Promise<AttemptOutcome> {
  try {
    const prepared = await prepareMessage(ctx, message);
    if (prepared.type === "skip") return skippedOutcome(prepared.reason);
    return outcomeOf(message, await ctx.send(prepared.message), ctx.now());
  } catch (error) {
    ctx.reportError(message, error);
    const failure = { type: "no_answer", reason: "internal error", retryAfterMs: null } as const;
    return outcomeOf(message, { ...failure, provider: null }, ctx.now());
  }
}

/** Stores the outcomes of attempts, and which addresses bounced, in one round trip. */
export async function recordAttempts(
  { db, now }: Pick<Context, "db" | "now">,
  attempts: readonly Attempt[],
): Promise<void> {
  const [first, ...others] = attempts.flatMap(({ message, outcome }) => [
    recordOutcome(db, message, outcome),
    ...(outcome.error === bounced ? [suppressRecipient(db, message, now())] : []),
  ]);
  if (first) await db.batch([first, ...others]);
}

type PreparedMessage =
  | Readonly<{ type: "message"; message: Message }>
  | Readonly<{ type: "skip"; reason: SkipReason }>;

async function prepareMessage(
  ctx: SendingContext,
  message: ClaimedMessage,
): Promise<PreparedMessage> {
  if (message.expiresAt !== null && message.expiresAt <= ctx.now())
    return { type: "skip", reason: "expired" };
  const facts = await ctx.loadFacts(message);
  const template = templateWith(message.name, facts.override);
  if (!template.isEnabled) return { type: "skip", reason: "disabled" };
  // A person waits for the code, and the mailbox may work again.
  if (facts.isSuppressed && message.name !== "one_time_code")
    return { type: "skip", reason: "suppressed" };
  if (facts.isUnsubscribed) return { type: "skip", reason: "unsubscribed" };
  const composed = await composeMessage(ctx, message, facts);
  if (composed.type === "skip") return composed;
  const unsubscribeUrl = await unsubscribeUrlFor(ctx, message);
  const rendered = renderMessage({
    ...{ template, unsubscribeUrl },
    values: composed.values,
    businessName: ctx.business.name,
    settings: facts.settings,
  });
  return {
    type: "message",
    message: toMessage(ctx, message, {
      ...{ rendered, facts, unsubscribeUrl, attachments: composed.attachments },
    }),
  };
}

/** An optional e-mail has a link to unsubscribe; it is the same in every attempt. */
const unsubscribeUrlFor = async (
  { business, links }: SendingContext,
  { id: messageId, name, channel }: ClaimedMessage,
): Promise<string | null> =>
  channel === "email" && optionalMessages.includes(name)
    ? links.unsubscribe({ businessId: business.id, messageId })
    : null;

type MessageParts = Readonly<{
  rendered: RenderedMessage;
  unsubscribeUrl: string | null;
  facts: Pick<MessageFacts, "settings">;
  attachments: readonly Attachment[];
}>;

type AddressedMessage = Pick<
  ClaimedMessage,
  "id" | "name" | "channel" | "recipient" | "expiresAt" | "firstAttemptAt"
>;

/**
 * The message for its provider. Its id is the same in every attempt and another one after a retry by
 * hand, which would otherwise look like a repeat of what the provider has taken already.
 */
function toMessage(
  { business, now }: Pick<SendingContext, "business" | "now">,
  { name, channel, recipient: to, ...message }: AddressedMessage,
  { rendered: { subject, html, text, sms }, facts: { settings }, ...parts }: MessageParts,
): Message {
  const expiresAt = message.expiresAt ?? now() + smsValidityMs;
  const id = `${message.id}-${(message.firstAttemptAt ?? 0).toString(36)}`;
  if (channel === "sms") return { id, name, channel, to, text: sms ?? subject, expiresAt };
  return {
    ...{ id, name, channel, to, subject, html, text, expiresAt, ...parts },
    logged: { businessId: business.id, messageId: message.id },
    senderName: settings.senderName ?? business.name,
    replyTo: settings.replyTo,
  };
}

const none = { provider: null, providerId: null, error: null, sentAt: null } as const;

const skippedOutcome = (reason: SkipReason): AttemptOutcome => ({
  ...none,
  status: "skipped",
  nextAttemptAt: null,
  error: reason,
});

/** The error of an address to which nothing can be delivered. */
const bounced = "bounced";

function outcomeOf(
  { attempts, firstAttemptAt, expiresAt }: ClaimedMessage,
  result: ProviderResult,
  now: number,
): AttemptOutcome {
  const { provider } = result;
  switch (result.type) {
    case "sent":
      return {
        ...none,
        status: "sent",
        nextAttemptAt: null,
        provider,
        providerId: result.providerId,
        sentAt: now,
      };
    case "refused":
      return {
        ...none,
        status: "failed",
        nextAttemptAt: null,
        provider,
        error: result.isBounce ? bounced : result.reason,
      };
    case "no_answer": {
      const { retryAfterMs, reason: error } = result;
      const firstAt = firstAttemptAt ?? now;
      const nextAt = nextAttemptAt({ count: attempts, firstAt, now, expiresAt, retryAfterMs });
      return {
        ...none,
        status: nextAt === null ? "failed" : "queued",
        nextAttemptAt: nextAt,
        provider,
        error,
      };
    }
  }
}
