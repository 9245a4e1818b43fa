import { z } from "zod";
import type { Reach } from "../kernel/index.ts";
import { callProvider, noAnswer, refused, sent } from "./provider-call.ts";
import type { SendResult, SmsSender } from "./sender.ts";

export type AfricasTalkingSettings = Readonly<{
  username: string;
  apiKey: string;
  /** A short code or a sender's name; the account's default without one. */
  from: string | null;
}>;

const Answer = z.object({
  SMSMessageData: z.object({
    Message: z.string(),
    Recipients: z.array(z.object({ statusCode: z.number().int() })),
  }),
});

/** SMS by Africa's Talking. The username `sandbox` goes to its sandbox, which sends nothing. */
export const africasTalkingSender = (
  { username, apiKey, from }: AfricasTalkingSettings,
  reach: Reach,
): SmsSender => ({
  name: "africas_talking",
  send: ({ to, text }) =>
    callProvider(reach, {
      url: `https://${username === "sandbox" ? "api.sandbox" : "api"}.africastalking.com/version1/messaging`,
      headers: {
        apikey: apiKey,
        Accept: "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({
        username,
        to,
        message: text,
        bulkSMSMode: "1",
        ...(from !== null && { from }),
      }).toString(),
      Answer,
      judge: ({ SMSMessageData: { Recipients } }) => judged(Recipients[0]?.statusCode),
    }),
});

/** 100 to 102: processed, sent, queued; 500 and 501: their own or the gateway's failure; the rest is final. */
function judged(statusCode: number | undefined): SendResult {
  if (statusCode === undefined) return refused("no recipient was taken");
  if (statusCode >= 100 && statusCode <= 102) return sent;
  const reason = `recipient status ${statusCode}`;
  return statusCode === 500 || statusCode === 501 ? noAnswer(reason) : refused(reason);
}
