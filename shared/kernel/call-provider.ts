import { countEvent } from "./counters.ts";

/**
 * Creates an `AbortSignal` that aborts after `ms`, and a function that cancels the timer.
 * `AbortSignal.timeout` is not used, because its timer cannot be cancelled and would keep a
 * finished call running.
 */
export function createTimeout(ms: number): Readonly<{ signal: AbortSignal; clear: () => void }> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException("No response in time", "TimeoutError")),
    ms,
  );
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * How a provider is called; tests replace both fields. `timeoutMs` limits the whole call, including
 * reading the body.
 */
export type ProviderTransport = Readonly<{ fetch: Fetch; timeoutMs?: number }>;

export type ProviderResponse =
  | Readonly<{
      type: "answer";
      status: number;
      headers: Headers;
      /** The body of the response; null when it exceeds the size limit. */
      text: string | null;
    }>
  | Readonly<{ type: "no_answer"; problem: "timeout" | "connection failed" }>;

type LimitedTransport = Required<ProviderTransport> & Readonly<{ maxBytes?: number }>;

/**
 * Calls an external provider as `fetchText` does, and counts what it fails to answer.
 *
 * @param transport with the caller's timeout.
 */
export async function callProvider(
  transport: LimitedTransport,
  url: string,
  init: RequestInit = {},
): Promise<ProviderResponse> {
  const response = await fetchText(transport, url, init);
  if (response.type === "no_answer" || response.status >= 500) countProviderError(url);
  return response;
}

/**
 * Sends a request with a time and size limit. Redirects are not followed. Never throws: a timeout or
 * a broken connection is returned as a missing response.
 */
export async function fetchText(
  { fetch, timeoutMs, maxBytes = 64 * 1024 }: LimitedTransport,
  url: string,
  init: RequestInit = {},
): Promise<ProviderResponse> {
  const { signal, clear } = createTimeout(timeoutMs);
  const receive = async () => {
    const { status, headers, body } = await fetch(url, { ...init, redirect: "manual", signal });
    const text = await readText(body, { maxBytes, signal });
    return { type: "answer", status, headers, text } as const;
  };
  try {
    return await Promise.race([receive(), rejectOnAbort(signal)]);
  } catch {
    return { type: "no_answer", problem: signal.aborted ? "timeout" : "connection failed" };
  } finally {
    clear();
  }
}

/** The hosts are those of the settings and of the providers' interfaces, so they are few. */
const countProviderError = (url: string): void =>
  countEvent("provider_errors_total", { host: new URL(url).host });

/** A promise that rejects on timeout. Reading a body may ignore the AbortSignal of its request. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

async function readText(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  const cancel = () => reader.cancel().catch(() => {});
  signal.addEventListener("abort", () => void cancel(), { once: true });
  const decoder = new TextDecoder();
  let text = "";
  for (let sizeBytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    sizeBytes += value.byteLength;
    if (sizeBytes > maxBytes) {
      await cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
