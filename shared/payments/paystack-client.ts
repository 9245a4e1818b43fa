import { z } from "zod";
import { second } from "../kernel/index.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A call that went wrong, for the logs: which one and how, and nothing of whom it was about. */
export type CallReport = Readonly<{ call: string; problem: string }>;

export type PaystackSettings = Readonly<{
  secretKey: string;
  /** `https://api.paystack.co`, or a stand-in's address. */
  baseUrl: string;
  fetch: Fetch;
  report: (report: CallReport) => void;
  timeoutMs?: number;
}>;

/** refused: Paystack understood and said no, in its envelope. */
export type PaystackAnswer<T> =
  | Readonly<{ type: "ok"; data: T }>
  | Readonly<{ type: "refused"; status: number; message: string }>
  | Readonly<{ type: "no_answer" }>;

type Call<T> = Readonly<{
  /** The call's name in the logs, where its path would name a payment. */
  name: string;
  path: string;
  /** Left out: a GET. */
  body?: Readonly<Record<string, unknown>>;
  Data: z.ZodType<T>;
}>;

export type AskPaystack = <T>(call: Call<T>) => Promise<PaystackAnswer<T>>;

/** One call's time, its answer's last byte included. */
const defaultTimeoutMs = 15 * second;
const maxAnswerBytes = 512 * 1024;

const Envelope = z.object({
  status: z.boolean(),
  message: z.string().catch(""),
  data: z.unknown().optional(),
});

/**
 * Calls of Paystack's HTTP API. Whatever comes back, or does not, is one of the three answers; it
 * never throws. A 4xx in the envelope is a refusal, but for those that are about us and not about
 * the payment (our key, our pace): they, 5xx, silence and anything that is not Paystack's JSON are
 * no answer.
 */
export function paystackClient({
  secretKey,
  baseUrl,
  fetch,
  report,
  timeoutMs = defaultTimeoutMs,
}: PaystackSettings): AskPaystack {
  async function talk({ path, body }: Pick<Call<unknown>, "path" | "body">) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answered = async () => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          Authorization: `Bearer ${secretKey}`,
          Accept: "application/json",
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "manual",
        signal,
      });
      return { status: response.status, text: await boundedText(response.body, signal) };
    };
    return Promise.race([answered(), expiry(signal)]);
  }

  return async (call) => {
    const noAnswer = (problem: string) => {
      report({ call: call.name, problem });
      return { type: "no_answer" } as const;
    };
    try {
      const { status, text } = await talk(call);
      if (text === null) return noAnswer("answer too long");
      if (isAboutUs(status) || status >= 500 || (status >= 300 && status < 400))
        return noAnswer(`status ${status}`);
      const envelope = Envelope.safeParse(parsed(text));
      if (!envelope.success) return noAnswer(`status ${status}, malformed`);
      const { message } = envelope.data;
      if (status >= 400) return { type: "refused", status, message };
      const data = call.Data.safeParse(envelope.data.data);
      if (!envelope.data.status || !data.success) return noAnswer(`status ${status}, unexpected`);
      return { type: "ok", data: data.data };
    } catch (error) {
      return noAnswer(isTimeout(error) ? "timeout" : "connection failed");
    }
  };
}

/** Statuses that tell of our key, our pace or the way there, and not of the payment. */
const isAboutUs = (status: number): boolean => [401, 403, 407, 408, 429].includes(status);

/** Rejects when the time is up, even where a stand-in's body would not mind the signal. */
const expiry = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** The body as text; null when it is longer than an answer of Paystack's can be. */
async function boundedText(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let taken = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    taken += value.byteLength;
    if (taken > maxAnswerBytes) {
      await reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
