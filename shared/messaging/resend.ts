import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { sendProviderRequest, sentResult } from "./provider-call.ts";
import type { EmailSender } from "./sender.ts";

export type ResendSettings = Readonly<{
  apiKey: string;
  /** `Shop <codes@shop.example>` or a plain address, of a domain verified with Resend. */
  from: string;
}>;

const SendResponse = z.object({ id: z.string().min(1) });

/**
 * Sends e-mail through Resend. The message id is the idempotency key, so that a repeat is sent
 * once.
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
