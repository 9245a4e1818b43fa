import { type PaymentProvider, paystackProvider } from "../../shared/payments/index.ts";

export const secretKey = "sk_live_0123456789abcdef";

export type Asked = Readonly<{
  call: string;
  query: string;
  headers: Headers;
  body: Record<string, unknown>;
  /** Aborted once the caller has given up. */
  signal: AbortSignal;
}>;

type Answers = Readonly<Record<string, (asked: Asked) => Response | Promise<Response>>>;

/** An answer as Paystack sends it. */
export const said = (data: unknown, message = "Charge attempted"): Response =>
  Response.json({ status: true, message, data });

/** A refusal as Paystack sends it. */
export const refused = (message: string, status = 400): Response =>
  Response.json({ status: false, message }, { status });

/**
 * A stand-in for Paystack, by `METHOD /path` (a last part in brackets stands for any), and the
 * adapter that talks to it. A call that it was not given an answer for fails the test.
 */
export function paystack(
  answers: Answers,
  { timeoutMs = 1_000 }: { timeoutMs?: number } = {},
): { provider: PaymentProvider; asked: Asked[]; reports: unknown[] } {
  const asked: Asked[] = [];
  const reports: unknown[] = [];
  const provider = paystackProvider({
    secretKey,
    baseUrl: "https://paystack.test",
    emailDomain: "no-reply.example.com",
    timeoutMs,
    report: (report) => reports.push(report),
    alert: (alert) => reports.push(alert),
    fetch: async (url, init) => {
      const request = new Request(url, init); // throws where the runtime could not send it
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const one: Asked = {
        call: `${request.method} ${pathname}`,
        query: search,
        headers: request.headers,
        body: text === "" ? {} : Object(JSON.parse(text)),
        signal: request.signal,
      };
      asked.push(one);
      const answer =
        answers[one.call] ?? answers[one.call.replace(/\/[^/]+$/, "/{}")] ?? answers.anything;
      if (!answer) throw new Error(`The stand-in knows no ${one.call}.`);
      return answer(one);
    },
  });
  return { provider, asked, reports };
}
