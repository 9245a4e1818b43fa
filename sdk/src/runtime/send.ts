import { ConnectionError, DukaError, TimeoutError, toError } from "./errors.ts";
import { hasBody, type Input, isRecord, type Route, splitInput } from "./route.ts";
import type { CallOptions, ClientOptions, Result } from "./types.ts";

type SentHeaders = Readonly<Record<string, string>>;

/** What a client adds to its calls. */
export type Credentials = Readonly<{
  /** The headers that identify the caller. Runs before each attempt. */
  headers: (route: Route) => Promise<Record<string, string>> | Record<string, string>;
  /** Sees each answer and what was sent, for example to keep a new session's token. */
  onResponse?: ((response: Received, route: Route, sent: SentHeaders) => Promise<void>) | undefined;
  /** Renews the credentials after a 401. Resolves to whether the call may be tried again. */
  renew?: ((route: Route, sent: SentHeaders) => Promise<boolean>) | undefined;
  /** Whether the browser sends and keeps the service's cookies. */
  usesCookie?: boolean | undefined;
}>;

export type Transport = Readonly<{ options: ClientOptions; prefix: string; caller: Credentials }>;

/** An answer without its envelope. */
export type Answer = Result<unknown> & Readonly<{ headers: Headers }>;

/**
 * Calls an operation. Repeats it after a failure only when that cannot have an effect twice: reads,
 * writes whose key the API stores, and calls that were refused for their rate.
 *
 * @throws DukaError of the answer's code, ConnectionError, TimeoutError; the reason of an aborted
 * signal.
 */
export async function callApi(
  { options: client, prefix, caller }: Transport,
  route: Route,
  { path, input, options }: { path: string; input: Input; options: CallOptions },
): Promise<Answer> {
  const { query, body } = splitInput(route, input);
  const timeout = options.timeout ?? client.timeout ?? 30_000;
  const retries = client.retries ?? 2;
  const key = route.method === "GET" ? undefined : keyOf(options, body);
  const content = encodeBody(route, body);
  const url = addressOf(client, prefix + path + query);

  let hasRenewed = false;
  /** The last failure of a write that may have been carried out, and the session it was sent in. */
  let uncertain: Readonly<{ error: DukaError; session: string | undefined }> | undefined;
  for (let attempt = 0; ; attempt++) {
    throwIfAborted(options.signal);
    const headers = await caller.headers(route);
    const session = headers["X-Session-Token"];
    // After a login the API does not recognise the keys of before, and would carry the write out again.
    if (uncertain && uncertain.session !== session) throw uncertain.error;
    try {
      if (key !== undefined) headers["Idempotency-Key"] = key;
      if (content.type) headers["Content-Type"] = content.type;
      const credentials = caller.usesCookie ? ({ credentials: "include" } as const) : {};
      const init = { method: route.method, headers, body: content.body, ...credentials };
      const response = await withTimeout(timeout, options.signal, (signal) =>
        receive(client.fetch ?? fetch, url, { ...init, signal }),
      );
      await caller.onResponse?.(response, route, headers);
      return toAnswer(response);
    } catch (error) {
      if (!(error instanceof DukaError)) throw error;
      if (error.status === 401 && !hasRenewed && (await caller.renew?.(route, headers))) {
        hasRenewed = true;
        continue;
      }
      const delayMs = error.retryAfterMs ?? backOffMs(attempt);
      const isTooLate = (error.retryAfterMs ?? 0) > timeout;
      if (attempt >= retries || !mayRepeat(error, route) || isTooLate) throw error;
      if (key !== undefined && error.status !== 429) uncertain = { error, session };
      await delay(delayMs, options.signal);
    }
  }
}

/** Between 200 and 500 ms after the first attempt, twice as long after each, 8 s at most. */
const backOffMs = (attempt: number) => Math.min((200 + Math.random() * 300) * 2 ** attempt, 8_000);

function mayRepeat({ status, retryable, context }: DukaError, { method, flags }: Route): boolean {
  if (status === 429) return true;
  if (context.reason === "PAYMENT_DECLINED") return false; // the shopper decides whether to try again
  return retryable && (method === "GET" || flags.has("key"));
}

/** The address of a path at the service. */
export const addressOf = ({ baseUrl }: ClientOptions, path: string): string =>
  baseUrl.replace(/\/+$/, "") + path;

type Received = Readonly<{ status: number; ok: boolean; headers: Headers; text: string }>;

/** Sends a request and reads the whole response. */
async function receive(
  send: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  init: RequestInit,
): Promise<Received> {
  try {
    const response = await send(url, init);
    const { status, ok, headers } = response;
    return { status, ok, headers, text: await response.text() };
  } catch (cause) {
    throw new ConnectionError(cause);
  }
}

function toAnswer(response: Received): Answer {
  const { status, ok, headers, text } = response;
  const requestId = headers.get("X-Request-Id");
  const isJson = headers.get("Content-Type")?.includes("json");
  const payload = isJson ? parseJson(text) : text || undefined;
  if (!ok) throw errorOf(response, payload, requestId);
  // Every answer of the service has an id. A network's login page, for example, has none.
  const isCut = isJson && payload === undefined;
  if (isCut || (!isJson && requestId === null)) throw new ConnectionError(`status ${status}`);
  const data = isRecord(payload) && "data" in payload ? payload.data : payload;
  return { data, requestId, serverTiming: headers.get("Server-Timing"), headers };
}

function errorOf({ status, headers }: Received, payload: unknown, requestId: string | null) {
  const facts = isRecord(payload) && isRecord(payload.error) ? payload.error : {};
  const { code, message, retryable, context } = facts;
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return toError({
    code: typeof code === "string" ? code : "UNKNOWN",
    message: typeof message === "string" ? message : `The service answered with status ${status}.`,
    status,
    retryable: typeof retryable === "boolean" ? retryable : status === 429 || status >= 500,
    context: isRecord(context) ? context : undefined,
    requestId,
    retryAfterMs: seconds >= 0 ? seconds * 1000 : undefined,
  });
}

/** Undefined for text that a proxy cut or changed: its status decides. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A caller's key may be part of the body: checkout takes it there too. */
const keyOf = ({ idempotencyKey }: CallOptions, { idempotency_key: key }: Input): string =>
  idempotencyKey ?? (typeof key === "string" ? key : newKey());

function encodeBody(route: Route, body: Input): { body: BodyInit | null; type?: string } {
  if (!hasBody(route)) return { body: null };
  if (route.flags.has("body")) return { body: JSON.stringify(body), type: "application/json" };
  const { file } = body;
  if (route.flags.has("ndjson") && (typeof file === "string" || file instanceof Blob))
    return { body: file, type: "application/x-ndjson" };
  if (typeof file === "string") return { body: file, type: "text/csv" };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return { body: form };
}

/** Runs an attempt that ends with the signal or with the timeout. */
async function withTimeout<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, timeoutMs);
  outer?.addEventListener("abort", abort);
  try {
    return await run(controller.signal);
  } catch (error) {
    throwIfAborted(outer);
    throw isLate ? new TimeoutError(timeoutMs) : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

/** React Native's signals have no `throwIfAborted` and no reason. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

const reasonOf = ({ reason }: AbortSignal): unknown => reason ?? new Error("The call was aborted.");

/** Waits. @throws the signal's reason when it is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      if (signal) reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A UUID. Pages without https have no `randomUUID`, and React Native has no `crypto`. */
export const newKey = (): string =>
  (typeof crypto === "object" && crypto.randomUUID?.()) ||
  Array.from({ length: 4 }, () => Math.random().toString(36).slice(2)).join("-");
