import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  cancelUnpaidOrder,
  createSalesReport,
  recordCharge,
  refundOrder,
  settleRefund,
} from "../../shared/orders/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  captured,
  declined,
  deleteRefunds,
  listPaymentEvents,
  runScriptedCheckout,
  waiting,
  wholeRefund,
} from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

describe("a charge that was replaced by another", () => {
  it("is charged again with a new reference after the provider confirms the decline", async () => {
    const { charged, retry, loadOrder } = await runScriptedCheckout(shop, declined);
    const retried = await retry();
    expect(charged).toHaveLength(2);
    expect(charged[0]).not.toBe(charged[1]);
    expect((await loadOrder()).payment).toMatchObject({
      status: "captured",
      reference: retried.reference,
    });
  });

  it("is refunded in full, once, when both charges are captured", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    const [first = ""] = sale.charged;
    const { reference } = await sale.retry();
    sale.results.set(first, captured);
    await Promise.all([sale.receiveNotice(first), sale.receiveNotice(first)]);
    await sale.receiveNotice(first);
    const { payment, refunds, order } = await sale.loadOrder();
    expect(payment).toMatchObject({ status: "captured", reference });
    expect(refunds).toMatchObject([{ reference: first, amountMinor: 1_000, status: "pending" }]);
    expect(sale.alerts).toEqual([
      {
        what: "captured a second charge",
        paymentId: payment.id,
        reference: first,
        amountMinor: 1_000,
        currency: "GHS",
        expected: { reference, amountMinor: 1_000, currency: "GHS" },
      },
    ]);
    const [refund] = refunds;
    await settleRefund(sale.ctx, await sale.loadOrder(), {
      refundId: refund?.id ?? "",
      onRefusal: "try-again",
    });
    expect(sale.refunded).toMatchObject([{ reference: first, amountMinor: 1_000 }]);
    expect((await sale.loadOrder()).payment.status).toBe("captured");
    expect((await sale.loadOrder()).order.status).toBe(order.status);
    expect(await listPaymentEvents(shop)).toEqual(["payment.completed", "payment.failed"]);
  });

  it("does not reduce the refundable amount of the payment", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    const [first = ""] = sale.charged;
    await sale.retry();
    sale.results.set(first, captured);
    await sale.receiveNotice(first);
    const at = sale.ctx.now();
    const report = await createSalesReport(sale.ctx, { start: at - day, end: at + day }, "day");
    expect(report).toMatchObject({ orders: 1, revenueMinor: 1_000 });
    expect(await refundOrder(sale.ctx, await sale.loadOrder(), wholeRefund)).toMatchObject({
      amountMinor: 1_000,
      reference: null,
      status: "refunded",
    });
    expect((await sale.loadOrder()).payment.status).toBe("refunded");
    await expect(
      refundOrder(sale.ctx, await sale.loadOrder(), { ...wholeRefund, amountMinor: 1 }),
    ).rejects.toMatchObject({ context: { rule: "REFUND_TOO_LARGE" } });
  });

  it("pays the order when its money arrives first, and the other charge is refunded", async () => {
    const sale = await runScriptedCheckout(shop, declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    sale.results.set(first, captured);
    await sale.receiveNotice(first);
    expect((await sale.loadOrder()).payment).toMatchObject({
      status: "captured",
      reference: first,
    });
    sale.results.set(second, captured);
    await sale.receiveNotice(second);
    expect((await sale.loadOrder()).refunds).toMatchObject([
      { reference: second, amountMinor: 1_000 },
    ]);
  });

  it("does not change the pending charge when it is declined", async () => {
    const sale = await runScriptedCheckout(shop, declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    await recordCharge(sale.ctx, await sale.loadOrder(), { result: declined, reference: first });
    expect((await sale.loadOrder()).payment).toMatchObject({
      status: "processing",
      reference: second,
    });
  });

  it("is refunded when its order was cancelled", async () => {
    const sale = await runScriptedCheckout(shop, declined, waiting);
    const [first = ""] = sale.charged;
    await sale.retry();
    await cancelUnpaidOrder(sale.ctx, await sale.loadOrder(), "Nobody paid.");
    sale.results.set(first, captured);
    await sale.receiveNotice(first);
    expect(await sale.loadOrder()).toMatchObject({
      order: { status: "cancelled" },
      payment: { status: "captured", reference: first },
      refunds: [{ reference: null, amountMinor: 1_000, status: "pending" }],
    });
  });
});

describe("an order's references", () => {
  it("are all stored with their payment", async () => {
    const { charged, retry, checkout } = await runScriptedCheckout(shop, declined);
    await retry();
    const kept = await selectRows(
      shop,
      "select reference, business_id from payment_references where payment_id = ?",
      checkout.plan.paymentId,
    );
    expect(kept.map(({ reference }) => reference).sort()).toEqual([...charged].sort());
    for (const row of kept) expect(row.business_id).toBe(shop.business.id);
  });
});
