import { createTimeout, second } from "../kernel/index.ts";
import type { SendOutcome } from "./delivery.ts";

export type OutgoingWebhook = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type SendWebhook = (webhook: OutgoingWebhook) => Promise<SendOutcome>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A receiver's time to respond (docs/contract/events.md#webhook-response). */
export const receiverTimeoutMs = 15 * second;
const maxResponseBytes = 4_096;

/** Posts webhooks. Redirects are not followed, because their target is not checked. */
export const createWebhookSender =
  ({ fetch, timeoutMs = receiverTimeoutMs }: { fetch: Fetch; timeoutMs?: number }): SendWebhook =>
  async ({ url, headers, body }) => {
    const timeout = createTimeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers,
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

/** Reads a short response to its end, so that the connection can be reused; cancels a long one. */
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
    // Only the status counts, and it has arrived.
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
