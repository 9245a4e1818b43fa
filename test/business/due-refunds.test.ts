import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type OrderPaymentMethod, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

const loadOrder = async ({ id }: PlacedOrder) => dataOf(await ask("GET", `/orders/${id}`));

const firstRefundOf = async (order: PlacedOrder) => (await loadOrder(order)).payment.refunds[0];

const countRefundEvents = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "payment.refunded").length;

const markPaid = ({ id }: Pick<PlacedOrder, "id">, refundId: string, headers = {}) =>
  ask("POST", `/orders/${id}/refunds/${refundId}/mark-paid`, { headers });

/** Places a paid order and lets its customer cancel it. */
async function createCancelledOrder(payWith: OrderPaymentMethod): Promise<PlacedOrder> {
  const order = await createOrder(shop, product.id, { payWith });
  if (payWith === "cash") {
    await ask("POST", `/orders/${order.id}/payments/mark-paid`, { body: {} });
  }
  await shopper(shop)("POST", `/orders/${order.id}/cancel?token=${order.token}`, { body: {} });
  return order;
}

describe("the refund of a cash order that is cancelled", () => {
  it("is due, and the payment stays paid, until the business has returned the money", async () => {
    const order = await createCancelledOrder("cash");
    expect(await loadOrder(order)).toMatchObject({
      status: "cancelled",
      payment_status: "succeeded",
      payment: { refunds: [{ amount: "50.00", status: "refund_due", settled_at: null }] },
    });
    expect(await countRefundEvents()).toBe(0);
    await runJobsUntilIdle(shop);
    const due = await firstRefundOf(order);
    expect(due.status).toBe("refund_due");

    const answer = await markPaid(order, due.id);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          id: due.id,
          order_id: order.id,
          amount: "50.00",
          status: "refunded",
          settled_at: expect.stringMatching(/Z$/),
        },
      },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(await loadOrder(order)).toMatchObject({
      payment_status: "refunded",
      payment: { refunds: [dataOf(answer)] },
    });
    expect(await countRefundEvents()).toBe(1);
    expect(await listAuditActions(shop)).toContain("order.refund_paid");
  });

  it("is due too when the business cancels the order", async () => {
    const order = await createOrder(shop, product.id, { payWith: "cash" });
    await ask("POST", `/orders/${order.id}/payments/mark-paid`, { body: {} });
    expect(dataOf(await ask("POST", `/orders/${order.id}/cancel`))).toMatchObject({
      payment_status: "succeeded",
      payment: { refunds: [{ status: "refund_due" }] },
    });
  });

  it("counts against what is left to refund", async () => {
    const order = await createCancelledOrder("cash");
    expect(await ask("POST", `/orders/${order.id}/refunds`, { body: {} })).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "REFUND_TOO_LARGE" } } },
    });
  });

  it("is marked as paid once, by repeats, by other keys and at the same time", async () => {
    const order = await createCancelledOrder("cash");
    const { id } = await firstRefundOf(order);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const atOnce = await Promise.all([
      markPaid(order, id),
      markPaid(order, id, key),
      markPaid(order, id, { "Idempotency-Key": crypto.randomUUID() }),
    ]);
    expect(atOnce.every(({ status }) => [200, 409].includes(status))).toBe(true);
    const [first, again] = [await markPaid(order, id, key), await markPaid(order, id)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(dataOf(again)).toEqual(dataOf(first));
    expect(await countRefundEvents()).toBe(1);
  });
});

describe("POST /orders/{order_id}/refunds/{refund_id}/mark-paid", () => {
  it("answers as before for cash that was returned with the refund itself", async () => {
    const order = await createOrder(shop, product.id, { payWith: "cash" });
    await ask("POST", `/orders/${order.id}/payments/mark-paid`, { body: {} });
    const refund = dataOf(await ask("POST", `/orders/${order.id}/refunds`, { body: {} }));
    expect(dataOf(await markPaid(order, refund.id))).toEqual(refund);
    expect(await countRefundEvents()).toBe(1);
  });

  it("is 422 for the refund of a provider's payment", async () => {
    const order = await createCancelledOrder("0");
    const { id } = await firstRefundOf(order);
    expect(await markPaid(order, id)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "INVALID_STATE", status: "refunded" } } },
    });
    expect(await countRefundEvents()).toBe(1);
  });

  it("is 404 for an unknown refund, and for one of another order", async () => {
    const [one, other] = [await createCancelledOrder("cash"), await createCancelledOrder("cash")];
    const { id } = await firstRefundOf(other);
    expect(await markPaid(one, id)).toMatchObject({ status: 404 });
    expect(await markPaid({ id: "ord_unknown" }, id)).toMatchObject({ status: 404 });
    expect(await markPaid(one, "rfd_unknown")).toMatchObject({ status: 404 });
    expect((await firstRefundOf(other)).status).toBe("refund_due");
  });
});
