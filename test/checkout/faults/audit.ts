import { expect } from "vitest";
import type { Books } from "./sale-world.ts";

const piecesSold = 2;
const onHand = 50;

/**
 * What holds of one shopper's checkouts whatever failed (completions.md 6): one sale, never two
 * charges, the provider's books and ours agree, and stock and events tell of what is there.
 */
export function expectSoundBooks({ orders, payments, charges, stock, events }: Books): void {
  const standing = orders.filter(({ status }) => status !== "cancelled");
  expect(standing.length, "orders that stand").toBeLessThanOrEqual(1);
  expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(orders.length);
  expect(stock).toEqual({
    quantity_on_hand: onHand,
    quantity_reserved: piecesSold * standing.length,
  });
  for (const { id, status, payment_status: paymentStatus } of orders) {
    const own = payments.filter(({ order_id: orderId }) => orderId === id);
    expect(own.map((payment) => payment.status)).toEqual([paymentStatus]);
    const captured = charges.filter((one) => one.order_id === id && one.status === "captured");
    expect(captured.length, "charges of one order").toBe(paymentStatus === "captured" ? 1 : 0);
    const told = (type: string) =>
      events.filter((one) => one.type === type && one.subject_id === id).length;
    expect(told("order.created")).toBe(1);
    expect(told("order.cancelled")).toBe(status === "cancelled" ? 1 : 0);
  }
  const isPaid = payments.filter(({ status }) => status === "captured").length;
  expect(events.filter(({ type }) => type === "payment.completed").length).toBe(isPaid);
}
