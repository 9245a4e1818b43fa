import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { OutboxWakeup } from "../../functions/runtime/bindings.ts";
import { runAllJobs } from "../support/cron.ts";
import { checkMessages } from "../support/platform-limits.ts";
import worker from "../support/worker.ts";

type SentWakeup = OutboxWakeup & Readonly<{ delaySeconds?: number }>;

/** A background Worker whose event queue records its messages; `over` replaces bindings. */
export function createBackgroundWorker(over: object = {}) {
  const sent: SentWakeup[] = [];
  const record = (body: OutboxWakeup, options?: { delaySeconds?: number }) => {
    checkMessages([body]);
    sent.push({ ...body, ...options });
  };
  const queue = {
    send: async (body: OutboxWakeup, options?: { delaySeconds?: number }) => record(body, options),
    sendBatch: async (messages: Iterable<{ body: OutboxWakeup }>) => {
      const bodies = [...messages].map(({ body }) => body);
      checkMessages(bodies);
      for (const body of bodies) record(body);
    },
  } as unknown as Queue<OutboxWakeup>; // safe: the Worker calls only send and sendBatch
  const bindings = { ...env, EVENTS: queue, ...over };

  return {
    sent,
    bindings,
    /** Consumes one batch of messages; returns which were acknowledged and which retried. */
    async consume(...bodies: readonly unknown[]) {
      const messages = bodies.map((body, index) => ({
        id: `msg_${index}`,
        timestamp: new Date(),
        attempts: 1,
        body,
      }));
      const batch = createMessageBatch("duka-events", messages);
      const execution = createExecutionContext();
      await worker.queue(batch, bindings);
      const { explicitAcks, retryMessages } = await getQueueResult(batch, execution);
      return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
    },
    cron: (over: object = {}) => runAllJobs({ ...bindings, ...over }),
  };
}

/** A fetch that records webhooks and responds with the status. */
export function createReceiverFetch(status: () => number = () => 200) {
  const received: { url: string; eventId: string }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    received.push({ url, eventId: String(JSON.parse(String(init.body)).id) });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return new Response("thank you", { status: status() });
  };
  return { received, fetch };
}
