import { callProvider, type ProviderTransport, second } from "../kernel/index.ts";

/**
 * The time limit of a request to a provider. It is short, because a shopper waits for the response.
 */
const timeoutMs = 4 * second;

/**
 * A provider's response, in which numbers are text. `json` is undefined when the body is not JSON.
 */
type RatesResponse = Readonly<{ status: number; json: unknown }>;

/**
 * Requests JSON from a provider. Null when there is no response, or when the response is much
 * longer than a full table of rates.
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

// Safe: ES2026 passes a third argument to the reviver, the source text of primitives. The library
// types do not have it yet.
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** Parses JSON with numbers as text, because conversion to floating point could change a rate. */
function parseNumbersAsText(text: string): unknown {
  try {
    return parse(text, (_key, value, { source }) => (typeof value === "number" ? source : value));
  } catch {
    return undefined; // not JSON; the response schema rejects it
  }
}
