import { findBusinessesWithWork } from "../../../shared/webhooks/index.ts";
import type { Announcement } from "../../http/api-env.ts";
import type { Background } from "../context.ts";

const maxBusinesses = 1_000;
/** What one call of the queue takes. */
const maxMessages = 100;

/** Announces every business of a shard with events waiting or deliveries due, whose message may be lost. */
export async function sweepEvents(
  { chance, dbOf, queue }: Background,
  shard: string,
): Promise<void> {
  const businessIds = await findBusinessesWithWork(dbOf(shard), {
    now: chance.now(),
    limit: maxBusinesses,
  });
  const messages = businessIds.map((businessId) => ({ body: { businessId, shard } }));
  for (const batch of batchesOf(messages)) await queue.sendBatch(batch);
}

function batchesOf(messages: readonly { body: Announcement }[]): { body: Announcement }[][] {
  const count = Math.ceil(messages.length / maxMessages);
  return Array.from({ length: count }, (_, index) =>
    messages.slice(index * maxMessages, (index + 1) * maxMessages),
  );
}
