import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { cancelOrder, orderRepo, recordCharge, refundOrder } from "../../shared/orders/index.ts";
import { claimDueRefunds, type RefundResult } from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { cronFor } from "../support/cron.ts";
import { dataOf, givenBack, givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";

const start = Date.parse("2030-06-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  product = await givenProduct(shop, { defaultPriceMinor: 2_500 });
});

const cron = () => cronFor(shop);

const refundsOf = async ({ id }: Sold) =>
  rowsOf(shop, "select status, amount_minor from refunds where order_id = ?", id);
const paymentStatusOf = async ({ id }: Sold) =>
  (await rowsOf(shop, "select payment_status from orders where id = ?", id))[0]?.payment_status;
const refunded = async () =>
  (await eventsOf(shop)).filter((type) => type === "payment.refunded").length;

/** A cancelled order whose provider answered so when it was asked for the money. */
async function givenCancelled(result: RefundResult): Promise<Sold> {
  const sale = await givenSale(shop, product.id);
  const ctx = orderContextFor(shop, { over: { refund: async () => result } });
  const { paid } = await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
    reason: null,
    by: "business",
    requestKey: null,
  });
  expect(paid.order).toMatchObject({ status: "cancelled", paymentStatus: "captured" });
  return sale;
}

describe("a refund without an answer", () => {
  it.each([{ type: "no_answer" }, { type: "pending" }] as const)(
    "($type) stays pending, and the job asks again until the provider says",
    async (result) => {
      const sale = await givenCancelled(result);
      expect(await refundsOf(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
      await cron(); // whoever claimed it has a minute to settle it
      expect(await givenBack(shop, sale)).toBe(0);
      vi.setSystemTime(minutes(1));
      await cron();
      expect(await refundsOf(sale)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
      expect(await paymentStatusOf(sale)).toBe("refunded");
      expect(await givenBack(shop, sale)).toBe(5_000);
      expect(await refunded()).toBe(1);
    },
  );

  it("is settled once, however many jobs run at once and again", async () => {
    const sale = await givenCancelled({ type: "no_answer" });
    vi.setSystemTime(minutes(2));
    await Promise.all([cron(), cron(), cron()]);
    vi.setSystemTime(minutes(60));
    await cron();
    expect(await refunded()).toBe(1);
    expect(await givenBack(shop, sale)).toBe(5_000);
  });

  it("is taken up by one run at a time, at growing distances", async () => {
    const sale = await givenCancelled({ type: "no_answer" });
    const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), createMeter());
    const claimed = async (now: number) =>
      (await claimDueRefunds(db, { now, limit: 1_000 })).filter(
        ({ orderId }) => orderId === sale.id,
      ).length;
    const times: number[] = [];
    for (let minute = 0; minute <= 60; minute += 1) {
      if ((await claimed(minutes(minute))) > 0) times.push(minute);
    }
    expect(times).toEqual([1, 6, 16, 36]);
  });

  it("counts against what is left of the payment", async () => {
    const sale = await givenSale(shop, product.id);
    const ctx = orderContextFor(shop, { over: { refund: async () => ({ type: "no_answer" }) } });
    const asked = { amountMinor: 4_000, reason: null, restock: false, requestKey: null };
    await refundOrder(ctx, await orderRepo(ctx).get(sale.id), asked);
    await expect(
      refundOrder(ctx, await orderRepo(ctx).get(sale.id), { ...asked, amountMinor: 1_001 }),
    ).rejects.toMatchObject({ context: { rule: "REFUND_TOO_LARGE" } });
  });
});

describe("a refund that the provider refuses", () => {
  const failureOf = async ({ id }: Sold) =>
    (
      await rowsOf(
        shop,
        "select status, failure_reason, attempts, due_at from refunds where order_id = ?",
        id,
      )
    )[0];
  const bookGivenBack = ({ id }: Sold, minor: number) =>
    rowsOf(shop, "update sandbox_charges set refunded_minor = ? where order_id = ?", minor, id);
  const refused = { type: "declined", reason: "The balance is too low." } as const;
  /** The lines of the log on the refund of the sale, from here on. */
  function logOf({ id }: Sold) {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    return async () => {
      const [refund] = await rowsOf(shop, "select id from refunds where order_id = ?", id);
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
      return lines.filter((line) => line.refund === refund?.id);
    };
  }

  afterEach(() => vi.restoreAllMocks());

  it("stays pending, is told to the logs, and goes back when the provider agrees", async () => {
    const sale = await givenCancelled(refused);
    expect(await failureOf(sale)).toMatchObject({
      status: "pending",
      failure_reason: refused.reason,
    });
    await bookGivenBack(sale, 5_000); // the provider has nothing left to give back
    const log = logOf(sale);
    vi.setSystemTime(minutes(1));
    await cron();
    expect(await failureOf(sale)).toMatchObject({ status: "pending", attempts: 1 });
    expect(await log()).toMatchObject([{ what: "refund refused", status: "pending" }]);
    await bookGivenBack(sale, 0);
    vi.setSystemTime(minutes(6));
    await cron();
    expect(await failureOf(sale)).toEqual({
      status: "refunded",
      failure_reason: null,
      attempts: 2,
      due_at: null,
    });
    expect(await refunded()).toBe(1);
  });

  it("fails for good after ten times, which the logs tell", async () => {
    const sale = await givenCancelled(refused);
    await bookGivenBack(sale, 5_000);
    const log = logOf(sale);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await failureOf(sale)).toMatchObject({ status: "pending", attempts: attempt - 1 });
      vi.setSystemTime(Number((await failureOf(sale))?.due_at));
      await cron();
    }
    expect(await failureOf(sale)).toMatchObject({ status: "failed", attempts: 10, due_at: null });
    const lines = await log();
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatchObject({ what: "refund refused", status: "failed", attempts: 10 });
    expect(await paymentStatusOf(sale)).toBe("captured");
    expect(await refunded()).toBe(0);
  });
});

describe("money that arrives for a cancelled order", () => {
  /** Cancelled while its code was still awaited, and captured after that. */
  async function givenUnheardCapture() {
    const sale = await givenSale(shop, product.id, { how: "1" });
    const ctx = orderContextFor(shop);
    const { paid } = await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
      reason: null,
      by: "customer",
      requestKey: null,
    });
    expect(paid.payment.status).toBe("cancelled");
    const result = await ctx
      .providerFor("mobile_money")
      ?.authorize({ reference: paid.payment.reference, type: "otp", value: "123456" });
    if (result?.type !== "captured") throw new Error("nothing was captured");
    return { ctx, sale, paid, result };
  }

  it("is claimed back with the news of it, and goes back by the job", async () => {
    const { ctx, sale, paid, result } = await givenUnheardCapture();
    const { reference } = paid.payment;
    await Promise.all([
      recordCharge(ctx, paid, { result, reference }),
      recordCharge(ctx, paid, { result, reference }),
    ]);
    expect(await refundsOf(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
    vi.setSystemTime(minutes(1));
    await cron();
    expect(await refundsOf(sale)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
    expect(await givenBack(shop, sale)).toBe(5_000);
    expect((await eventsOf(shop)).filter((type) => type.startsWith("payment."))).toEqual([
      "payment.completed",
      "payment.refunded",
    ]);
  });

  it("is found by asking the provider anew", async () => {
    const { sale } = await givenUnheardCapture();
    const path = `/orders/${sale.id}/verify-payment?token=${sale.token}`;
    expect(dataOf(await shopper(shop)("POST", path))).toMatchObject({
      payment_status: "succeeded",
    });
    expect(await refundsOf(sale)).toEqual([{ status: "pending", amount_minor: 5_000 }]);
  });
});
