import { createTimeout, second } from "../kernel/index.ts";
import type { SendOutcome } from "./delivery.ts";

export type OutgoingWebhook = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type SendWebhook = (webhook: OutgoingWebhook) => Promise<SendOutcome>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How long a receiver may take to respond (docs/contract/events.md#webhook-response). */
export const receiverTimeoutMs = 15 * second;
const maxResponseBytes = 4_096;

/**
 * Creates the function that posts a webhook. Redirects are not followed, because nobody has checked
 * their target.
 */
export const createWebhookSender =
  ({ fetch, timeoutMs = receiverTimeoutMs }: { fetch: Fetch; timeoutMs?: number }): SendWebhook =>
  async ({ url, headers, body }) => {
    const timeout = createTimeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "User-Agent": "Duka-Webhooks",
          ...headers,
        },
        body,
        redirect: "manual",
        signal: timeout.signal,
      });
      await drainResponse(response.body);
      return {
        statusCode: response.status,
        error: response.ok ? null : `status ${response.status}`,
      };
    } catch (error) {
      return { statusCode: null, error: isTimeout(error) ? "timeout" : "connection failed" };
    } finally {
      timeout.clear();
    }
  };

/**
 * Reads a short response to its end, so that the connection can be reused. A long response is
 * cancelled.
 */
async function drainResponse(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let received = 0; received < maxResponseBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      received += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // Ignored: the status has already arrived, and nothing else of the response is needed.
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
