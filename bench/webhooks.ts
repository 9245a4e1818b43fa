import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { asText, createApiClient } from "./api-client.ts";
import { createBusiness } from "./create-shop.ts";
import { formatTable } from "./format-table.ts";
import type { BenchRuntime } from "./runtime.ts";
import { workerdMemoryMb } from "./workerd-process.ts";

/** The number of events, BENCH_EVENTS (500). docs/measuring.md has results for 10,000 events. */
const eventCount = Number(process.env.BENCH_EVENTS ?? 500);
const subscriptionCount = 20;
const deliveryTimeoutMs = 20 * 60_000;
const sampleMs = 250;

/**
 * Measures how fast events get from the outbox to 20 webhook receivers each, and workerd's memory
 * in both halves. If workerd kept memory for each delivery, the second half would need more again.
 */
export async function measureWebhooks({
  origin,
  shopDatabases: shops,
}: BenchRuntime): Promise<string> {
  const receivers = await startReceivers();
  try {
    const { secretKey } = await createBusiness(origin);
    const api = createApiClient(`${origin.origin}/api/v1/webhooks`, { "X-API-Key": secretKey });
    const ids: string[] = [];
    for (let number = 0; number < subscriptionCount; number += 1) {
      const url = `${receivers.origin}/${number}`;
      ids.push(asText((await api.post("", { url, events: ["order.created"] })).id));
    }
    for (const shop of await shops()) {
      await shop
        .prepare(insertEvents)
        .bind(eventCount, ids[0] ?? null)
        .run();
    }
    const idleMb = workerdMemoryMb();
    const expected = eventCount * subscriptionCount;
    const started = performance.now();
    // Wakes the background Worker for this business.
    await api.post(`/${ids[0]}/test`, {});
    const halfMb = await waitForDeliveries(receivers, expected / 2);
    const endMb = await waitForDeliveries(receivers, expected);
    const seconds = (performance.now() - started) / 1_000;
    return formatTable(
      [
        "webhooks",
        "events/s",
        "deliveries/s",
        "seconds",
        "repeated",
        "idle MB",
        "1st half MB",
        "2nd half MB",
      ],
      [
        [
          `${eventCount} events to ${subscriptionCount} subscriptions`,
          (eventCount / seconds).toFixed(0),
          (expected / seconds).toFixed(0),
          seconds.toFixed(1),
          String(receivers.calls() - receivers.distinct()),
          idleMb.toFixed(0),
          halfMb.toFixed(0),
          endMb.toFixed(0),
        ],
      ],
    );
  } finally {
    receivers.close();
  }
}

/** Inserts events like those of checkout, in the shard that stores the webhook subscription. */
const insertEvents = `
  with recursive counted(number) as (select 1 union all select number + 1 from counted where number < ?1)
  insert into events (id, business_id, type, subject_id, data, created_at)
  select 'evt_' || printf('%026d', number), business_id, 'order.created', 'ord_' || number,
    json_object('id', 'ord_' || number, 'order_id', 'ord_' || number, 'order_number', 'ORD-' || number,
      'status', 'pending', 'total_price', '25.00', 'currency', 'GHS', 'customer_id', null, 'item_count', 2),
    created_at
  from webhook_subscriptions, counted where webhook_subscriptions.id = ?2`;

type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Starts a server with a path for each webhook receiver. Responds to every request immediately. */
async function startReceivers() {
  const seen = new Set<string>();
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (String(request.headers["webhook-id"]).startsWith("evt_0000")) {
        calls += 1;
        seen.add(`${request.url} ${request.headers["webhook-id"]}`);
      }
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Safe: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls: () => calls,
    distinct: () => seen.size,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Waits until `expected` different webhook deliveries have arrived. Returns workerd's maximum
 * memory in MB during that time.
 */
async function waitForDeliveries({ distinct }: Receivers, expected: number): Promise<number> {
  const timeoutAt = performance.now() + deliveryTimeoutMs;
  let maxMb = workerdMemoryMb();
  while (distinct() < expected) {
    if (performance.now() > timeoutAt)
      throw new Error(`${distinct()} of ${expected} webhooks arrived`);
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    maxMb = Math.max(maxMb, workerdMemoryMb());
  }
  return maxMb;
}
