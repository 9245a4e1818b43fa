import { z } from "@hono/zod-openapi";
import {
  displayName,
  type EmailSender,
  parseSender,
  type SendResult,
  unsubscribeHeaders,
} from "../../../shared/messaging/index.ts";

/** The errors of the binding that another attempt would meet again. */
const finalErrors: readonly string[] = [
  "E_VALIDATION_ERROR",
  "E_RECIPIENT_NOT_ALLOWED",
  "E_RECIPIENT_SUPPRESSED",
  "E_CONTENT_TOO_LARGE",
];

const Binding = z.object({ EMAIL: z.custom<SendEmail>((value) => typeof value === "object") });

/**
 * Sends e-mail through Cloudflare's binding `EMAIL`. It knows no idempotency key, so that a message
 * may arrive twice when its answer is lost.
 */
export const cloudflareSender = (env: object, from: string): EmailSender => ({
  name: "cloudflare",
  async send({ to, subject, text, html, attachments = [], senderName, replyTo, ...message }) {
    const { EMAIL } = Binding.parse(env);
    const sender = parseSender(from);
    const name = displayName(senderName ?? sender.name ?? "");
    try {
      const { messageId } = await EMAIL.send({
        from: name === "" ? sender.email : { name, email: sender.email },
        ...{ to, subject, text },
        ...(html !== undefined && { html }),
        ...(replyTo && { replyTo }),
        headers: { ...unsubscribeHeaders(message.unsubscribeUrl) },
        attachments: attachments.map(({ filename, contentType, content }) => ({
          disposition: "attachment" as const,
          // As bytes, because the binding reads a text as Base64.
          ...{ filename, type: contentType, content: new TextEncoder().encode(content) },
        })),
      });
      return { type: "sent", providerId: messageId };
    } catch (error) {
      return resultOf(error);
    }
  },
});

/** The code of a binding's error; its words are not stored. */
const ErrorCode = z.object({ code: z.string().regex(/^E_[A-Z_]{1,60}$/) });

function resultOf(error: unknown): SendResult {
  const { data } = ErrorCode.safeParse(error);
  const reason = data?.code ?? "connection failed";
  if (!finalErrors.includes(reason)) return { type: "no_answer", reason, retryAfterMs: null };
  return { type: "refused", reason, isBounce: reason === "E_RECIPIENT_SUPPRESSED" };
}
