import { second } from "../kernel/index.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Asking = Readonly<{ fetch: Fetch; timeoutMs?: number }>;

/** A shopper waits for the answer. */
const patienceMs = 4 * second;
/** Several times a full table of currencies. */
const maxAnswerBytes = 64 * 1024;

/** A provider's answer whose every number is its text; `json` is undefined where it is none. */
export type ProviderAnswer = Readonly<{ status: number; json: unknown }>;

/** Asks for JSON, for so long and so much of it; null when no answer came. Redirects are not followed. */
export async function askProvider(
  { fetch, timeoutMs = patienceMs }: Asking,
  url: string,
): Promise<ProviderAnswer | null> {
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await boundedText(response.body);
    return text === null ? null : { status: response.status, json: numbersAsText(text) };
  } catch {
    return null; // refused, broken off or too slow: all of them are no answer
  }
}

/** The body's text; null when it is longer than any answer worth reading. */
async function boundedText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let taken = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    taken += value.byteLength;
    if (taken > maxAnswerBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Safe: ES2026 hands a reviver the text of each primitive; the library's types know two arguments.
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** Numbers stay as they were written: as floating point a rate might already be another. */
function numbersAsText(text: string): unknown {
  try {
    return parse(text, (_key, value, { source }) => (typeof value === "number" ? source : value));
  } catch {
    return undefined; // not JSON; the schema of the answer refuses it
  }
}
