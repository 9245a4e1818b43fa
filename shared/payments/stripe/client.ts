import type Stripe from "stripe";
import type { z } from "zod";
import {
  callProvider,
  type Fetch,
  type ProviderTransport,
  parseJson,
  second,
} from "../../kernel/index.ts";

/** 401: an unknown key; 403: a restricted key that lacks the permission. */
const keyStatuses: readonly (number | undefined)[] = [401, 403];

/** Whether Stripe does not accept the key for the call, so that a repeat is refused too. */
export const isKeyRefused = (response: StripeResponse<unknown>): boolean =>
  response.type === "no_answer" && keyStatuses.includes(response.status);

/** A failed call, as it is logged. Contains no personal data. */
type StripeFailure = Readonly<{ call: string; problem: string }>;

export type StripeConnection = ProviderTransport &
  Readonly<{
    secretKey: string;
    /** `https://api.stripe.com`, or the address of a server that replaces it in tests. */
    baseUrl: string;
    report: (failure: StripeFailure) => void;
  }>;

/**
 * The version of Stripe's API that the types of the package describe. An update of the package
 * fails here until the calls have been compared with the new version.
 */
const apiVersion: Stripe.LatestApiVersion = "2026-10-28.endive";

/** Stripe's error: its code, the parameter that it is about, and its text. */
export type StripeRefusal = Readonly<{
  type: "refused";
  status: number;
  code: string;
  param: string;
  message: string;
  /** The payment intent of a declined card. */
  intentId: string | null;
}>;

/** `refused`: Stripe says that it rejected the request, or the card. */
export type StripeResponse<T> =
  | Readonly<{ type: "ok"; data: T }>
  | StripeRefusal
  /** `status` is that of a response that says nothing about the payment. */
  | Readonly<{ type: "no_answer"; status?: number }>;

type StripeCall<T> = Readonly<{
  /** The call's name in the logs. Its path is not logged, because it may name a payment. */
  name: string;
  send: (stripe: Stripe) => Promise<unknown>;
  Data: z.ZodType<T>;
}>;

export type CallStripe = <T>(call: StripeCall<T>) => Promise<StripeResponse<T>>;

const limits = { timeoutMs: 15 * second, maxBytes: 512 * 1024 } as const;

let stripePackage: typeof import("stripe") | undefined;

/** Loads the package once for the isolate. */
async function loadPackage() {
  stripePackage ??= await import("stripe");
  return stripePackage;
}

/**
 * Creates a function that calls Stripe and never throws. The package is loaded with the first call.
 * Timeouts, unreadable responses, and statuses about our key or request rate mean "no answer",
 * because they say nothing about the payment.
 */
export function createStripeClient({
  secretKey,
  baseUrl,
  report,
  ...transport
}: StripeConnection): CallStripe {
  const safeFetch = createSafeFetch(transport);
  let client: Promise<Stripe> | null = null;
  const createClient = async (): Promise<Stripe> => {
    const { default: StripeClient } = await loadPackage();
    const { hostname, port, protocol } = new URL(baseUrl);
    return new StripeClient(secretKey, {
      apiVersion,
      host: hostname,
      port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
      protocol: protocol === "http:" ? "http" : "https",
      httpClient: StripeClient.createFetchHttpClient((url: unknown, init?: RequestInit) =>
        safeFetch(String(url), init ?? {}),
      ),
      maxNetworkRetries: 0, // a charge is only sent again after its state was looked up
      timeout: 2 * limits.timeoutMs, // `createSafeFetch` has the limit that counts
      telemetry: false,
    });
  };

  return async ({ name, send, Data }) => {
    const reportNoAnswer = (problem: string, status?: number) => {
      report({ call: name, problem });
      return { type: "no_answer", ...(status !== undefined && { status }) } as const;
    };
    try {
      client ??= createClient();
      const data = Data.safeParse(await send(await client));
      return data.success ? { type: "ok", data: data.data } : reportNoAnswer("unexpected");
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal) return refusal;
      const { statusCode: status, detail }: StripeErrorFields = Object(error);
      if (status === undefined) return reportNoAnswer(problemOf(detail));
      return reportNoAnswer(`status ${status}`, status);
    }
  };
}

type StripeErrorFields = Readonly<{
  statusCode?: number;
  code?: unknown;
  param?: unknown;
  message?: unknown;
  detail?: unknown;
  payment_intent?: unknown;
}>;

const problemOf = (detail: unknown): string =>
  detail instanceof NoAnswer ? detail.message : "connection failed";

/** 400: the request; 402: the card; 404: an unknown object. */
const refusalStatuses: readonly (number | undefined)[] = [400, 402, 404];

/** Stripe's error if it is about the request; null for every other error. */
function toRefusal(error: unknown): StripeRefusal | null {
  const { statusCode, code, param, message, payment_intent }: StripeErrorFields = Object(error);
  if (statusCode === undefined || !refusalStatuses.includes(statusCode)) return null;
  const { rawType, type } = Object(error);
  const isKeyReused = rawType === "idempotency_error" || type === "StripeIdempotencyError";
  const { id: intentId } = Object(payment_intent);
  return {
    type: "refused",
    status: statusCode,
    code: isKeyReused ? "idempotency_error" : textOf(code),
    param: textOf(param),
    message: textOf(message),
    intentId: typeof intentId === "string" ? intentId : null,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * A fetch for the package with our limits of time and size. It follows no redirect, and only
 * returns responses whose body is a JSON object, because the package does not survive others.
 */
function createSafeFetch(transport: ProviderTransport): Fetch {
  return async (url, init) => {
    const { signal: _, ...request } = init;
    const response = await callProvider({ ...limits, ...transport }, url, request);
    if (response.type === "no_answer") throw new NoAnswer(response.problem);
    const { status, headers, text } = response;
    if (text === null) throw new NoAnswer("response too long");
    if (status >= 500 || (status >= 300 && status < 400)) throw new NoAnswer(`status ${status}`);
    if (!isJsonObject(text)) throw new NoAnswer(`status ${status}, malformed`);
    return new Response(text, { status, headers });
  };
}

function isJsonObject(text: string): boolean {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
