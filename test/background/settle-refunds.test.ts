import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { cancelOrder, orderRepo, recordCharge, refundOrder } from "../../shared/orders/index.ts";
import { claimDueRefunds, type RefundResult } from "../../shared/payments/index.ts";
import {
  createOrder,
  createOrderContext,
  type PlacedOrder,
  readRefundedMinor,
} from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";

const start = Date.parse("2030-06-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

const cron = () => runJobsUntilIdle(shop);

const loadRefunds = async ({ id }: PlacedOrder) =>
  selectRows(shop, "select status, amount_minor from refunds where order_id = ?", id);
const loadPaymentStatus = async ({ id }: PlacedOrder) =>
  (await selectRows(shop, "select payment_status from orders where id = ?", id))[0]?.payment_status;
const countRefundEvents = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "payment.refunded").length;

/** A cancelled order whose refund call had this result. */
async function cancelWithRefundResult(result: RefundResult): Promise<PlacedOrder> {
  const sale = await createOrder(shop, product.id);
  const ctx = createOrderContext(shop, { provider: { refund: async () => result } });
  const { details } = await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
    reason: null,
    initiator: "business",
    requestKey: null,
  });
  expect(details.order).toMatchObject({ status: "cancelled", paymentStatus: "captured" });
  return sale;
}

describe("a refund without a response", () => {
  it.each([{ type: "no_answer" }, { type: "pending" }] as const)(
    "($type) stays pending until the job gets the provider's result",
    async (result) => {
      const sale = await cancelWithRefundResult(result);
      expect(await loadRefunds(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
      await cron(); // claimed for a minute
      expect(await readRefundedMinor(shop, sale)).toBe(0);
      vi.setSystemTime(minutes(1));
      await cron();
      expect(await loadRefunds(sale)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
      expect(await loadPaymentStatus(sale)).toBe("refunded");
      expect(await readRefundedMinor(shop, sale)).toBe(5_000);
      expect(await countRefundEvents()).toBe(1);
    },
  );

  it("is settled once when jobs run repeatedly and concurrently", async () => {
    const sale = await cancelWithRefundResult({ type: "no_answer" });
    vi.setSystemTime(minutes(2));
    await Promise.all([cron(), cron(), cron()]);
    vi.setSystemTime(minutes(60));
    await cron();
    expect(await countRefundEvents()).toBe(1);
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
  });

  it("is claimed by one run at a time, at growing intervals", async () => {
    const sale = await cancelWithRefundResult({ type: "no_answer" });
    const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), createMeter());
    const countClaims = async (now: number) =>
      (await claimDueRefunds(db, { now, limit: 1_000 })).filter(
        ({ orderId }) => orderId === sale.id,
      ).length;
    const times: number[] = [];
    for (let minute = 0; minute <= 60; minute += 1) {
      if ((await countClaims(minutes(minute))) > 0) times.push(minute);
    }
    expect(times).toEqual([1, 6, 16, 36]);
  });

  it("reduces the amount that can still be refunded", async () => {
    const sale = await createOrder(shop, product.id);
    const ctx = createOrderContext(shop, {
      provider: { refund: async () => ({ type: "no_answer" }) },
    });
    const refundRequest = { amountMinor: 4_000, reason: null, restock: false, requestKey: null };
    await refundOrder(ctx, await orderRepo(ctx).get(sale.id), refundRequest);
    await expect(
      refundOrder(ctx, await orderRepo(ctx).get(sale.id), { ...refundRequest, amountMinor: 1_001 }),
    ).rejects.toMatchObject({ context: { rule: "REFUND_TOO_LARGE" } });
  });
});

describe("a refund that the provider declines", () => {
  const loadFailure = async ({ id }: PlacedOrder) =>
    (
      await selectRows(
        shop,
        "select status, failure_reason, attempts, due_at from refunds where order_id = ?",
        id,
      )
    )[0];
  const setSandboxRefunded = ({ id }: PlacedOrder, minor: number) =>
    selectRows(shop, "update sandbox_charges set refunded_minor = ? where order_id = ?", minor, id);
  const refused = { type: "declined", reason: "The balance is too low." } as const;
  /** Collects the log lines about the sale's refund from now on. */
  function collectLogLines({ id }: PlacedOrder) {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    return async () => {
      const [refund] = await selectRows(shop, "select id from refunds where order_id = ?", id);
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
      return lines.filter((line) => line.refund === refund?.id);
    };
  }

  afterEach(() => vi.restoreAllMocks());

  it("stays pending and is logged, and is refunded once the provider agrees", async () => {
    const sale = await cancelWithRefundResult(refused);
    expect(await loadFailure(sale)).toMatchObject({
      status: "pending",
      failure_reason: refused.reason,
    });
    await setSandboxRefunded(sale, 5_000); // nothing is left to refund at the provider
    const log = collectLogLines(sale);
    vi.setSystemTime(minutes(1));
    await cron();
    expect(await loadFailure(sale)).toMatchObject({ status: "pending", attempts: 1 });
    expect(await log()).toMatchObject([{ what: "refund refused", status: "pending" }]);
    await setSandboxRefunded(sale, 0);
    vi.setSystemTime(minutes(6));
    await cron();
    expect(await loadFailure(sale)).toEqual({
      status: "refunded",
      failure_reason: null,
      attempts: 2,
      due_at: null,
    });
    expect(await countRefundEvents()).toBe(1);
  });

  it("fails after ten logged attempts", async () => {
    const sale = await cancelWithRefundResult(refused);
    await setSandboxRefunded(sale, 5_000);
    const log = collectLogLines(sale);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await loadFailure(sale)).toMatchObject({ status: "pending", attempts: attempt - 1 });
      vi.setSystemTime(Number((await loadFailure(sale))?.due_at));
      await cron();
    }
    expect(await loadFailure(sale)).toMatchObject({ status: "failed", attempts: 10, due_at: null });
    const lines = await log();
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatchObject({ what: "refund refused", status: "failed", attempts: 10 });
    expect(await loadPaymentStatus(sale)).toBe("captured");
    expect(await countRefundEvents()).toBe(0);
  });
});

describe("a payment that arrives for a cancelled order", () => {
  /** An order cancelled before its payment was authorized and then captured. */
  async function createUnreportedCapture() {
    const sale = await createOrder(shop, product.id, { payWith: "1" });
    const ctx = createOrderContext(shop);
    const { details } = await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
      reason: null,
      initiator: "customer",
      requestKey: null,
    });
    expect(details.payment.status).toBe("cancelled");
    const result = await ctx.providers
      .byName("sandbox")
      ?.authorize({ reference: details.payment.reference, type: "otp", value: "123456" });
    if (result?.type !== "captured") throw new Error("The payment was not captured.");
    return { ctx, sale, details, result };
  }

  it("is recorded with a pending refund, which the job settles", async () => {
    const { ctx, sale, details, result } = await createUnreportedCapture();
    const { reference } = details.payment;
    await Promise.all([
      recordCharge(ctx, details, { result, reference }),
      recordCharge(ctx, details, { result, reference }),
    ]);
    expect(await loadRefunds(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
    vi.setSystemTime(minutes(1));
    await cron();
    expect(await loadRefunds(sale)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("payment.")),
    ).toEqual(["payment.completed", "payment.refunded"]);
  });

  it("is found by verifying the payment with the provider", async () => {
    const { sale } = await createUnreportedCapture();
    const path = `/orders/${sale.id}/verify-payment?token=${sale.token}`;
    expect(dataOf(await shopper(shop)("POST", path))).toMatchObject({
      payment_status: "succeeded",
    });
    expect(await loadRefunds(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
  });
});
