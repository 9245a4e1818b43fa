import type { Fetch } from "../../sdk/src/index.ts";
import { createFetch, recordRequests } from "./create-clients.ts";

/** What happens to one request: it may be sent or not, and its response may arrive or not. */
export type Fault = (
  send: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
) => Promise<Response>;

export const pass: Fault = (send) => send();

/** The request does not reach the service. */
export const loseRequest: Fault = async () => {
  throw new TypeError("The network is down.");
};

/** The service carries out the request, and its response does not arrive. */
export const loseResponse: Fault = async (send) => {
  await (await send()).arrayBuffer();
  throw new TypeError("The connection was reset.");
};

/** Nothing answers until the caller gives up. */
export const neverAnswer: Fault = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** The headers arrive, and the body never ends. */
export const neverEnd: Fault = async (_, signal) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"success":'));
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
    }),
    { headers: { "Content-Type": "application/json" } },
  );

/** An answer of the service itself, or of something in front of it. */
export const answer =
  (status: number, body: object | string, headers: Record<string, string> = {}): Fault =>
  async () =>
    typeof body === "string"
      ? new Response(body, { status, headers: { "Content-Type": "text/html", ...headers } })
      : Response.json(body, {
          status,
          headers: { "X-Request-Id": "request-of-the-test", ...headers },
        });

/** A refusal in the envelope of the service, to be repeated at once. */
export const refuse = (
  status: number,
  error: Readonly<{ code: string; retryable?: boolean; context?: object }>,
  retryAfter = "0",
): Fault =>
  answer(
    status,
    { success: false, error: { message: "No.", retryable: false, ...error } },
    { "Retry-After": retryAfter },
  );

/**
 * A `fetch` in front of the whole Worker with faults, one for each request in their order. Requests
 * that start a session, and those after the last fault, pass.
 */
export function createFaultyFetch(...faults: Fault[]) {
  const send = createFetch();
  const faulty: Fetch = (url, init) => {
    const fault = url.endsWith("/sessions") ? pass : (faults.shift() ?? pass);
    return fault(() => send(url, init), init.signal);
  };
  const { fetch, requests } = recordRequests(faulty);
  return {
    fetch,
    /** The requests, without those that start a session. */
    requests: () => requests.filter(({ url }) => !url.endsWith("/sessions")),
    keys: () =>
      requests
        .filter(({ url }) => !url.endsWith("/sessions"))
        .map(({ headers }) => headers.get("Idempotency-Key")),
  };
}
