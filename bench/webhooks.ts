import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { asText, createApiClient } from "./api-client.ts";
import { createBusiness } from "./create-shop.ts";
import type { BenchOptions } from "./options.ts";
import { formatRateTable } from "./report.ts";
import type { BenchResult } from "./results.ts";
import type { BenchRuntime } from "./runtime.ts";
import { memoryMbOf } from "./workerd-process.ts";

const subscriptionCount = 20;
const deliveryTimeoutMs = 20 * 60_000;
const sampleMs = 50;

const rowName = `webhooks: deliveries to ${subscriptionCount} subscriptions`;
export const webhookRowNames: readonly string[] = [rowName];

/**
 * Measures how fast events get from the outbox to 20 webhook receivers each, and workerd's memory.
 * If workerd kept memory for each delivery, the last round would need more than the first.
 */
export async function measureWebhooks(
  { origin, shopDatabases: shops, processIds }: BenchRuntime,
  { rounds, events }: Pick<BenchOptions, "rounds" | "events">,
): Promise<{ table: string; results: BenchResult[] }> {
  const receivers = await startReceivers();
  try {
    const { secretKey } = await createBusiness(origin);
    const api = createApiClient(`${origin.origin}/api/v1/webhooks`, { "X-API-Key": secretKey });
    const ids: string[] = [];
    for (let number = 0; number < subscriptionCount; number += 1) {
      const url = `${receivers.origin}/${number}`;
      ids.push(asText((await api.post("", { url, events: ["order.created"] })).id));
    }
    const perRound = Math.ceil(events / rounds);
    const idleMb = memoryMbOf(processIds());
    const measured: { rate: number; maxMb: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const expected = (round + 1) * perRound * subscriptionCount;
      for (const shop of await shops()) {
        await shop
          .prepare(insertEvents)
          .bind(perRound, ids[0] ?? null, round * perRound)
          .run();
      }
      const started = performance.now();
      // Wakes the background Worker for this business.
      await api.post(`/${ids[0]}/test`, {});
      const maxMb = await waitForDeliveries(receivers, expected, processIds());
      const seconds = (performance.now() - started) / 1_000;
      measured.push({ rate: (perRound * subscriptionCount) / seconds, maxMb });
    }
    const result: BenchResult = {
      name: rowName,
      unit: "per s",
      rounds: measured.map(({ rate }) => ({ rate, p50Ms: null, p99Ms: null })),
      errors: [],
      memoryMb: { before: idleMb, max: Math.max(...measured.map(({ maxMb }) => maxMb)) },
    };
    const repeated = receivers.calls() - receivers.distinct();
    const column = (head: string, text: string) => ({ head, cell: () => text });
    const table = formatRateTable(
      `${perRound} events a round`,
      [result],
      [
        column("repeated", String(repeated)),
        column("idle MB", idleMb.toFixed(0)),
        column("1st round MB", measured[0]?.maxMb.toFixed(0) ?? ""),
        column("last round MB", measured.at(-1)?.maxMb.toFixed(0) ?? ""),
      ],
    );
    return { table, results: [result] };
  } finally {
    receivers.close();
  }
}

/** Inserts events like those of checkout, in the shard that stores the webhook subscription. */
const insertEvents = `
  with recursive counted(number) as (select 1 union all select number + 1 from counted where number < ?1)
  insert into events (id, business_id, type, subject_id, data, created_at)
  select 'evt_' || printf('%026d', number + ?3), business_id, 'order.created', 'ord_' || number,
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
async function waitForDeliveries(
  { distinct }: Receivers,
  expected: number,
  processIds: readonly number[],
): Promise<number> {
  const timeoutAt = performance.now() + deliveryTimeoutMs;
  let maxMb = memoryMbOf(processIds);
  while (distinct() < expected) {
    if (performance.now() > timeoutAt)
      throw new Error(`${distinct()} of ${expected} webhooks arrived`);
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    maxMb = Math.max(maxMb, memoryMbOf(processIds));
  }
  return maxMb;
}
