import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  connectPaystack,
  createPaystackAccounts,
  keyOf,
  platformKey,
} from "../payments/paystack-accounts.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runReconciliations } from "../support/cron.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";

const start = Date.parse("2030-06-01T12:00:00Z");
const minutes = (count: number) => vi.setSystemTime(start + count * 60_000);

let shop: CreatedBusiness;
let other: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackAccounts>;

beforeEach(async () => {
  vi.setSystemTime(start);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  await env.CORE.exec("delete from reconciliations; delete from reconciliation_differences");
  paystack = createPaystackAccounts("ours", "theirs");
  paystack.addAccount(platformKey);
  [shop, other] = await Promise.all([
    createBusiness({ mode: "live", payments: "own" }),
    createBusiness({ mode: "live", payments: "own" }),
  ]);
  await connectPaystack(shop, keyOf("ours"));
  await connectPaystack(other, keyOf("theirs"));
  vi.setSystemTime(start + 6_000);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Orders from a business, and captures the charge without a webhook. */
async function createUnreportedCapture(business: CreatedBusiness, secretKey: string) {
  paystack.state.chargeStatus = "pay_offline";
  const { id } = await createProduct(business, { defaultPriceMinor: 2_500 });
  const order = await createOrder(business, id, { quantity: 1 });
  paystack.setCharges(secretKey, { status: "success" });
  return order;
}

const paymentOf = async (business: CreatedBusiness, { id }: { id: string }) =>
  dataOf(await merchant(business)("GET", `/orders/${id}`)).payment.status;

const listDifferences = async () =>
  dataOf(await operator("GET", "/v1/operator/reconciliation/differences")).items;

const accountsOf = async ({ business }: CreatedBusiness) => {
  const { reconciliations } = dataOf(await operator("GET", "/v1/operator/status"));
  return reconciliations.filter(({ account }: { account: string }) =>
    account.endsWith(business.id),
  );
};

it("records captures of each business's own account, through that account alone", async () => {
  const ours = await createUnreportedCapture(shop, keyOf("ours"));
  const theirs = await createUnreportedCapture(other, keyOf("theirs"));
  minutes(15);
  await runReconciliations();
  expect(await paymentOf(shop, ours)).toBe("succeeded");
  expect(await paymentOf(other, theirs)).toBe("succeeded");
  expect(await listDifferences()).toEqual([]);
  expect(await accountsOf(shop)).toMatchObject([
    { account: `own_paystack ${shop.business.id}`, is_running: false, differences: 0 },
  ]);
  const verified = paystack.calls.filter((call) => call.includes("/transaction/verify/"));
  expect(verified.map((call) => call.split(" ").at(-1)).sort()).toEqual([
    keyOf("ours"),
    keyOf("theirs"),
  ]);
});

it("takes a charge of another business's reference for an unknown one", async () => {
  const theirs = await createUnreportedCapture(other, keyOf("theirs"));
  const [reference = ""] = paystack.chargesOf(keyOf("theirs"));
  paystack.setCharges(keyOf("theirs"), { status: "ongoing" });
  paystack.copyCharge(reference, keyOf("ours"));
  minutes(15);
  await runReconciliations();
  expect(await paymentOf(other, theirs)).toBe("processing");
  expect(await listDifferences()).toMatchObject([
    { account: `own_paystack ${shop.business.id}`, kind: "unknown_reference", business_id: null },
  ]);
});

it("asks no account that refuses its keys or that was purged, and continues with the others", async () => {
  await env.CORE.prepare(
    "update provider_accounts set status = 'invalid', last_error = 'x' where business_id = ?",
  )
    .bind(shop.business.id)
    .run();
  const purged = await createBusiness({ mode: "live", payments: "own" });
  await connectPaystack(purged, keyOf("ours"));
  await merchant(purged)("DELETE", "/payment-providers/paystack");
  const path = `/v1/businesses/${purged.business.id}/payment-providers/paystack/purge`;
  expect((await operator("POST", path)).status).toBe(200);
  const theirs = await createUnreportedCapture(other, keyOf("theirs"));
  paystack.calls.length = 0;
  minutes(15);
  await runReconciliations();
  expect(paystack.calls.filter((call) => call.includes(keyOf("ours")))).toEqual([]);
  expect(await paymentOf(other, theirs)).toBe("succeeded");
  expect(await accountsOf(purged)).toEqual([]);
  expect(await accountsOf(shop)).toMatchObject([{ next_run_at: "2030-06-02T12:15:00.000Z" }]);
});

it("compares the accounts of many businesses within the queries of a run", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `biz_many_${String(index).padStart(3, "0")}`,
  }));
  const copies = [
    `insert into businesses (id, name, mode, currency, default_country, timezone, shard, settings,
       payments, created_at, updated_at)
     select value ->> 'id', name, mode, currency, default_country, timezone, shard, settings,
       payments, created_at, updated_at from businesses, json_each(?) where businesses.id = ?`,
    `insert into reconciliations (account, business_id, due_at)
     select 'own_paystack ' || (value ->> 'id'), value ->> 'id', 1
       from json_each(?) where ? is not null`,
  ];
  for (const copy of copies) {
    await env.CORE.prepare(copy).bind(JSON.stringify(rows), shop.business.id).run();
  }
  minutes(15);
  await runReconciliations();
  const { results } = await env.CORE.prepare(
    "select account from reconciliations where business_id is not null and due_at <= ?",
  )
    .bind(start + 15 * 60_000)
    .all();
  expect(results).toEqual([]);
});
