import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { refusedResult, sendProviderRequest, sentResult } from "./provider-call.ts";
import type { SmsSender } from "./sender.ts";

export type TwilioSettings = Readonly<{
  accountSid: string;
  authToken: string;
  /** The sender: an E.164 number, a name, or the id of a messaging service (`MG…`). */
  from: string;
}>;

const SendResponse = z.object({ sid: z.string().min(1), status: z.string() });

/** The statuses of a message that Twilio will not deliver. */
const failedStatuses: readonly string[] = ["failed", "undelivered", "canceled"];

/** An invalid number, one that takes no SMS, and one whose owner has answered STOP. */
const unreachableCodes: readonly unknown[] = [21_211, 21_614, 21_610];

/**
 * Sends SMS through Twilio's Messages resource. Twilio drops a message that is still undelivered
 * when it expires.
 */
export const twilioSender = (
  { accountSid, authToken, from }: TwilioSettings,
  { now, ...transport }: ProviderTransport & Readonly<{ now: () => number }>,
): SmsSender => ({
  name: "twilio",
  send: ({ to, text, expiresAt }) =>
    sendProviderRequest(transport, {
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
      responseSchema: SendResponse,

      toResult: ({ sid, status }) =>
        failedStatuses.includes(status) ? refusedResult(`message ${status}`) : sentResult(sid),
      readError: (status, error) =>
        unreachableCodes.includes(Object(error).code)
          ? { type: "refused", reason: `status ${status}`, isBounce: true }
          : null,
    }),
});

/** A duration for Twilio: whole seconds from 1 to 36,000. */
const validitySeconds = (ms: number): number =>
  Math.min(Math.max(Math.floor(ms / 1_000), 1), 36_000);
