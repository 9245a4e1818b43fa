import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { withBindings } from "../support/bindings.ts";
import { runQueuedJob } from "../support/cron.ts";
import worker from "../support/worker.ts";
import { createBusiness, dataOf, operator, roundTrips } from "../support/world.ts";

const path = "/v1/operator/dead-letters";
let shop: CreatedBusiness;
let sent: unknown[];

beforeEach(async () => {
  await env.CORE.prepare("delete from dead_letters").run();
  shop = await createBusiness();
  sent = [];
});

/** Delivers messages to the consumer of dead letters, and returns which it acknowledged. */
async function giveUpOn(
  messages: readonly Readonly<{ id: string; body: unknown }>[],
  bindings: typeof env = env,
) {
  const batch = createMessageBatch(
    "duka-events-dead",
    messages.map((message) => ({ timestamp: new Date(), attempts: 1, ...message })),
  );
  await worker.queue(batch, bindings);
  return (await getQueueResult(batch, createExecutionContext())).explicitAcks;
}

const wakeup = (shard = shop.business.shard) => ({ businessId: shop.business.id, shard });

const EVENTS = {
  sendBatch: async (messages: Iterable<{ body: unknown }>) => {
    sent.push(...[...messages].map(({ body }) => body));
  },
};

const ask = (method: string, suffix = "", queue: object = EVENTS) =>
  operator(method, path + suffix, { fetch: withBindings({ EVENTS: queue }) });

const listLetters = async () => dataOf(await ask("GET")).items;

it("keeps what the queue gave up on, once", async () => {
  const messages = [
    { id: "msg_a", body: wakeup() },
    { id: "msg_bad", body: { text: "no wakeup" } },
  ];
  expect(await giveUpOn(messages)).toEqual(["msg_a", "msg_bad"]);
  await giveUpOn(messages);
  expect(await listLetters()).toEqual([
    {
      id: expect.stringMatching(/^dlt_/),
      queue: "duka-events",
      business_id: shop.business.id,
      shard: shop.business.shard,
      received_at: expect.any(String),
      retried_at: null,
    },
  ]);
  const status = await operator("GET", "/v1/operator/status");
  expect(dataOf(status).dead_letters).toBe(1);
});

it("leaves the message in its queue while CORE does not answer", async () => {
  const CORE = { prepare: () => env.CORE.prepare("select * from nowhere"), batch: env.CORE.batch };
  const bindings = { ...env, CORE: CORE as unknown as D1Database };
  await expect(giveUpOn([{ id: "msg_a", body: wakeup() }], bindings)).rejects.toThrow();
});

it("sends a letter again once, to the shard that its business has now", async () => {
  await giveUpOn([{ id: "msg_a", body: wakeup("SHOP_9") }]);
  const [{ id }] = await listLetters();
  const answers = await Promise.all([ask("POST", `/${id}/retry`), ask("POST", `/${id}/retry`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask("POST", `/${id}/retry`)).status).toBe(200);
  expect(sent).toEqual([wakeup()]);
  expect(await listLetters()).toEqual([
    expect.objectContaining({ id, retried_at: expect.any(String) }),
  ]);
  expect((await ask("POST", "/dlt_01k00000000000000000000000/retry")).status).toBe(404);
});

it("lets the letter wait when the queue does not take it", async () => {
  await giveUpOn([{ id: "msg_a", body: wakeup() }]);
  const [{ id }] = await listLetters();
  const broken = { sendBatch: () => Promise.reject(new Error("not here")) };
  expect((await ask("POST", `/${id}/retry`, broken)).status).toBe(503);
  expect(dataOf(await ask("POST", `/${id}/retry`)).retried_at).toEqual(expect.any(String));
  expect(sent).toHaveLength(1);
});

it("sends all letters again in pages, and deletes them after 30 days", async () => {
  const messages = Array.from({ length: 101 }, (_, index) => ({
    id: `m_${index}`,
    body: wakeup(),
  }));
  await giveUpOn(messages.slice(0, 100));
  await giveUpOn(messages.slice(100));
  const first = await ask("POST", "/retry");
  expect(dataOf(first)).toEqual({ retried: 100, remaining: 1 });
  expect(roundTrips(first).d1).toBe(3);
  expect(dataOf(await ask("POST", "/retry"))).toEqual({ retried: 1, remaining: 0 });
  expect(dataOf(await ask("POST", "/retry"))).toEqual({ retried: 0, remaining: 0 });
  expect(sent).toHaveLength(101);

  const [{ id }] = await listLetters();
  await env.CORE.prepare("update dead_letters set received_at = received_at - ? where id <> ?")
    .bind(31 * day, id)
    .run();
  await runQueuedJob({ job: "purge-dead-letters", shard: null, chain: 0 });
  expect(await listLetters()).toEqual([expect.objectContaining({ id })]);
});
