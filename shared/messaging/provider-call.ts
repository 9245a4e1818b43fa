import type { z } from "zod";
import { second } from "../kernel/index.ts";
import type { SendResult } from "./sender.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a provider is reached: both are set by tests, `timeoutMs` covers the whole answer. */
export type Reach = Readonly<{ fetch: Fetch; timeoutMs?: number }>;

type Call<T> = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** What a 2xx holds. */
  Answer: z.ZodType<T>;
  judge: (answer: T) => SendResult;
}>;

const defaultTimeoutMs = 10 * second;
const maxAnswerBytes = 64 * 1024;

/**
 * Posts one message to a provider. Redirects are not followed. Whatever leaves it open whether the
 * message was taken (silence, a 5xx, a 2xx that cannot be read) is no answer.
 */
export async function callProvider<T>(
  { fetch, timeoutMs = defaultTimeoutMs }: Reach,
  { url, headers, body, Answer, judge }: Call<T>,
): Promise<SendResult> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await textOf(response);
    if (!response.ok) return refusalOf(response);
    const answer = Answer.safeParse(parsed(text));
    return answer.success ? judge(answer.data) : noAnswer("answer not understood");
  } catch (error) {
    return noAnswer(isTimeout(error) ? "timeout" : "connection failed");
  }
}

export const sent: SendResult = { type: "sent" };
export const refused = (reason: string): SendResult => ({ type: "refused", reason });
export const noAnswer = (reason: string, retryAfterMs: number | null = null): SendResult => ({
  type: "no_answer",
  reason,
  retryAfterMs,
});

/** Statuses that say "not now" rather than "not this message". */
const passing: readonly number[] = [408, 425, 429];

function refusalOf({ status, headers }: Response): SendResult {
  const reason = `status ${status}`;
  if (status < 500 && !passing.includes(status)) return refused(reason);
  const seconds = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
  return noAnswer(reason, seconds === undefined ? null : Number(seconds) * second);
}

/** The body as text, or as much of it as any provider says: the rest of an endless one is not read. */
async function textOf({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let taken = 0; taken < maxAnswerBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    taken += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON fits no schema
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
