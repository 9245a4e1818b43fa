import { z } from "zod";
import type { Reach } from "../kernel/index.ts";
import { callProvider, refused, sent } from "./provider-call.ts";
import type { SmsSender } from "./sender.ts";

export type TwilioSettings = Readonly<{
  accountSid: string;
  authToken: string;
  /** A number in E.164, a sender's name, or a messaging service (`MG…`). */
  from: string;
}>;

const Answer = z.object({ sid: z.string().min(1), status: z.string() });

/** Twilio's message statuses that say at once that nothing will arrive. */
const failed: readonly string[] = ["failed", "undelivered", "canceled"];

/** SMS by Twilio's Messages resource; Twilio drops what it could not hand on before the text expires. */
export const twilioSender = (
  { accountSid, authToken, from }: TwilioSettings,
  { now, ...reach }: Reach & Readonly<{ now: () => number }>,
): SmsSender => ({
  name: "twilio",
  send: ({ to, text, expiresAt }) =>
    callProvider(reach, {
      url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
      headers: {
        Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({
        To: to,
        [from.startsWith("MG") ? "MessagingServiceSid" : "From"]: from,
        Body: text,
        ValidityPeriod: String(validitySeconds(expiresAt - now())),
      }).toString(),
      Answer,
      judge: ({ status }) => (failed.includes(status) ? refused(`message ${status}`) : sent),
    }),
});

/** Whole seconds within what Twilio takes (1 to 36,000). */
const validitySeconds = (ms: number): number =>
  Math.min(Math.max(Math.floor(ms / 1_000), 1), 36_000);
