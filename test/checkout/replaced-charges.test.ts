import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  cancelUnpaidOrder,
  recordCharge,
  refundOrder,
  salesReport,
  settleRefund,
} from "../../shared/orders/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import {
  captured,
  declined,
  forgetRefunds,
  payments,
  ran,
  waiting,
  wholeRefund,
} from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

describe("a charge that was replaced by another", () => {
  it("is charged anew under another reference once it is declined for good", async () => {
    const { charged, retry, paid } = await ran(shop, declined);
    const retried = await retry();
    expect(charged).toHaveLength(2);
    expect(charged[0]).not.toBe(charged[1]);
    expect((await paid()).payment).toMatchObject({
      status: "captured",
      reference: retried.reference,
    });
  });

  it("goes back whole, once, when its money comes beside that of the other", async () => {
    const sale = await ran(shop, declined);
    const [first = ""] = sale.charged;
    const { reference } = await sale.retry();
    sale.stands.set(first, captured);
    await Promise.all([sale.hear(first), sale.hear(first)]);
    await sale.hear(first);
    const { payment, refunds, order } = await sale.paid();
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
    await settleRefund(sale.ctx, await sale.paid(), {
      refundId: refund?.id ?? "",
      onRefusal: "try-again",
    });
    expect(sale.refunded).toMatchObject([{ reference: first, amountMinor: 1_000 }]);
    expect((await sale.paid()).payment.status).toBe("captured");
    expect((await sale.paid()).order.status).toBe(order.status);
    expect(await payments(shop)).toEqual(["payment.completed", "payment.failed"]);
  });

  it("takes nothing off what can be given back of the payment itself", async () => {
    const sale = await ran(shop, declined);
    const [first = ""] = sale.charged;
    await sale.retry();
    sale.stands.set(first, captured);
    await sale.hear(first);
    const at = sale.ctx.now();
    const report = await salesReport(sale.ctx, { start: at - day, end: at + day }, "day");
    expect(report).toMatchObject({ orders: 1, revenueMinor: 1_000 });
    expect(await refundOrder(sale.ctx, await sale.paid(), wholeRefund)).toMatchObject({
      amountMinor: 1_000,
      reference: null,
      status: "refunded",
    });
    expect((await sale.paid()).payment.status).toBe("refunded");
    await expect(
      refundOrder(sale.ctx, await sale.paid(), { ...wholeRefund, amountMinor: 1 }),
    ).rejects.toMatchObject({ context: { rule: "REFUND_TOO_LARGE" } });
  });

  it("pays the order when its money comes first, and the other's goes back", async () => {
    const sale = await ran(shop, declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    sale.stands.set(first, captured);
    await sale.hear(first);
    expect((await sale.paid()).payment).toMatchObject({ status: "captured", reference: first });
    sale.stands.set(second, captured);
    await sale.hear(second);
    expect((await sale.paid()).refunds).toMatchObject([{ reference: second, amountMinor: 1_000 }]);
  });

  it("tells nothing of the charge that is under way when it comes to nothing", async () => {
    const sale = await ran(shop, declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    await recordCharge(sale.ctx, await sale.paid(), { result: declined, reference: first });
    expect((await sale.paid()).payment).toMatchObject({ status: "processing", reference: second });
  });

  it("goes back with its order when that was cancelled", async () => {
    const sale = await ran(shop, declined, waiting);
    const [first = ""] = sale.charged;
    await sale.retry();
    await cancelUnpaidOrder(sale.ctx, await sale.paid(), "Nobody paid.");
    sale.stands.set(first, captured);
    await sale.hear(first);
    expect(await sale.paid()).toMatchObject({
      order: { status: "cancelled" },
      payment: { status: "captured", reference: first },
      refunds: [{ reference: null, amountMinor: 1_000, status: "pending" }],
    });
  });
});

describe("an order's references", () => {
  it("are all kept with their payment", async () => {
    const { charged, retry, checkout } = await ran(shop, declined);
    await retry();
    const kept = await rowsOf(
      shop,
      "select reference, business_id from payment_references where payment_id = ?",
      checkout.plan.paymentId,
    );
    expect(kept.map(({ reference }) => reference).sort()).toEqual([...charged].sort());
    for (const row of kept) expect(row.business_id).toBe(shop.business.id);
  });
});
