import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { failure, success } from "../payments/paystack-stub.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runDueJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import worker from "../support/worker.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const minutes = (count: number) => vi.setSystemTime(start + count * 60_000);

let shop: CreatedBusiness;
let paystackStatus: string | null;
let errors: string[];

beforeEach(async () => {
  vi.setSystemTime(start);
  errors = [];
  paystackStatus = null;
  vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const reference = String(input).split("/").at(-1) ?? "";
    if (init?.method === "POST") {
      const charged = Object(JSON.parse(String(init.body)));
      return success({ reference: charged.reference, status: "pay_offline" });
    }
    const fields = { id: 1, reference, amount: 2_500, currency: "GHS", channel: "card" };
    return paystackStatus === null
      ? failure("Transaction reference not found")
      : success({ ...fields, status: paystackStatus });
  });
  shop = await createBusiness({ mode: "live" });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function placeOrder() {
  const product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  return createOrder(shop, product.id, { quantity: 1 });
}

// Safe: the Worker reads the key as an optional setting.
const withoutKey = { ...env, PAYSTACK_SECRET_KEY: undefined } as unknown as typeof env;

const orderOf = async ({ id }: { id: string }) =>
  (
    await selectRows(
      shop,
      "select status, payment_status, missing_provider, expires_at from orders where id = ?",
      id,
    )
  )[0];

const missingProviders = async () =>
  dataOf(await operator("GET", "/v1/operator/status")).missing_providers.filter(
    (one: { business_id: string }) => one.business_id === shop.business.id,
  );

const logged = () =>
  errors
    .map((line) => JSON.parse(line))
    .filter(
      ({ what, business }) => /wait for a provider/.test(what) && business === shop.business.id,
    );

describe("an expired order whose provider has no key on the background Worker", () => {
  it("is kept, postponed, logged once per run and shown to the operator", async () => {
    const first = await placeOrder();
    await placeOrder();
    minutes(31);
    await runDueJobs(withoutKey);
    expect(await orderOf(first)).toEqual({
      status: "pending",
      payment_status: "processing",
      missing_provider: "paystack",
      expires_at: start + 46 * 60_000,
    });
    expect(logged()).toEqual([expect.objectContaining({ provider: "paystack", orders: 2 })]);
    expect(await missingProviders()).toEqual([
      {
        business_id: shop.business.id,
        provider: "paystack",
        orders: 2,
        oldest_order_at: new Date(start).toISOString(),
      },
    ]);
    minutes(32);
    await runDueJobs(withoutKey);
    expect(logged()).toHaveLength(1);
  });

  it.each([
    ["confirmed", "success", "captured"],
    ["cancelled", "failed", "cancelled"],
  ])("is %s by what the provider says once the key is set", async (status, at, payment_status) => {
    const order = await placeOrder();
    minutes(31);
    await runDueJobs(withoutKey);
    paystackStatus = at;
    minutes(47);
    await runDueJobs();
    expect(await orderOf(order)).toMatchObject({ status, payment_status });
    expect(await missingProviders()).toEqual([]);
  });

  it("is not cancelled by a merchant whose Worker has no key either", async () => {
    const { id } = await placeOrder();
    const cancelled = await merchant(shop)("POST", `/orders/${id}/cancel`, {
      body: { reason: null },
      fetch: async (request) => worker.fetch(request, withoutKey, createExecutionContext()),
    });
    expect(cancelled).toMatchObject({
      status: 503,
      body: { error: { context: { reason: "PROVIDER_UNAVAILABLE" } } },
    });
  });
});

describe("GET /v1/operator/status", () => {
  it("takes the operator's token only", async () => {
    const headers = { Authorization: `Bearer ${shop.keys.secret}` };
    expect((await operator("GET", "/v1/operator/status", { headers })).status).toBe(401);
  });
});
