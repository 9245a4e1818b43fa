import { z } from "zod";
import type { Reach } from "../kernel/index.ts";
import { callProvider, sent } from "./provider-call.ts";
import type { EmailSender } from "./sender.ts";

export type ResendSettings = Readonly<{
  apiKey: string;
  /** `Shop <codes@shop.example>` or an address alone, of a domain that Resend has verified. */
  from: string;
}>;

const Answer = z.object({ id: z.string().min(1) });

/** E-mail by Resend. The message's id goes along, so that a repeat is sent once. */
export const resendSender = ({ apiKey, from }: ResendSettings, reach: Reach): EmailSender => ({
  name: "resend",
  send: ({ id, to, subject, text }) =>
    callProvider(reach, {
      url: "https://api.resend.com/emails",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": id,
      },
      body: JSON.stringify({ from, to: [to], subject, text }),
      Answer,
      judge: () => sent,
    }),
});
