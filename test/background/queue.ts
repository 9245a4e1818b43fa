import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../functions/background/worker.ts";
import type { Announcement } from "../../functions/http/api-env.ts";
import { tick } from "../support/cron.ts";

type Sent = Announcement & Readonly<{ delaySeconds?: number }>;

/** The background Worker's bindings, with a queue that keeps what it is given; `over` are those that matter to the test. */
export function givenBackground(over: object = {}) {
  const sent: Sent[] = [];
  const keep = (body: Announcement, options?: { delaySeconds?: number }) =>
    void sent.push({ ...body, ...options });
  const queue = {
    send: async (body: Announcement, options?: { delaySeconds?: number }) => keep(body, options),
    sendBatch: async (messages: Iterable<{ body: Announcement }>) => {
      for (const { body } of messages) keep(body);
    },
  } as unknown as Queue<Announcement>; // safe: the Worker calls send and sendBatch, and nothing else
  const bindings = { ...env, EVENTS: queue, ...over };

  return {
    sent,
    bindings,
    /** One batch of the queue with a message for each body; tells which were acknowledged and which return. */
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
    cron: (over: object = {}) => tick({ ...bindings, ...over }),
  };
}

/** What the Worker fetches, kept; every receiver answers with the status. */
export function receiving(status: () => number = () => 200) {
  const received: { url: string; eventId: string }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    received.push({ url, eventId: String(JSON.parse(String(init.body)).id) });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return new Response("thank you", { status: status() });
  };
  return { received, fetch };
}
