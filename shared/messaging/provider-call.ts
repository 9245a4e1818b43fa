import type { z } from "zod";
import { askProvider, jsonIn, type Reach, second } from "../kernel/index.ts";
import type { SendResult } from "./sender.ts";

type Call<T> = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** What a 2xx holds. */
  Answer: z.ZodType<T>;
  judge: (answer: T) => SendResult;
}>;

const timeoutMs = 10 * second;

/**
 * Posts one message to a provider. Whatever leaves it open whether the message was taken (silence,
 * a 5xx, a 2xx that cannot be read) is no answer.
 */
export async function callProvider<T>(
  reach: Reach,
  { url, headers, body, Answer, judge }: Call<T>,
): Promise<SendResult> {
  const said = await askProvider({ timeoutMs, ...reach }, url, { method: "POST", headers, body });
  if (said.type === "no_answer") return noAnswer(said.problem);
  if (said.status < 200 || said.status > 299) return refusalOf(said);
  const answer = Answer.safeParse(jsonIn(said.text));
  return answer.success ? judge(answer.data) : noAnswer("answer not understood");
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

function refusalOf({ status, headers }: Pick<Response, "status" | "headers">): SendResult {
  const reason = `status ${status}`;
  if (status < 500 && !passing.includes(status)) return refused(reason);
  const seconds = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
  return noAnswer(reason, seconds === undefined ? null : Number(seconds) * second);
}
