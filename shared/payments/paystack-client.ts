import { z } from "zod";
import { askProvider, jsonIn, type Reach, second } from "../kernel/index.ts";

/** A call that went wrong, for the logs: which one and how, and nothing of whom it was about. */
export type CallReport = Readonly<{ call: string; problem: string }>;

export type PaystackSettings = Reach &
  Readonly<{
    secretKey: string;
    /** `https://api.paystack.co`, or a stand-in's address. */
    baseUrl: string;
    report: (report: CallReport) => void;
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

const limits = { timeoutMs: 15 * second, maxBytes: 512 * 1024 } as const;

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
  report,
  ...reach
}: PaystackSettings): AskPaystack {
  const talk = ({ path, body }: Pick<Call<unknown>, "path" | "body">) =>
    askProvider({ ...limits, ...reach }, `${baseUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${secretKey}`,
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return async (call) => {
    const noAnswer = (problem: string) => {
      report({ call: call.name, problem });
      return { type: "no_answer" } as const;
    };
    const said = await talk(call);
    if (said.type === "no_answer") return noAnswer(said.problem);
    const { status, text } = said;
    if (text === null) return noAnswer("answer too long");
    if (isAboutUs(status) || status >= 500 || (status >= 300 && status < 400))
      return noAnswer(`status ${status}`);
    const envelope = Envelope.safeParse(jsonIn(text));
    if (!envelope.success) return noAnswer(`status ${status}, malformed`);
    const { message } = envelope.data;
    if (status >= 400) return { type: "refused", status, message };
    const data = call.Data.safeParse(envelope.data.data);
    if (!envelope.data.status || !data.success) return noAnswer(`status ${status}, unexpected`);
    return { type: "ok", data: data.data };
  };
}

/** Statuses that tell of our key, our pace or the way there, and not of the payment. */
const isAboutUs = (status: number): boolean => [401, 403, 407, 408, 429].includes(status);

/** Whether a reference was used before. Told by words: "Duplicate Transaction Reference", "Duplicate charge request for reference". */
export const isDuplicate = ({ message }: Readonly<{ message: string }>): boolean =>
  /duplicate/i.test(message);
