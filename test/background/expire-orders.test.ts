import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { expireOrders } from "../../functions/background/jobs/expire-orders.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { claimExpiredOrders, orderRepo, recordCharge } from "../../shared/orders/index.ts";
import { copyUnpaidOrder } from "../support/copy-unpaid-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

/** Places an order; the phone's last digit decides the outcome of a mobile-money payment. */
async function placeOrder(lastDigit: string, method = "mobile_money") {
  const ask = shopper(shop);
  const { id } = dataOf(
    await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } }),
  );
  return ask("POST", "/checkout", {
    body: {
      cart_id: id,
      customer: { phone: "0241234567" },
      payment_method: method,
      mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
    },
  });
}

const cron = () => runJobsUntilIdle(shop);

const loadState = async () => ({
  orders: await selectRows(
    shop,
    "select status, payment_status from orders where business_id = ?",
    shop.business.id,
  ),
  reserved: (
    await selectRows(
      shop,
      "select quantity_reserved from stock_levels where item_id = ?",
      product.id,
    )
  )[0]?.quantity_reserved,
});

describe("an unpaid order", () => {
  it("is cancelled 30 minutes after checkout, releases its stock and emits an event", async () => {
    await placeOrder("1");
    vi.setSystemTime(minutes(29));
    await cron();
    expect(await loadState()).toEqual({
      orders: [{ status: "pending", payment_status: "requires_action" }],
      reserved: 2,
    });
    vi.setSystemTime(minutes(30));
    await cron();
    expect(await loadState()).toEqual({
      orders: [{ status: "cancelled", payment_status: "cancelled" }],
      reserved: 0,
    });
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.cancelled"]);
  });

  it("is cancelled once when the job runs repeatedly and concurrently", async () => {
    await placeOrder("1");
    vi.setSystemTime(minutes(31));
    await Promise.all([cron(), cron(), cron()]);
    await cron();
    expect(await loadState()).toMatchObject({ reserved: 0 });
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "order.cancelled"),
    ).toHaveLength(1);
  });

  it("is kept when the provider reports an unrecorded payment", async () => {
    const { order_id: id } = dataOf(await placeOrder("1"));
    await selectRows(shop, "update sandbox_charges set status = 'captured' where order_id = ?", id);
    vi.setSystemTime(minutes(31));
    await cron();
    expect(await loadState()).toEqual({
      orders: [{ status: "confirmed", payment_status: "captured" }],
      reserved: 2,
    });
  });

  it("is cancelled while the payment prompt is open; the job confirms no payment", async () => {
    await placeOrder("2");
    vi.setSystemTime(minutes(31));
    await cron();
    expect(await loadState()).toEqual({
      orders: [{ status: "cancelled", payment_status: "cancelled" }],
      reserved: 0,
    });
  });

  it("records a payment that arrives after the cancellation, to be refunded", async () => {
    const order = dataOf(await placeOrder("1"));
    vi.setSystemTime(minutes(31));
    await cron();
    const ctx = { ...contextFor(shop), providers: { forMethod: () => null, byName: () => null } };
    const cancelled = await orderRepo(ctx).get(order.order_id);
    const captured = {
      type: "captured",
      amountMinor: cancelled.payment.amountMinor,
      currency: cancelled.payment.currency,
    } as const;
    await recordCharge(ctx, cancelled, {
      result: captured,
      reference: cancelled.payment.reference,
    });
    expect((await loadState()).orders).toEqual([
      { status: "cancelled", payment_status: "captured" },
    ]);
    expect(await listOutboxEventTypes(shop)).toContain("payment.completed");
  });

  it("is claimed again a minute later when it could not be cancelled", async () => {
    const { order_id: id } = dataOf(await placeOrder("1"));
    const { db } = contextFor(shop);
    const isClaimed = async (now: number) =>
      (await claimExpiredOrders(db, { now, limit: 1_000, maxBytes: 1_000_000 })).some(
        (order) => order.id === id,
      );
    expect(await isClaimed(minutes(30) - 1)).toBe(false);
    expect(await isClaimed(minutes(30))).toBe(true);
    expect(await isClaimed(minutes(31) - 1)).toBe(false);
    expect(await isClaimed(minutes(31))).toBe(true);
  });

  it("is kept when its deadline is extended after the job claimed it", async () => {
    const { order_id: id } = dataOf(await placeOrder("1"));
    vi.setSystemTime(minutes(31));
    const background = createBackground(env);
    const extendDeadline = () =>
      selectRows(shop, "update orders set expires_at = ? where id = ?", minutes(60), id);
    const loadOrderContexts = async (ids: readonly string[], job: string) => {
      await extendDeadline();
      return background.loadOrderContexts(ids, job);
    };
    await expireOrders({ ...background, loadOrderContexts }, shop.business.shard);
    expect(await loadState()).toEqual({
      orders: [{ status: "pending", payment_status: "requires_action" }],
      reserved: 2,
    });
  });

  it("is loaded with at most ten megabytes of others at a time", async () => {
    const { order_id: id } = dataOf(await placeOrder("1"));
    await selectRows(
      shop,
      "update orders set metadata = ? where id = ?",
      JSON.stringify({ note: "x".repeat(998_000) }),
      id,
    );
    await copyUnpaidOrder(shop, id, { first: 0, count: 11, expiresAt: minutes(30) });
    vi.setSystemTime(minutes(31));
    const background = createBackground(env);
    const loaded: number[] = [];
    const loadOrderContexts = async (ids: readonly string[], job: string) => {
      loaded.push(ids.length);
      return background.loadOrderContexts(ids, job);
    };
    const result = await expireOrders({ ...background, loadOrderContexts }, shop.business.shard);
    expect(result).toEqual({ processed: 12, hasMore: false });
    expect(loaded).toEqual([10, 2]);
    expect((await loadState()).reserved).toBe(0);
  });

  it("is cancelled also when it is being prepared, unless it is completed", async () => {
    const taken = dataOf(await placeOrder("1"));
    const done = dataOf(await placeOrder("1"));
    for (const [{ order_id: id }, status] of [
      [taken, "preparing"],
      [done, "completed"],
    ] as const) {
      await merchant(shop)("POST", `/orders/${id}/status`, { body: { status } });
    }
    vi.setSystemTime(minutes(30));
    await cron();
    expect(await loadState()).toEqual({
      orders: [
        { status: "cancelled", payment_status: "cancelled" },
        { status: "completed", payment_status: "requires_action" },
      ],
      reserved: 0,
    });
  });

  it("is kept when it is paid or to be paid in cash", async () => {
    await placeOrder("0", "cash");
    await placeOrder("0");
    vi.setSystemTime(minutes(60));
    await cron();
    expect((await loadState()).orders.map(({ status }) => status).sort()).toEqual([
      "confirmed",
      "pending",
    ]);
  });
});
