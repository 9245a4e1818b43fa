import { type Json, ruleBroken } from "../kernel/index.ts";
import type { Payment, PaymentStatus } from "../payments/index.ts";

export const orderStatuses = [
  "pending",
  "confirmed",
  "preparing",
  "ready",
  "completed",
  "cancelled",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderTypes = ["delivery", "pickup", "dine-in", "walk-in"] as const;
export type OrderType = (typeof orderTypes)[number];

export type OrderLine = Readonly<{
  id: string;
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  addOnOptionIds: readonly string[];
  specialInstructions: string | null;
}>;

export type StatusChange = Readonly<{ status: OrderStatus; at: number; by: string }>;

export type Order = Readonly<{
  id: string;
  orderNumber: string;
  status: OrderStatus;
  orderType: OrderType;
  lines: readonly OrderLine[];
  subtotalMinor: number;
  discountTotalMinor: number;
  taxTotalMinor: number;
  totalPriceMinor: number;
  currency: string;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  customerPhone: string | null;
  customerNotes: string | null;
  paymentStatus: PaymentStatus;
  paymentMethod: string;
  locationId: string;
  addressInfo: Readonly<Record<string, Json>> | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, Json>>;
  statusHistory: readonly StatusChange[];
  cancelledAt: number | null;
  cancellationReason: string | null;
  /** When it is given up unless it is paid; null once that cannot happen. */
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Raised by every change; two changes from one version: exactly one commits. */
  version: number;
}>;

type By = Readonly<{ at: number; by: string }>;

/**
 * The order after its payment moved. A settled payment confirms a pending order by itself, where the
 * business lets it (completions.md 6, auto_confirm), and ends the wait for it.
 */
export function withPayment(
  order: Order,
  payment: Payment,
  { at, by, autoConfirm }: By & { autoConfirm: boolean },
): Order {
  const isSettled = payment.status === "captured";
  const changed = {
    ...order,
    paymentStatus: payment.status,
    expiresAt: isSettled ? null : order.expiresAt,
    version: order.version + 1,
    updatedAt: at,
  };
  return isSettled && autoConfirm && order.status === "pending"
    ? moved(changed, "confirmed", { at, by })
    : changed;
}

/** Any status that is not final may become cancelled (interface.md, Order status values). */
export function cancelled(order: Order, reason: string | null, { at, by }: By): Order {
  if (order.status === "completed" || order.status === "cancelled") {
    throw ruleBroken("ORDER_NOT_CANCELLABLE", `The order is already ${order.status}.`);
  }
  return moved(
    {
      ...order,
      cancelledAt: at,
      cancellationReason: reason,
      expiresAt: null,
      version: order.version + 1,
      updatedAt: at,
    },
    "cancelled",
    { at, by },
  );
}

const moved = (order: Order, status: OrderStatus, { at, by }: By): Order => ({
  ...order,
  status,
  statusHistory: [...order.statusHistory, { status, at, by }],
});

export const itemCountOf = ({ lines }: Pick<Order, "lines">): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);
