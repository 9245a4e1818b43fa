import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { createBackgroundWorker } from "../background/create-background-worker.ts";
import { selectRows } from "../support/select-rows.ts";
import worker from "../support/worker.ts";
import type { TestBusiness } from "../support/world.ts";

export const providerSettings = {
  SMS_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+15005550006",
  EMAIL_PROVIDER: "resend",
  RESEND_API_KEY: "re_1",
  EMAIL_FROM: "Duka <shop@duka.example>",
  PUBLIC_URL: "https://duka.example",
};

type Email = Readonly<{
  from: string;
  to: readonly string[];
  subject: string;
  html: string;
  text: string;
  reply_to?: string;
  attachments?: readonly Readonly<{ filename: string; content: string; content_type: string }>[];
}>;

/**
 * Resend and Twilio. Resend accepts an idempotency key once and then repeats its response, as the
 * real one does; `fault` breaks a response before or after the message was accepted.
 */
export function stubMessageProviders() {
  const emails: Email[] = [];
  const texts: { to: string; body: string }[] = [];
  const keys = new Map<string, string>();
  const faults: { before?: () => Response; after?: () => Response } = {};
  vi.stubGlobal("fetch", async (url: string, { body, headers }: RequestInit) => {
    if (faults.before) return faults.before();
    if (url.startsWith("https://api.twilio.com/")) {
      const form = new URLSearchParams(String(body));
      texts.push({ to: form.get("To") ?? "", body: form.get("Body") ?? "" });
      return Response.json({ sid: `SM${texts.length}`, status: "queued" });
    }
    const key = new Headers(headers).get("Idempotency-Key") ?? "";
    if (!keys.has(key)) {
      emails.push(JSON.parse(String(body)));
      keys.set(key, `re_${emails.length}`);
    }
    return faults.after ? faults.after() : Response.json({ id: keys.get(key) });
  });
  return { emails, texts, faults };
}

/** Queues the messages of the business's events, as the consumer of the outbox does. */
export async function queueMessagesOf({ business }: TestBusiness, over: object = {}) {
  const { consume } = createBackgroundWorker({ ...providerSettings, ...over });
  await consume({ businessId: business.id, shard: business.shard });
}

/** Sends the business's due messages, as the consumer of the queue does. */
export async function sendMessagesOf({ business }: TestBusiness, over: object = {}) {
  const body = { businessId: business.id, shard: business.shard };
  const batch = createMessageBatch("duka-messages", [
    { id: "queued_1", timestamp: new Date(), attempts: 1, body },
  ]);
  const execution = createExecutionContext();
  await worker.queue(batch, { ...env, ...providerSettings, ...over });
  return getQueueResult(batch, execution);
}

/** Queues and sends the messages of everything that has happened so far. */
export async function deliverMessages(shop: TestBusiness, over: object = {}): Promise<void> {
  await queueMessagesOf(shop, over);
  await sendMessagesOf(shop, over);
}

/** The business's messages as they are stored, in the order of their names. */
export const listMessageRows = (shop: TestBusiness) =>
  selectRows(
    shop,
    "select * from messages where business_id = ? order by name, channel",
    shop.business.id,
  );
