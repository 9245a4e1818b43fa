import { type Json, ruleBroken } from "../kernel/index.ts";
import { isSettled, type Payment, type PaymentStatus } from "../payments/index.ts";
import type { Discount, PricePart } from "../pricing/index.ts";
import type { LineSubscription } from "../subscriptions/index.ts";

export const orderStatuses = [
  "pending",
  "confirmed",
  "preparing",
  "ready",
  "completed",
  "cancelled",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Where each status may lead (completions.md 6): forward, steps may be skipped; the last two are final. */
const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ["confirmed", "preparing", "ready", "completed", "cancelled"],
  confirmed: ["preparing", "ready", "completed", "cancelled"],
  preparing: ["ready", "completed", "cancelled"],
  ready: ["completed", "cancelled"],
  completed: [],
  cancelled: [],
};

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
  /** Why a piece costs that; they sum to `unitPriceMinor`. */
  priceParts: readonly PricePart[];
  addOnOptionIds: readonly string[];
  specialInstructions: string | null;
  /** What its payment begins or renews; null for what is bought once. */
  subscription: LineSubscription | null;
}>;

/** Who moves orders: the shopper, the business, or this service by itself. */
export type Party = "customer" | "business" | "system";

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
  /** Why `discountTotalMinor` was taken off: each deal, and what of it fell on each line. */
  discounts: readonly Discount[];
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

type By = Readonly<{ at: number; by: Party }>;

/**
 * The order after its payment moved. A settled payment confirms a pending order by itself, where the
 * business lets it (completions.md 6, auto_confirm), and ends the wait for it.
 */
export function withPayment(
  order: Order,
  payment: Payment,
  { at, by, autoConfirm }: By & { autoConfirm: boolean },
): Order {
  // Money of another amount is no payment, but with it nobody ends the order unseen.
  const hasMoney = isSettled(payment) || payment.mismatch !== null;
  const changed = {
    ...changedAt(order, at),
    paymentStatus: payment.status,
    expiresAt: hasMoney ? null : order.expiresAt,
  };
  const isConfirmed = payment.status === "captured" && autoConfirm && order.status === "pending";
  return isConfirmed ? moved(changed, "confirmed", { at, by }) : changed;
}

/** @throws Refusal INVALID_STATE for a move that the table does not allow. */
export function demandMove({ status: from }: Pick<Order, "status">, to: OrderStatus): void {
  if (moves[from].includes(to)) return;
  throw ruleBroken("INVALID_STATE", `An order that is ${from} cannot become ${to}.`, {
    status: from,
  });
}

/**
 * The order one or more steps on. While a provider's payment is awaited it is still given up for want of
 * it (completions.md 6), unless it is completed: then its pieces are gone.
 *
 * @throws Refusal as `demandMove`.
 */
export function movedOn(order: Order, status: OrderStatus, { at, by }: By): Order {
  demandMove(order, status);
  const expiresAt = isFinal({ status }) ? null : order.expiresAt;
  return moved({ ...changedAt(order, at), expiresAt }, status, { at, by });
}

/** Whether it can move no more. */
export const isFinal = ({ status }: Pick<Order, "status">): boolean => moves[status].length === 0;

/** @throws Refusal ORDER_NOT_CANCELLABLE for a final status (completions.md 6). */
export function demandCancellable({ status }: Pick<Order, "status">): void {
  if (moves[status].includes("cancelled")) return;
  throw ruleBroken("ORDER_NOT_CANCELLABLE", `The order is already ${status}.`);
}

/** @throws Refusal as `demandCancellable`. */
export function cancelled(order: Order, reason: string | null, { at, by }: By): Order {
  demandCancellable(order);
  const ended = { cancelledAt: at, cancellationReason: reason, expiresAt: null };
  return moved({ ...changedAt(order, at), ...ended }, "cancelled", { at, by });
}

/** The next version of an order that is about to change. */
export const changedAt = (order: Order, at: number): Order => ({
  ...order,
  version: order.version + 1,
  updatedAt: at,
});

const moved = (order: Order, status: OrderStatus, { at, by }: By): Order => ({
  ...order,
  status,
  statusHistory: [...order.statusHistory, { status, at, by }],
});

export const itemCountOf = ({ lines }: Pick<Order, "lines">): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);
