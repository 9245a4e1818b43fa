import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { sendProviderRequest, sentResult } from "./provider-call.ts";
import type { EmailSender } from "./sender.ts";

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
  send: ({ id, to, subject, text }) =>
    sendProviderRequest(transport, {
      url: "https://api.resend.com/emails",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": id,
      },
      body: JSON.stringify({ from, to: [to], subject, text }),
      responseSchema: SendResponse,

      toResult: () => sentResult,
    }),
});
