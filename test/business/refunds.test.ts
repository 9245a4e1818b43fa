import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { orderRepo, refundOrder } from "../../shared/orders/index.ts";
import {
  createOrder,
  createOrderContext,
  type PlacedOrder,
  readRefundedMinor,
  readStockQuantities,
} from "../support/create-order.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { dataOf, type merchant, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const refund = ({ id }: Pick<PlacedOrder, "id">, body: object = {}, headers = {}) =>
  ask("POST", `/orders/${id}/refunds`, { body, headers });
const loadOrder = async ({ id }: PlacedOrder) => dataOf(await ask("GET", `/orders/${id}`));
const createSale = () => createOrder(shop, product.id);
const countRefundEvents = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "payment.refunded").length;

describe("POST /orders/{order_id}/refunds", () => {
  it("refunds a part, then the rest, and updates the payment status", async () => {
    const sale = await createSale();
    await loadOrder(sale); // caches the key
    const first = await refund(sale, { amount: "12.50", reason: "One was stale" });
    expect(first).toMatchObject({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.stringMatching(/^rfd_/),
          order_id: sale.id,
          payment_id: sale.paymentId,
          amount: "12.50",
          currency: "GHS",
          status: "refunded",
          reason: "One was stale",
          restocked: false,
          created_at: expect.stringMatching(/Z$/),
        },
      },
    });
    expect(roundTrips(first).d1).toBe(3);
    expect(await loadOrder(sale)).toMatchObject({
      status: "confirmed",
      payment_status: "partially_refunded",
      payment: { status: "partially_refunded", refunds: [dataOf(first)] },
    });
    expect(dataOf(await refund(sale))).toMatchObject({ amount: "37.50", status: "refunded" });
    expect(await loadOrder(sale)).toMatchObject({ payment_status: "refunded" });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    const events = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'payment.refunded' order by id",
      shop.business.id,
    );
    expect(events.map(({ data }) => JSON.parse(String(data)))).toMatchObject([
      { payment_status: "partially_refunded", refund_amount: "12.50", amount: "50.00" },
      { payment_status: "refunded", refund_amount: "37.50" },
    ]);
    expect(
      (await listAuditActions(shop)).filter((action) => action === "order.refunded"),
    ).toHaveLength(2);
  });

  it("rejects more than is left, zero, and an unpaid order", async () => {
    const sale = await createSale();
    expect(await refund(sale, { amount: "50.01" })).toMatchObject(
      ruleViolation("REFUND_TOO_LARGE"),
    );
    await refund(sale, { amount: "50.00" });
    expect(await refund(sale)).toMatchObject(ruleViolation("REFUND_TOO_LARGE"));
    expect(await refund(sale, { amount: "0.01" })).toMatchObject(ruleViolation("REFUND_TOO_LARGE"));
    for (const amount of ["0", "-1.00", "1.005", "much"]) {
      expect(await refund(sale, { amount })).toMatchObject({
        status: 400,
        body: { error: { context: { field: "amount" } } },
      });
    }
    const unpaid = await createOrder(shop, product.id, { payWith: "cash" });
    expect(await refund(unpaid)).toMatchObject(ruleViolation("INVALID_STATE"));
    expect(await countRefundEvents()).toBe(1);
  });

  it("records a cash refund without a provider", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    await ask("POST", `/orders/${sale.id}/payments/mark-paid`, { body: {} });
    expect(dataOf(await refund(sale, { amount: "10" }))).toMatchObject({
      amount: "10.00",
      status: "refunded",
      settled_at: expect.any(String),
    });
    expect(await loadOrder(sale)).toMatchObject({ payment_status: "partially_refunded" });
    expect(await countRefundEvents()).toBe(1);
    expect(dataOf(await ask("POST", `/orders/${sale.id}/cancel`))).toMatchObject({
      payment_status: "partially_refunded",
      payment: { refunds: [{ amount: "10.00" }, { amount: "40.00", status: "refund_due" }] },
    });
  });

  it("never refunds more than was paid, even concurrently", async () => {
    const sale = await createSale();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refund(sale, { amount: "15.00" })),
    );
    const given = answers.filter(({ status }) => status === 201).length;
    expect(given).toBe(3);
    expect(answers.every(({ status }) => [201, 409, 422].includes(status))).toBe(true);
    expect(await readRefundedMinor(shop, sale)).toBe(4_500);
    expect(await countRefundEvents()).toBe(3);
  });

  it("is limited by the schema: a batch that exceeds the payment fails completely", async () => {
    const sale = await createSale();
    const ctx = createOrderContext(shop);
    const stale = await orderRepo(ctx).get(sale.id);
    await refund(sale, { amount: "30.00" });
    const fooled = { ...stale, order: { ...stale.order, version: 50 } };
    const requested = { amountMinor: 2_001, reason: null, restock: false, requestKey: null };
    await expect(refundOrder(ctx, fooled, requested)).rejects.toMatchObject({
      context: { rule: "REFUND_TOO_LARGE" },
    });
    expect(await readRefundedMinor(shop, sale)).toBe(3_000);
  });

  it("is the same refund under the same key: concurrently, later, and without a stored response", async () => {
    const sale = await createSale();
    const key = { "Idempotency-Key": "again" };
    const ask = () => refund(sale, { amount: "10.00" }, key);
    const atOnce = await Promise.all([ask(), ask(), ask()]);
    expect(atOnce.every(({ status }) => [201, 409].includes(status))).toBe(true);
    const first = await ask();
    expect(first.status).toBe(201);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await ask()).toMatchObject({ status: 201, body: first.body });
    expect(await refund(sale, { amount: "11.00" }, key)).toMatchObject({ status: 409 });
    expect(await readRefundedMinor(shop, sale)).toBe(1_000);
    expect(await countRefundEvents()).toBe(1);
  });

  it("shows a declined refund and allows another one", async () => {
    const sale = await createSale();
    const declining = createOrderContext(shop, {
      provider: { refund: async () => ({ type: "declined", reason: "The account is closed." }) },
    });
    const requested = { amountMinor: null, reason: null, restock: false, requestKey: null };
    const failed = await refundOrder(declining, await orderRepo(declining).get(sale.id), requested);
    expect(failed).toMatchObject({ status: "failed", failureReason: "The account is closed." });
    expect(await loadOrder(sale)).toMatchObject({
      payment_status: "succeeded",
      payment: { refunds: [{ status: "failed", failure_reason: "The account is closed." }] },
    });
    expect(await countRefundEvents()).toBe(0);
    expect(dataOf(await refund(sale))).toMatchObject({ amount: "50.00", status: "refunded" });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
  });
});

describe("a refund of an order that was paid in another currency", () => {
  it.each([
    { currency: "USD", paid: "3.12", part: "1.00", left: "33.97" },
    { currency: "JPY", paid: "625", part: "100", left: "42.00" },
    { currency: "KWD", paid: "1.002", part: "0.401", left: "29.99" },
  ])(
    "is in $currency, and the report subtracts the same share of the order's total",
    async ({ currency, paid, part, left }) => {
      const rates = { USD: "0.0625", JPY: "12.5", KWD: "0.02005" };
      await changeSettings(shop, {
        fx: { provider: "static", staticRates: { base: "GHS", rates } },
      });
      const sale = await createOrder(shop, product.id, { fields: { pay_currency: currency } });
      vi.setSystemTime(Date.now() + 1_000); // the report ends now
      const revenue = async () => dataOf(await ask("GET", "/reports/sales")).revenue;
      expect(await loadOrder(sale)).toMatchObject({
        total_price: "50.00",
        currency: "GHS",
        payment: { amount: paid, currency },
      });
      expect(await refund(sale, { amount: "40.0001" })).toMatchObject({ status: 400 });
      expect(await refund(sale, { amount: "5000" })).toMatchObject(
        ruleViolation("REFUND_TOO_LARGE"),
      );
      expect(dataOf(await refund(sale, { amount: part }))).toMatchObject({
        amount: part,
        currency,
        status: "refunded",
      });
      expect(await revenue()).toBe(left);
      await refund(sale);
      expect(await loadOrder(sale)).toMatchObject({ payment_status: "refunded" });
      expect(await revenue()).toBe("0.00");
    },
  );
});

describe("a refund with restock", () => {
  const ledger = async ({ id }: PlacedOrder) =>
    (
      await selectRows(
        shop,
        "select reason, on_hand_delta, reserved_delta from stock_movements where order_id = ? order by rowid",
        id,
      )
    ).map(Object.values);

  it("releases the order's reserved stock", async () => {
    const sale = await createSale();
    expect(dataOf(await refund(sale, { restock: true }))).toMatchObject({ restocked: true });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
    await ask("POST", `/orders/${sale.id}/status`, { body: { status: "completed" } });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });

  it("returns the items of a completed order to stock, once", async () => {
    const sale = await createSale();
    await ask("POST", `/orders/${sale.id}/status`, { body: { status: "completed" } });
    expect(await readStockQuantities(shop, product.id)).toEqual([8, 0]);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => refund(sale, { amount: "5.00", restock: true })),
    );
    expect(answers.filter((answer) => dataOf(answer)?.restocked)).toHaveLength(1);
    expect(dataOf(await refund(sale, { amount: "1.00", restock: true }))).toMatchObject({
      restocked: false,
    });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
    expect(await ledger(sale)).toEqual([
      ["reserve", 0, 2],
      ["fulfil", -2, -2],
      ["restock", 2, 0],
    ]);
  });

  it("returns nothing to stock for a cancelled order", async () => {
    const sale = await createSale();
    await ask("POST", `/orders/${sale.id}/cancel`);
    expect(await refund(sale, { restock: true })).toMatchObject(ruleViolation("REFUND_TOO_LARGE"));
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });
});
