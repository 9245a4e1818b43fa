import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { scheduleHandOver } from "../../functions/runtime/metrics/hand-over.ts";
import type { MetricsBinding } from "../../functions/runtime/metrics/metrics-object.ts";
import { countEvent } from "../../shared/kernel/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { type ApiClient, call, createBusiness, operator } from "../support/world.ts";

const counting = { METRICS_INTERVAL_SECONDS: "0.001" };

const countingClient =
  (bindings: object = {}): ApiClient =>
  (method, path, options) =>
    call(method, path, { ...options, fetch: withBindings({ ...counting, ...bindings }) });

/** The value of a line of the metrics; 0 when it is not there. */
function sampleOf(text: string, series: string): number {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

const readMetrics = async (): Promise<string> => {
  const { status, body, headers } = await operator("GET", "/v1/operator/metrics", {
    fetch: withBindings(counting),
  });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return String(body);
};

it("counts requests by route template and status, with their latency", async () => {
  const before = await readMetrics();
  const ask = countingClient();
  await Promise.all([
    ask("GET", "/api/v1/catalogue/products/prod_a"),
    ask("GET", "/api/v1/catalogue/products/prod_b"),
    ask("GET", "/v1/businesses/biz_a/orders"),
    ask("GET", "/api/v1/nowhere/at/all"),
    ask("GET", "/v1/businesses/nowhere/nothing/at/all"),
  ]);
  const after = await readMetrics();
  const grown = (series: string) => sampleOf(after, series) - sampleOf(before, series);
  const products = 'route="/api/v1/catalogue/products/:product_id",method="GET"';
  expect(grown(`duka_http_requests_total{${products},status="401"}`)).toBe(2);
  expect(grown(`duka_http_request_duration_seconds_count{${products}}`)).toBe(2);
  expect(grown(`duka_http_request_duration_seconds_bucket{${products},le="+Inf"}`)).toBe(2);
  const orders = 'route="/v1/businesses/:business_id/orders",method="GET"';
  expect(grown(`duka_http_requests_total{${orders},status="401"}`)).toBe(1);
  expect(grown('duka_http_requests_total{route="unknown",method="GET",status="404"}')).toBe(2);
  expect(after).not.toContain("prod_a");
  expect(after).toMatch(/^# TYPE duka_http_request_duration_seconds histogram$/m);
});

it("counts orders and charges", async () => {
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const before = await readMetrics();
  await createOrder(shop, id);
  const after = await readMetrics();
  for (const series of [
    'duka_orders_placed_total{by="checkout"}',
    'duka_charges_total{provider="sandbox",outcome="captured"}',
  ])
    expect(sampleOf(after, series) - sampleOf(before, series), series).toBe(1);
});

it("hands over what several calls of an interval counted in one call", async () => {
  const added: object[] = [];
  const METRICS: MetricsBinding = {
    getByName: () => ({
      add: async ({ series }) => void added.push(series),
      read: () => Promise.reject(new Error("not here")),
    }),
  };
  const handOvers: Promise<void>[] = [];
  for (const by of ["checkout", "agent", "checkout"]) {
    countEvent("orders_placed_total", { by });
    const waitUntil = (work: Promise<void>) => void handOvers.push(work);
    scheduleHandOver({ METRICS }, { intervalMs: 5, waitUntil });
  }
  await Promise.all(handOvers);
  expect(added).toEqual([
    expect.objectContaining({
      'orders_placed_total{by="checkout"}': [2],
      'orders_placed_total{by="agent"}': [1],
    }),
  ]);
});

it("answers when nothing takes the counts, and loses those of the interval only", async () => {
  const before = await readMetrics();
  const METRICS = {
    getByName: () => ({
      add: () => Promise.reject(new Error("not here")),
      read: () => Promise.reject(new Error("not here")),
    }),
  } satisfies MetricsBinding;
  const path = "/v1/link/healthz";
  expect((await countingClient({ METRICS })("GET", path)).status).toBe(200);
  expect((await countingClient()("GET", path)).status).toBe(200);
  const series = `duka_http_requests_total{route="${path}",method="GET",status="200"}`;
  expect(sampleOf(await readMetrics(), series) - sampleOf(before, series)).toBe(1);
});

it("adds up the sums of all isolates, and counts recent errors of providers", async () => {
  const metrics = env.METRICS.getByName("test");
  const sums = { series: { "orders_placed_total{}": [2] }, jobRuns: [] };
  await metrics.add(sums);
  await metrics.add({ ...sums, series: { ...sums.series, "provider_errors_total{}": [3] } });
  expect(await metrics.read()).toMatchObject({
    series: { "orders_placed_total{}": [4] },
    recentProviderErrors: 3,
  });
});

it("needs the operator", async () => {
  expect((await call("GET", "/v1/operator/metrics")).status).toBe(401);
});
