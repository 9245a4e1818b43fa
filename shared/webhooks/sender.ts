import { patienceOf, second } from "../kernel/index.ts";
import type { SendOutcome } from "./delivery.ts";

export type OutgoingWebhook = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type SendWebhook = (webhook: OutgoingWebhook) => Promise<SendOutcome>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A receiver's time to answer (completions.md 14). */
export const receiverTimeoutMs = 15 * second;
const maxAnswerBytes = 4_096;

/** Posts webhooks; redirects are not followed, since they lead past the check of the address. */
export const webhookSender =
  ({ fetch, timeoutMs = receiverTimeoutMs }: { fetch: Fetch; timeoutMs?: number }): SendWebhook =>
  async ({ url, headers, body }) => {
    const patience = patienceOf(timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: patience.signal,
      });
      await readSome(response.body);
      return {
        statusCode: response.status,
        error: response.ok ? null : `status ${response.status}`,
      };
    } catch (error) {
      return { statusCode: null, error: isTimeout(error) ? "timeout" : "connection failed" };
    } finally {
      patience.end();
    }
  };

/** Takes a short answer, so that the receiver sees it taken, and no more of a long one. */
async function readSome(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let taken = 0; taken < maxAnswerBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      taken += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The status has arrived, and it alone decides; a broken body changes nothing.
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
