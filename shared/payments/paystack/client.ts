import { z } from "zod";
import { callProvider, type ProviderTransport, parseJson, second } from "../../kernel/index.ts";
import type { UnavailableReason } from "../provider.ts";

/** A failed call, as it is logged. Contains no personal data. */
type FailedCallReport = Readonly<{ call: string; problem: string }>;

export type PaystackSettings = ProviderTransport &
  Readonly<{
    secretKey: string;
    /** `https://api.paystack.co`, or the address of a server that replaces it in tests. */
    baseUrl: string;
    report: (report: FailedCallReport) => void;
    /** Called when Paystack does not accept the key for a charge. */
    onCredentialsRefused?: () => void;
  }>;

/** `refused`: Paystack's response says that it rejected the request. */
export type PaystackResponse<T> =
  | Readonly<{ type: "ok"; data: T }>
  | Readonly<{ type: "refused"; status: number; message: string; code: string }>
  /** `status` is that of a response which says nothing about the payment. */
  | Readonly<{ type: "no_answer"; status?: number }>;

type PaystackCall<T> = Readonly<{
  /**
   * The call's name in the logs. The path is not logged, because it may contain a payment's
   * reference.
   */
  name: string;
  path: string;
  /** The body of a POST. A call without a body is a GET. */
  body?: Readonly<Record<string, unknown>>;
  Data: z.ZodType<T>;
}>;

export type CallPaystack = <T>(call: PaystackCall<T>) => Promise<PaystackResponse<T>>;

const limits = { timeoutMs: 15 * second, maxBytes: 512 * 1024 } as const;

const Envelope = z.object({
  status: z.boolean(),
  message: z.string().catch(""),
  code: z.string().catch(""),
  data: z.unknown().optional(),
});

/**
 * Creates the client of Paystack's HTTP API, which never throws. A 4xx that contains Paystack's
 * message means "refused". Timeouts, other responses and statuses about our key or request rate
 * mean "no answer", because they say nothing about the payment. Its code names a refused currency,
 * with any status.
 */
export function createPaystackClient({
  secretKey,
  baseUrl,
  report,
  ...transport
}: PaystackSettings): CallPaystack {
  const send = ({ path, body }: Pick<PaystackCall<unknown>, "path" | "body">) =>
    callProvider({ ...limits, ...transport }, `${baseUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${secretKey}`,
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return async (call) => {
    const reportNoAnswer = (problem: string, status?: number) => {
      report({ call: call.name, problem });
      return { type: "no_answer", ...(status !== undefined && { status }) } as const;
    };
    const response = await send(call);
    if (response.type === "no_answer") return reportNoAnswer(response.problem);
    const { status, text } = response;
    if (text === null) return reportNoAnswer("response too long");
    const envelope = Envelope.safeParse(parseJson(text));
    const { message = "", code = "" } = envelope.data ?? {};
    if (isUnsupportedCurrency({ code })) return { type: "refused", status, message, code };
    if (isNotAboutPayment(status) || status >= 500 || (status >= 300 && status < 400))
      return reportNoAnswer(`status ${status}`, status);
    if (!envelope.success) return reportNoAnswer(`status ${status}, malformed`);
    if (status >= 400) return { type: "refused", status, message, code };
    const data = call.Data.safeParse(envelope.data.data);
    if (!envelope.data.status || !data.success)
      return reportNoAnswer(`status ${status}, unexpected`);
    return { type: "ok", data: data.data };
  };
}

/**
 * Whether the status is about our key, our request rate or the connection instead of the payment.
 */
const isNotAboutPayment = (status: number): boolean => [401, 403, 407, 408, 429].includes(status);

const unauthorized = 401;

/**
 * Why Paystack does not make such charges for the business: the currency, or a key that it does not
 * accept. Null for every other response.
 */
export function unavailableReason(
  response: Exclude<PaystackResponse<unknown>, { type: "ok" }>,
): UnavailableReason | null {
  if (isKeyRefused(response)) return "credentials";
  return response.type === "refused" && isUnsupportedCurrency(response) ? "currency" : null;
}

/** Whether Paystack does not accept the key, so that no call of the account gets an answer. */
export const isKeyRefused = (response: PaystackResponse<unknown>): boolean =>
  response.type === "no_answer" && response.status === unauthorized;

const isUnsupportedCurrency = ({ code }: Readonly<{ code: string }>): boolean =>
  code === "unsupported_currency";

/**
 * Whether the charge's reference was used before. Only the text of Paystack's message tells:
 * "Duplicate Transaction Reference" or "Duplicate charge request for reference".
 */
export const isDuplicateReference = ({ message }: Readonly<{ message: string }>): boolean =>
  /duplicate/i.test(message);
