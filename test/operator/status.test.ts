import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { version } from "../../package.json";
import { withBindings } from "../support/bindings.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runQueuedJob } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, operator } from "../support/world.ts";

const readStatus = async (bindings = {}) => {
  const response = await operator("GET", "/v1/operator/status", { fetch: withBindings(bindings) });
  expect(response.status).toBe(200);
  return dataOf(response);
};

it("shows each shard with its size, rows, businesses and newest migration", async () => {
  const { business } = await createBusiness();
  const { shards, version: versions, queue } = await readStatus();
  const shard = shards.find(({ name }: { name: string }) => name === business.shard);
  expect(shard).toMatchObject({
    shard: business.shard,
    bytes: shard.size_bytes,
    bytes_limit: 10_000_000_000,
    businesses: expect.any(Number),
    schema: expect.stringMatching(/^\d{4}_\w+\.sql$/),
  });
  expect(shard.businesses).toBeGreaterThan(0);
  expect(versions).toEqual({ schema: expect.stringMatching(/^\d{4}_\w+\.sql$/), code: version });
  expect(queue).toMatchObject({ messages: expect.any(Number), oldest_message_at: null });

  await createProduct({ business });
  const after = (await readStatus()).shards.find(
    ({ name }: { name: string }) => name === business.shard,
  );
  expect(after.rows).toBeGreaterThan(shard.rows);
});

it("counts overdue orders and renewals, and names the oldest undelivered event", async () => {
  const before = await readStatus();
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const order = await createOrder(shop, id, { payWith: "1" });
  await selectRows(shop, "update orders set expires_at = 1 where id = ?", order.id);
  await selectRows(
    shop,
    "update events set created_at = 1577836800000 where business_id = ?",
    shop.business.id,
  );
  const after = await readStatus();
  expect(after.unpaid_holds_overdue).toBe(before.unpaid_holds_overdue + 1);
  expect(after.renewals_behind).toBe(before.renewals_behind);
  expect(after.oldest_undelivered_event).toBe("2020-01-01T00:00:00.000Z");
});

it("names the last run of each job and the failed calls of providers", async () => {
  const shop = await createBusiness();
  const job = { job: "expire-orders", shard: shop.business.shard, chain: 0 };
  await runQueuedJob(job, { ...env, ...{ METRICS_INTERVAL_SECONDS: "1" } });
  const { jobs, provider_errors } = await readStatus();
  expect(jobs).toContainEqual({
    name: "expire-orders",
    shard: shop.business.shard,
    last_run_at: expect.any(String),
    backlog_age_seconds: expect.any(Number),
  });
  expect(provider_errors).toEqual(expect.any(Number));
});

it("answers without the metrics and without the queue's figures", async () => {
  const broken = { getByName: () => ({ read: () => Promise.reject(new Error("not here")) }) };
  const EVENTS = { metrics: () => Promise.reject(new Error("not here")) };
  expect(await readStatus({ METRICS: broken, EVENTS })).toMatchObject({
    jobs: [],
    provider_errors: null,
    queue: null,
    dead_letters: expect.any(Number),
  });
});
