import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { noAnswerResult, refusedResult, sendProviderRequest, sentResult } from "./provider-call.ts";
import type { SendResult, SmsSender } from "./sender.ts";

export type AfricasTalkingSettings = Readonly<{
  username: string;
  apiKey: string;
  /** A short code or a sender name. Null uses the account's default sender. */
  from: string | null;
}>;

const SendResponse = z.object({
  SMSMessageData: z.object({
    Message: z.string(),
    Recipients: z.array(
      z.object({ statusCode: z.number().int(), messageId: z.string().optional() }),
    ),
  }),
});

/** Sends SMS through Africa's Talking. With the username `sandbox` nothing is delivered. */
export const africasTalkingSender = (
  { username, apiKey, from }: AfricasTalkingSettings,
  transport: ProviderTransport,
): SmsSender => ({
  name: "africas_talking",
  send: ({ to, text }) =>
    sendProviderRequest(transport, {
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
      responseSchema: SendResponse,

      toResult: ({ SMSMessageData: { Recipients } }) => resultFor(Recipients[0]),
    }),
});

/**
 * Status codes 100 to 102 mean that the message was accepted. 500 and 501 are temporary failures of
 * the gateway. All others are final.
 */
function resultFor(
  recipient: Readonly<{ statusCode: number; messageId?: string | undefined }> | undefined,
): SendResult {
  if (recipient === undefined) return refusedResult("no recipient was taken");
  const { statusCode, messageId = null } = recipient;
  if (statusCode >= 100 && statusCode <= 102) return sentResult(messageId);
  const reason = `recipient status ${statusCode}`;
  return statusCode === 500 || statusCode === 501 ? noAnswerResult(reason) : refusedResult(reason);
}
