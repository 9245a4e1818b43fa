import { type PaymentProvider, paystackProvider } from "../../shared/payments/index.ts";

export const secretKey = "sk_live_0123456789abcdef";

export type PaystackCall = Readonly<{
  call: string;
  query: string;
  headers: Headers;
  body: Record<string, unknown>;
  /** Aborted when the caller times out. */
  signal: AbortSignal;
}>;

type StubResponses = Readonly<
  Record<string, (calls: PaystackCall) => Response | Promise<Response>>
>;

/** A successful response in Paystack's envelope. */
export const success = (data: unknown, message = "Charge attempted"): Response =>
  Response.json({ status: true, message, data });

/** A refusal in Paystack's envelope. */
export const failure = (message: string, status = 400): Response =>
  Response.json({ status: false, message }, { status });

/**
 * A stub of Paystack by `METHOD /path` (`{}` matches any last segment), and the adapter that calls
 * it. A call without a response fails the test.
 */
export function stubPaystack(
  answers: StubResponses,
  { timeoutMs = 1_000 }: { timeoutMs?: number } = {},
): {
  provider: PaymentProvider;
  calls: PaystackCall[];
  reports: unknown[];
  /** How often the adapter said that Paystack refused the key. */
  refusedKeys: () => number;
} {
  const calls: PaystackCall[] = [];
  const reports: unknown[] = [];
  let refusedKeys = 0;
  const provider = paystackProvider({
    secretKey,
    baseUrl: "https://paystack.test",
    emailDomain: "no-reply.example.com",
    timeoutMs,
    report: (report) => reports.push(report),
    alert: (alert) => reports.push(alert),
    onCredentialsRefused: () => {
      refusedKeys += 1;
    },
    fetch: async (url, init) => {
      const request = new Request(url, init); // throws for a request that the runtime could not send
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const one: PaystackCall = {
        call: `${request.method} ${pathname}`,
        query: search,
        headers: request.headers,
        body: text === "" ? {} : Object(JSON.parse(text)),
        signal: request.signal,
      };
      calls.push(one);
      const answer =
        answers[one.call] ?? answers[one.call.replace(/\/[^/]+$/, "/{}")] ?? answers.anything;
      if (!answer) throw new Error(`The stand-in knows no ${one.call}.`);
      return answer(one);
    },
  });
  return { provider, calls, reports, refusedKeys: () => refusedKeys };
}
