import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { apiAt, text } from "../scripts/seed/api.ts";
import { residentMb } from "./resident.ts";
import type { Runtime } from "./runtime.ts";
import { openBusiness } from "./shop.ts";
import { table } from "./table.ts";

/** BENCH_EVENTS (500): 10,000 is the size at which the service is promised to hold. */
const eventCount = Number(process.env.BENCH_EVENTS ?? 500);
const subscriptionCount = 20;
const longestMs = 20 * 60_000;
const sampleMs = 250;

/**
 * How fast so many events reach 20 receivers each, from the outbox to the last answer, and what memory
 * that takes: what is held for every delivery would make the second half grow as much as the first.
 */
export async function webhooksTable({ origin, shops }: Runtime): Promise<string> {
  const receivers = await openReceivers();
  try {
    const { secretKey } = await openBusiness(origin);
    const api = apiAt(`${origin.origin}/api/v1/webhooks`, { "X-API-Key": secretKey });
    const ids: string[] = [];
    for (let number = 0; number < subscriptionCount; number += 1) {
      const url = `${receivers.origin}/${number}`;
      ids.push(text((await api.post("", { url, events: ["order.created"] })).id));
    }
    for (const shop of await shops()) {
      await shop.prepare(insertEvents).bind(eventCount, ids[0]).run();
    }
    const idleMb = residentMb();
    const expected = eventCount * subscriptionCount;
    const started = performance.now();
    await api.post(`/${ids[0]}/test`, {}); // announces the business
    const halfMb = await drained(receivers, expected / 2);
    const endMb = await drained(receivers, expected);
    const seconds = (performance.now() - started) / 1_000;
    return table(
      [
        "webhooks",
        "events/s",
        "deliveries/s",
        "seconds",
        "twice",
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

/** As checkout leaves them in the outbox; nothing where the subscription is not. */
const insertEvents = `
  with recursive counted(number) as (select 1 union all select number + 1 from counted where number < ?1)
  insert into events (id, business_id, type, subject_id, data, created_at)
  select 'evt_' || printf('%026d', number), business_id, 'order.created', 'ord_' || number,
    json_object('id', 'ord_' || number, 'order_id', 'ord_' || number, 'order_number', 'ORD-' || number,
      'status', 'pending', 'total_price', '25.00', 'currency', 'GHS', 'customer_id', null, 'item_count', 2),
    created_at
  from webhook_subscriptions, counted where webhook_subscriptions.id = ?2`;

type Receivers = Awaited<ReturnType<typeof openReceivers>>;

/** One server with a path for each receiver, which answers at once. */
async function openReceivers() {
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
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
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

/** Waits until so many deliveries have arrived, each counted once; answers the most memory that the runtime took meanwhile. */
async function drained({ distinct }: Receivers, expected: number): Promise<number> {
  const until = performance.now() + longestMs;
  let mostMb = residentMb();
  while (distinct() < expected) {
    if (performance.now() > until) throw new Error(`${distinct()} of ${expected} webhooks arrived`);
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    mostMb = Math.max(mostMb, residentMb());
  }
  return mostMb;
}
