import type { z } from "zod";
import { callProvider, type ProviderTransport, parseJson, second } from "../kernel/index.ts";
import type { SendResult } from "./sender.ts";

type ProviderRequest<T> = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The schema of the body of a 2xx response. */
  responseSchema: z.ZodType<T>;
  toResult: (answer: T) => SendResult;
  /** What another status means to this provider; null for what it commonly means. */
  readError?: (status: number, body: unknown) => SendResult | null;
}>;

const sendTimeoutMs = 10 * second;

/**
 * Posts one message to a provider. A timeout, a 5xx or an unreadable 2xx counts as "no answer",
 * because the provider may have accepted the message.
 */
export async function sendProviderRequest<T>(
  transport: ProviderTransport,
  { url, headers, body, responseSchema, toResult, readError }: ProviderRequest<T>,
): Promise<SendResult> {
  const response = await callProvider({ timeoutMs: sendTimeoutMs, ...transport }, url, {
    method: "POST",
    headers,
    body,
  });
  if (response.type === "no_answer") return noAnswerResult(response.problem);
  if (response.status < 200 || response.status > 299) {
    return readError?.(response.status, parseJson(response.text)) ?? errorResult(response);
  }
  const parsed = responseSchema.safeParse(parseJson(response.text));
  return parsed.success ? toResult(parsed.data) : noAnswerResult("answer not understood");
}

export const sentResult = (providerId: string | null): SendResult => ({ type: "sent", providerId });
export const refusedResult = (reason: string): SendResult => ({ type: "refused", reason });
export const noAnswerResult = (reason: string, retryAfterMs: number | null = null): SendResult => ({
  type: "no_answer",
  reason,
  retryAfterMs,
});

/** Response statuses of failures that a later attempt may not meet. */
const retryableStatuses: readonly number[] = [408, 425, 429];

function errorResult({ status, headers }: Pick<Response, "status" | "headers">): SendResult {
  const reason = `status ${status}`;
  if (status < 500 && !retryableStatuses.includes(status)) return refusedResult(reason);
  const seconds = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
  return noAnswerResult(reason, seconds === undefined ? null : Number(seconds) * second);
}
