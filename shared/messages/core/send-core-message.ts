import type { Context, Db } from "../../database/index.ts";
import type { Channel, Message, ProviderResult } from "../../messaging/index.ts";
import { renderHtml } from "../rendering/html.ts";
import { renderMessage } from "../rendering/render-message.ts";
import { codeValues } from "../rendering/sealed-values.ts";
import { maxAttempts, nextAttemptAt } from "../sending/retry-schedule.ts";
import { defaultMessageSettings } from "../settings.ts";
import { builtInTemplates } from "../templates/built-in.ts";
import { type CoreMessage, deleteCoreMessage, rescheduleCoreMessage } from "./core-message-repo.ts";

type Recipient = Readonly<{ channel: Channel; to: string }>;

/** What a message of the service says, as it is sealed. `sender` is the name that it goes out with. */
export type CoreContent =
  | (Recipient & Readonly<{ type: "code"; sender: string; code: string; minutes: number }>)
  | (Recipient & Readonly<{ type: "notice"; sender: string; subject: string; text: string }>)
  | Readonly<{ type: "rendered"; message: Message }>
  | InvitationContent;

/** An invitation, which its business's own templates and log show. */
export type InvitationContent = Readonly<{
  type: "invitation";
  businessId: string;
  to: string;
  role: string;
  consoleUrl: string;
}>;

export type CoreSendingContext = Pick<Context, "now"> &
  Readonly<{
    core: Db;
    /** Null for a message that this deployment did not seal. */
    open: (sealed: string) => Promise<CoreContent | null>;
    send: (message: Message) => Promise<ProviderResult>;
    /** Queues an invitation in the shard of its business, once. */
    handOver: (id: string, invitation: InvitationContent) => Promise<void>;
    reportError: (message: Readonly<{ id: string }>, error: unknown) => void;
  }>;

/**
 * Sends a claimed message and deletes it, or postpones it when its provider does not answer. The
 * provider gets the message's id, so that it recognises a repeat.
 */
export async function sendCoreMessage(
  ctx: CoreSendingContext,
  message: CoreMessage,
): Promise<CoreAttempt> {
  const attempt = await attemptCoreMessage(ctx, message);
  const { nextAt } = attempt;
  await ctx.core.batch([
    nextAt === null
      ? deleteCoreMessage(ctx.core, message)
      : rescheduleCoreMessage(ctx.core, message, nextAt),
  ]);
  return attempt;
}

/** Why a message was given up, or when it is tried again; both null for one that was sent. */
type CoreAttempt = Readonly<{ failure: string | null; nextAt: number | null }>;
const giveUp = (failure: string | null): CoreAttempt => ({ failure, nextAt: null });

async function attemptCoreMessage(
  ctx: CoreSendingContext,
  message: CoreMessage,
): Promise<CoreAttempt> {
  const now = ctx.now();
  if (message.expiresAt <= now) return giveUp("expired");
  if (message.attempts > maxAttempts) return giveUp("interrupted");
  const result = await sendContent(ctx, message);
  if (result.type === "sent") return giveUp(null);
  if (result.type === "refused") return giveUp(result.reason);
  const nextAt = nextAttemptAt({
    ...{ count: message.attempts, firstAt: message.firstAttemptAt ?? now, now: ctx.now() },
    ...{ expiresAt: message.expiresAt, retryAfterMs: result.retryAfterMs },
  });
  return nextAt === null ? giveUp(result.reason) : { failure: null, nextAt };
}

async function sendContent(ctx: CoreSendingContext, message: CoreMessage): Promise<ProviderResult> {
  try {
    const content = await ctx.open(message.sealed);
    if (content === null)
      return { type: "refused", reason: "not sealed by this deployment", provider: null };
    if (content.type !== "invitation") return await ctx.send(toMessage(message, content));
    await ctx.handOver(message.id, content);
    return { type: "sent", providerId: null, provider: null };
  } catch (error) {
    ctx.reportError(message, error);
    return { type: "no_answer", reason: "internal error", retryAfterMs: null, provider: null };
  }
}

function toMessage(
  { id, expiresAt }: CoreMessage,
  content: Exclude<CoreContent, InvitationContent>,
): Message {
  if (content.type === "rendered") return content.message;
  const { channel, to, sender } = content;
  const { subject, html, text, sms } =
    content.type === "code" ? renderCode(content) : renderNotice(content);
  const common = { id, to, expiresAt, ...(content.type === "code" && { name: "one_time_code" }) };
  return channel === "sms"
    ? { ...common, channel, text: sms }
    : { ...common, channel, subject, html, text, senderName: sender };
}

type Rendered = Readonly<{ subject: string; html: string; text: string; sms: string }>;

function renderCode({ sender, code, minutes }: Extract<CoreContent, { type: "code" }>): Rendered {
  const values = { ...codeValues({ code, minutes: String(minutes) }), business_name: sender };
  const rendered = renderMessage({
    ...{ template: builtInTemplates.one_time_code, values, businessName: sender },
    settings: defaultMessageSettings,
  });
  return { ...rendered, sms: rendered.sms ?? rendered.subject };
}

const renderNotice = ({
  sender,
  subject,
  text,
}: Extract<CoreContent, { type: "notice" }>): Rendered => ({
  ...{ subject, text, sms: text },
  html: renderHtml({
    ...{ title: subject, businessName: sender, footer: null },
    paragraphs: [{ type: "lines", lines: [text] }],
    locale: defaultMessageSettings.locale,
  }),
});
