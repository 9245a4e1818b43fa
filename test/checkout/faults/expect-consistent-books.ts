import { expect } from "vitest";
import type { SaleBooks } from "./create-sale.ts";

const unitsSold = 2;
const onHand = 50;

/**
 * Expects what holds after any fault: at most one sale and one charge, payments that agree with the
 * provider's charges, amounts that add up, and stock, uses of coupons and events that agree with the
 * orders.
 */
export function expectConsistentBooks({
  orders,
  payments,
  charges,
  stock,
  events,
  redemptions,
  miscounted,
  couponCount,
  isDelivered,
}: SaleBooks): void {
  const activeOrders = orders.filter(({ status }) => status !== "cancelled");
  expect(activeOrders.length, "active orders").toBeLessThanOrEqual(1);
  expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(orders.length);
  expect(stock).toEqual({
    quantity_on_hand: onHand,
    quantity_reserved: unitsSold * activeOrders.length,
  });
  for (const { id, status, payment_status: paymentStatus, ...order } of orders) {
    expect(order).toMatchObject({
      is_delivered: isDelivered ? 1 : 0,
      delivery_total_minor: isDelivered ? 500 : 0,
      difference_minor: 0,
    });
    if (isDelivered) expect(order.untaxed_minor).toBe(0);
    const own = payments.filter(({ order_id: orderId }) => orderId === id);
    expect(own.map((payment) => payment.status)).toEqual([paymentStatus]);
    const captured = charges.filter((one) => one.order_id === id && one.status === "captured");
    expect(captured.length, "charges of one order").toBe(paymentStatus === "captured" ? 1 : 0);
    const uses = redemptions.filter(({ order_id: orderId }) => orderId === id);
    expect(uses.length, "used coupons").toBe(status === "cancelled" ? 0 : couponCount);
    const countEvents = (type: string) =>
      events.filter((one) => one.type === type && one.subject_id === id).length;
    expect(countEvents("order.created")).toBe(1);
    expect(countEvents("order.cancelled")).toBe(status === "cancelled" ? 1 : 0);
  }
  expect(miscounted, "deals with another number of uses").toEqual([]);
  const isPaid = payments.filter(({ status }) => status === "captured").length;
  expect(events.filter(({ type }) => type === "payment.completed").length).toBe(isPaid);
}
