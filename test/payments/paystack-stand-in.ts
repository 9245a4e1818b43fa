import { type PaymentProvider, paystackProvider } from "../../shared/payments/index.ts";

export const secretKey = "sk_live_0123456789abcdef";

export type Asked = Readonly<{
  call: string;
  query: string;
  headers: Headers;
  body: Record<string, unknown>;
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
    fetch: async (url, { method = "GET", headers, body }) => {
      const { pathname, search } = new URL(url);
      const one: Asked = {
        call: `${method} ${pathname}`,
        query: search,
        headers: new Headers(headers),
        body: body === undefined ? {} : Object(JSON.parse(String(body))),
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
