import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { encodeBase64, senderAddress } from "./email-address.ts";
import { unsubscribeHeaders } from "./message.ts";
import { noAnswerResult, sendProviderRequest, sentResult } from "./provider-call.ts";
import type { EmailSender, SendResult } from "./sender.ts";

export type ResendSettings = Readonly<{
  apiKey: string;
  /**
   * The sender: `Shop <codes@shop.example>` or a plain address. Resend must have verified the
   * domain.
   */
  from: string;
}>;

const SendResponse = z.object({ id: z.string().min(1) });

/**
 * Sends e-mail through Resend. Its idempotency key is the message id, so that a repeated call does
 * not send the e-mail twice.
 */
export const resendSender = (
  { apiKey, from }: ResendSettings,
  transport: ProviderTransport,
): EmailSender => ({
  name: "resend",
  send: ({ id, to, subject, text, html, attachments, senderName, replyTo, ...message }) =>
    sendProviderRequest(transport, {
      url: "https://api.resend.com/emails",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": id,
      },
      body: JSON.stringify({
        from: senderAddress(from, senderName ?? null),
        to: [to],
        subject,
        text,
        ...(html !== undefined && { html }),
        ...(replyTo && { reply_to: replyTo }),
        ...(message.unsubscribeUrl && { headers: unsubscribeHeaders(message.unsubscribeUrl) }),
        ...(message.logged && {
          tags: [
            { name: "business", value: message.logged.businessId },
            { name: "message", value: message.logged.messageId },
          ],
        }),
        ...(attachments?.length && {
          attachments: attachments.map(({ filename, contentType, content }) => ({
            filename,
            content_type: contentType,
            content: encodeBase64(content),
          })),
        }),
      }),
      responseSchema: SendResponse,
      toResult: (answer) => sentResult(answer.id),
      readError: (status, error) => (status === 409 ? readConflict(error) : null),
    }),
});

/**
 * An attempt before this one used the message's key. When its content was another one, Resend has
 * sent that; when its call still runs, a later attempt gets its response.
 */
function readConflict(error: unknown): SendResult | null {
  switch (Object(error).name) {
    case "invalid_idempotent_request":
      return sentResult(null);
    case "concurrent_idempotent_requests":
      return noAnswerResult("status 409");
    default:
      return null;
  }
}
