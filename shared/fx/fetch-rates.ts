import { callProvider, type ProviderTransport, second } from "../kernel/index.ts";

/** Short, because a shopper waits for the response. */
const timeoutMs = 4 * second;

/** A provider's response with numbers as text; `json` is undefined when the body is not JSON. */
type RatesResponse = Readonly<{ status: number; json: unknown }>;

/**
 * Requests JSON from a provider; null without a response, or when it is longer than several full
 * tables of rates.
 */
export async function fetchRates(
  transport: ProviderTransport,
  url: string,
): Promise<RatesResponse | null> {
  const headers = { Accept: "application/json" };
  const response = await callProvider({ timeoutMs, ...transport }, url, { headers });
  if (response.type === "no_answer" || response.text === null) return null;
  return { status: response.status, json: parseNumbersAsText(response.text) };
}

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Safe: ES2026 passes the source text of primitives to a reviver; the library types know two
// parameters.
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** Keeps numbers as text, because floating point could change a rate. */
function parseNumbersAsText(text: string): unknown {
  try {
    return parse(text, (_key, value, { source }) => (typeof value === "number" ? source : value));
  } catch {
    return undefined; // not JSON; the response schema rejects it
  }
}
