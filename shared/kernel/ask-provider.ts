import { patienceOf } from "./patience.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a provider is reached: tests set both. `timeoutMs` covers the whole answer, its last byte included. */
export type Reach = Readonly<{ fetch: Fetch; timeoutMs?: number }>;

export type ProviderAnswer =
  | Readonly<{
      type: "answer";
      status: number;
      headers: Headers;
      /** Null: longer than any answer worth reading. */
      text: string | null;
    }>
  | Readonly<{ type: "no_answer"; problem: "timeout" | "connection failed" }>;

/**
 * Asks a provider of ours, for so long and so much of its answer. Redirects are not followed. It
 * never throws: silence and a broken connection are no answer.
 *
 * @param reach with the time that its caller grants.
 */
export async function askProvider(
  { fetch, timeoutMs, maxBytes = 64 * 1024 }: Required<Reach> & Readonly<{ maxBytes?: number }>,
  url: string,
  init: RequestInit = {},
): Promise<ProviderAnswer> {
  const { signal, end } = patienceOf(timeoutMs);
  const answered = async () => {
    const { status, headers, body } = await fetch(url, { ...init, redirect: "manual", signal });
    const text = await boundedText(body, { maxBytes, signal });
    return { type: "answer", status, headers, text } as const;
  };
  try {
    return await Promise.race([answered(), expiry(signal)]);
  } catch {
    return { type: "no_answer", problem: signal.aborted ? "timeout" : "connection failed" };
  } finally {
    end();
  }
}

/** Rejects when the time is up, even where a body does not mind the signal. */
const expiry = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

async function boundedText(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  const cancel = () => reader.cancel().catch(() => {});
  signal.addEventListener("abort", () => void cancel(), { once: true });
  const decoder = new TextDecoder();
  let text = "";
  for (let taken = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    taken += value.byteLength;
    if (taken > maxBytes) {
      await cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
