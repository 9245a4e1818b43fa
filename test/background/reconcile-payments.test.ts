import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createPaystackBooks } from "../payments/paystack-books.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runDueJobs, runReconciliations } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const hours = (count: number) => vi.setSystemTime(start + count * 3_600_000);

let shop: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackBooks>;
let errors: string[];

beforeEach(async () => {
  vi.setSystemTime(start);
  errors = [];
  vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await env.CORE.batch([
    env.CORE.prepare("delete from reconciliations"),
    env.CORE.prepare("delete from reconciliation_differences"),
  ]);
  // The books of an earlier test are gone.
  for (const shard of [env.SHOP_1, env.SHOP_2])
    await shard.batch([
      shard.prepare("update payments set settled_at = 1 where settled_at is not null"),
      shard.prepare("update refunds set settled_at = 1 where settled_at is not null"),
    ]);
  paystack = createPaystackBooks();
  shop = await createBusiness({ mode: "live" });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Places an order whose payment waits for the phone; returns it with its transaction. */
async function placeOrder() {
  const product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  const order = await createOrder(shop, product.id, { quantity: 1 });
  const transaction = paystack.transactions.at(-1);
  if (!transaction) throw new Error("Nothing was charged.");
  return { ...order, transaction };
}

const stateOf = async ({ id }: { id: string }) =>
  (await selectRows(shop, "select status, payment_status from orders where id = ?", id))[0];

const differences = async () =>
  dataOf(await operator("GET", "/v1/operator/reconciliation/differences")).items;

const loggedDifferences = () =>
  errors.map((line) => JSON.parse(line)).filter(({ what }) => what === "books differ");

describe("a charge that was captured without our notice", () => {
  it("pays the order that waits for it", async () => {
    const order = await placeOrder();
    order.transaction.status = "success";
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations();
    expect(await stateOf(order)).toEqual({ status: "confirmed", payment_status: "captured" });
    expect(await differences()).toEqual([]);
  });

  it("is refunded once when its order was cancelled, however often the job runs", async () => {
    const order = await placeOrder();
    vi.setSystemTime(start + 31 * 60_000);
    await runDueJobs();
    expect(await stateOf(order)).toMatchObject({ status: "cancelled" });
    order.transaction.status = "success";
    hours(30);
    await Promise.all([runReconciliations(), runReconciliations()]);
    hours(31);
    await runDueJobs();
    await env.CORE.prepare("update reconciliations set due_at = 0").run();
    await runReconciliations();
    hours(32);
    await runDueJobs();
    expect(await stateOf(order)).toEqual({ status: "cancelled", payment_status: "refunded" });
    expect(paystack.refunds).toEqual([expect.objectContaining({ amount: 2_500 })]);
    expect(await differences()).toEqual([]);
  });

  it("does not stop the run when its business no longer exists", async () => {
    const order = await placeOrder();
    order.transaction.status = "success";
    const deletions = [
      "api_keys where business_id",
      "locations where business_id",
      "businesses where id",
    ];
    await env.CORE.batch(
      deletions.map((rows) => env.CORE.prepare(`delete from ${rows} = ?`).bind(shop.business.id)),
    );
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations();
    expect(await differences()).toEqual([]);
    const { reconciliations } = dataOf(await operator("GET", "/v1/operator/status"));
    expect(reconciliations).toContainEqual(
      expect.objectContaining({ account: "paystack", is_running: false }),
    );
    expect(errors).toEqual([]);
  });

  it("is reported when its amount differs, and nothing of the order changes", async () => {
    const order = await placeOrder();
    Object.assign(order.transaction, { status: "success", amount: 2_400 });
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations();
    expect(await stateOf(order)).toEqual({ status: "pending", payment_status: "processing" });
    const reported = {
      account: "paystack",
      kind: "amount_differs",
      reference: order.transaction.reference.replace("-", "_"),
      business_id: shop.business.id,
      order_id: order.id,
      expected: { amount: "25.00", currency: "GHS" },
      reported: { amount: "24.00", currency: "GHS" },
    };
    expect(await differences()).toEqual([expect.objectContaining(reported)]);
    await env.CORE.prepare("update reconciliations set due_at = 0").run();
    await runReconciliations();
    expect(await differences()).toHaveLength(1);
    expect(loggedDifferences()).toEqual([
      expect.objectContaining({ kind: "amount_differs", business: shop.business.id }),
    ]);
    const { reconciliations } = dataOf(await operator("GET", "/v1/operator/status"));
    expect(reconciliations).toContainEqual(
      expect.objectContaining({ account: "paystack", is_running: false, differences: 1 }),
    );
  });
});

describe("what cannot be mended", () => {
  it("is reported: a charge and a refund that we do not know, and what the provider lacks", async () => {
    const order = await placeOrder();
    order.transaction.status = "success";
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations(); // pays the order
    const refund = await merchant(shop)("POST", `/orders/${order.id}/refunds`, {
      body: { amount: "5" },
    });
    expect(refund.status).toBe(201);
    const paidRefund = paystack.refunds.pop();
    const { createdAt } = order.transaction;
    paystack.transactions.push({ reference: "T1", status: "success", amount: 900, createdAt });
    paystack.transactions.push({ reference: "T2", status: "failed", amount: 900, createdAt });
    paystack.refunds.push({
      ...{ id: 77, reference: order.transaction.reference, amount: 100, note: null },
      createdAt: Date.now(),
    });
    hours(25);
    await runReconciliations();
    const found = (await differences()).map(({ kind, entry }: Record<string, string>) => [
      kind,
      entry,
    ]);
    expect(found.sort()).toEqual([
      ["missing_refund", paidRefund?.note],
      ["unknown_reference", "T1"],
      ["unknown_refund", "77"],
    ]);
    Object.assign(order.transaction, { status: "failed", createdAt: start + 10 * 3_600_000 });
    await env.CORE.prepare("update reconciliations set due_at = 0").run();
    await runReconciliations();
    expect(await differences()).toContainEqual(expect.objectContaining({ kind: "not_captured" }));
    expect(await stateOf(order)).toMatchObject({ payment_status: "partially_refunded" });
  });
});

it("reports a refund that the provider has made twice, with what it returned in all", async () => {
  const order = await placeOrder();
  order.transaction.status = "success";
  vi.setSystemTime(start + 20 * 60_000);
  await runReconciliations(); // pays the order
  const body = { amount: "5" };
  await merchant(shop)("POST", `/orders/${order.id}/refunds`, { body });
  const [made] = paystack.refunds;
  if (!made) throw new Error("Nothing was refunded.");
  paystack.refunds.push({ ...made, id: 99, note: `${made.note} by shop@example.com` });
  hours(25);
  await runReconciliations();
  expect(await differences()).toEqual([
    expect.objectContaining({
      kind: "refund_differs",
      entry: made.note,
      order_id: order.id,
      expected: { amount: "5.00", currency: "GHS" },
      reported: { amount: "10.00", currency: "GHS" },
    }),
  ]);
});

describe("a capture that the provider does not list", () => {
  it("is reported once when the provider does not know it, and no money moves", async () => {
    const [lost, listed] = [await placeOrder(), await placeOrder()];
    for (const { transaction } of [lost, listed]) transaction.status = "success";
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations(); // pays both orders
    paystack.transactions.splice(0, 1);
    for (const hour of [24, 24.2]) {
      hours(hour);
      await env.CORE.prepare("update reconciliations set due_at = 0").run();
      await runReconciliations();
    }
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: "missing_charge",
        entry: lost.transaction.reference.replace("-", "_"),
        business_id: shop.business.id,
        order_id: lost.id,
        expected: { amount: "25.00", currency: "GHS" },
        reported: null,
      }),
    ]);
    expect(loggedDifferences()).toHaveLength(1);
    for (const order of [lost, listed])
      expect(await stateOf(order)).toEqual({ status: "confirmed", payment_status: "captured" });
  });

  it("agrees when the provider finds it by its reference, and is looked up once", async () => {
    const order = await placeOrder();
    order.transaction.status = "success";
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations(); // pays the order
    order.transaction.createdAt = start - 10 * 24 * 3_600_000; // in no list
    for (const hour of [24, 24.2]) {
      hours(hour);
      await env.CORE.prepare("update reconciliations set due_at = 0").run();
      await runReconciliations();
    }
    expect(await differences()).toEqual([]);
    const lookups = paystack.calls.filter((call) => call.startsWith("GET /transaction/verify/"));
    expect(lookups).toHaveLength(2); // one of them when it was recorded
  });
});

describe("a run", () => {
  it("continues behind the page at which the provider fell silent", async () => {
    const createdAt = start;
    for (let n = 0; n < 20; n += 1)
      paystack.transactions.push({ reference: `T${n}`, status: "failed", amount: 1, createdAt });
    const order = await placeOrder();
    order.transaction.status = "success";
    vi.setSystemTime(start + 20 * 60_000);
    paystack.silentPaths.add("page=2");
    await runReconciliations();
    expect(await stateOf(order)).toMatchObject({ status: "pending" });
    paystack.silentPaths.clear();
    vi.setSystemTime(start + 24 * 60_000);
    paystack.calls.length = 0;
    await runReconciliations(); // too early
    expect(paystack.calls).toEqual([]);
    vi.setSystemTime(start + 25 * 60_000);
    await runReconciliations();
    expect(paystack.calls[0]).toMatch(/GET \/transaction\?.*page=2$/);
    expect(await stateOf(order)).toMatchObject({ payment_status: "captured" });
  });

  it("follows once a day, and makes up for missed days", async () => {
    await runReconciliations();
    const listed = () =>
      paystack.calls
        .filter((call) => call.startsWith("GET /transaction?"))
        .map((call) => new URLSearchParams(call.split("?")[1]))
        .map((query) => [query.get("from"), query.get("to")]);
    expect(listed()).toHaveLength(1);
    hours(23);
    await runReconciliations();
    expect(listed()).toHaveLength(1);
    hours(5 * 24);
    await runReconciliations();
    expect(listed().at(-1)).toEqual(["2030-04-30T11:50:00.000Z", "2030-05-06T11:50:00.000Z"]);
    await runReconciliations();
    expect(listed()).toHaveLength(2);
  });

  it("compares the sandbox of each shard as well", async () => {
    const test = await createBusiness();
    const product = await createProduct(test);
    const { id } = await createOrder(test, product.id, { payWith: "1" });
    await selectRows(test, "update sandbox_charges set status = 'captured' where order_id = ?", id);
    vi.setSystemTime(start + 20 * 60_000);
    await runReconciliations();
    const [order] = await selectRows(test, "select payment_status from orders where id = ?", id);
    expect(order).toEqual({ payment_status: "captured" });
  });
});
