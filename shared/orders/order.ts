import type { ChosenDelivery, OrderedDelivery } from "../delivery/index.ts";
import { conflict, type Json, type Refusal, ruleViolation } from "../kernel/index.ts";
import { isSettled, type Payment, type PaymentStatus } from "../payments/index.ts";
import type { Discount, LineDetails, PricePart, TaxLine, TaxRule } from "../pricing/index.ts";
import type { LineSubscription } from "../subscriptions/index.ts";
import type { LineChoices } from "./line-choices.ts";

export const orderStatuses = [
  "pending",
  "confirmed",
  "preparing",
  "ready",
  "completed",
  "cancelled",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * The statuses that may follow each status. Steps may be skipped; completed and cancelled are
 * final.
 */
const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
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
  /** The tax of all units, after discounts. */
  taxMinor: number;
  /** The tax that the price of all units includes and an exempt customer did not pay. */
  exemptedTaxMinor: number;
  /** The components of the unit price; they sum to `unitPriceMinor`. */
  priceParts: readonly PricePart[];
  addOnOptionIds: readonly string[];
  /** As they were when the order was placed; null for orders from before details were stored. */
  details: LineDetails | null;
  specialInstructions: string | null;
  /** What it was configured with in its cart beyond the fields above; null for a plain line. */
  choices: LineChoices | null;
  /** The subscription that the line's payment starts or renews; null for a one-time purchase. */
  subscription: LineSubscription | null;
  /** Whether its units are shipped when the order is delivered. */
  requiresShipping: boolean;
  /** What one unit takes from stock; null for orders from before it was stored. */
  stockPerUnit: readonly (readonly [itemId: string, quantity: number])[] | null;
}>;

/** Who changes an order: the customer, the business, or the service itself. */
export type Initiator = "customer" | "business" | "system";

export type StatusChange = Readonly<{ status: OrderStatus; at: number; by: string }>;

export type Order = Readonly<{
  id: string;
  orderNumber: string;
  status: OrderStatus;
  orderType: OrderType;
  lines: readonly OrderLine[];
  subtotalMinor: number;
  discountTotalMinor: number;
  /** The price of the delivery before discounts. */
  deliveryTotalMinor: number;
  /** The option that was chosen, which is delivered to `addressInfo`; null for none. */
  delivery: OrderedDelivery | null;
  taxTotalMinor: number;
  totalPriceMinor: number;
  /** The tax of each rate; they add up to `taxTotalMinor`. */
  taxLines: readonly TaxLine[];
  /**
   * The business's own rate when the order was placed, and whether prices included the taxes; null
   * for orders from before it was stored.
   */
  tax: TaxRule | null;
  /** The deals that make up `discountTotalMinor`, each with its share per line. */
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
  /** The merchant's own; shoppers never see them. */
  tags: readonly string[];
  statusHistory: readonly StatusChange[];
  cancelledAt: number | null;
  cancellationReason: string | null;
  /** When an unpaid order is cancelled; null for an order that does not expire. */
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /**
   * Raised by every change. Of two concurrent changes to the same version, only one is committed.
   */
  version: number;
}>;

type ChangeStamp = Readonly<{ at: number; by: Initiator }>;

/**
 * The order after its payment changed. A settled payment removes the expiry. It also confirms a
 * pending order if the business has auto_confirm on, and completes an order that was delivered.
 */
export function withPayment(
  order: Order,
  payment: Payment,
  {
    at,
    by,
    autoConfirm,
    isDelivered,
  }: ChangeStamp & { autoConfirm: boolean; isDelivered: boolean },
): Order {
  // A wrong amount does not settle the payment. But money has arrived, so the order must not
  // expire.
  const hasMoney = isSettled(payment) || payment.mismatch !== null;
  const changed = {
    ...nextVersion(order, at),
    paymentStatus: payment.status,
    paymentMethod: payment.method,
    expiresAt: hasMoney ? null : order.expiresAt,
  };
  if (payment.status !== "captured") return changed;
  if (isDelivered && !isFinal(order)) return withStatusEntry(changed, "completed", { at, by });
  const isConfirmed = autoConfirm && order.status === "pending";
  return isConfirmed ? withStatusEntry(changed, "confirmed", { at, by }) : changed;
}

/** @throws Refusal INVALID_STATE for a transition that is not allowed. */
export function assertTransition(order: Pick<Order, "status">, to: OrderStatus): void {
  const refusal = findTransitionRefusal(order, to);
  if (refusal) throw refusal;
}

/** The refusal INVALID_STATE for a transition that is not allowed; null for one that is. */
export const findTransitionRefusal = (
  { status: from }: Pick<Order, "status">,
  to: OrderStatus,
): Refusal | null =>
  transitions[from].includes(to)
    ? null
    : ruleViolation("INVALID_STATE", `An order that is ${from} cannot become ${to}.`, {
        status: from,
      });

/**
 * The order with another status. A final status removes the expiry; with any other status an unpaid
 * order still expires.
 *
 * @throws Refusal as `assertTransition`.
 */
export function withStatus(order: Order, status: OrderStatus, { at, by }: ChangeStamp): Order {
  assertTransition(order, status);
  const expiresAt = isFinal({ status }) ? null : order.expiresAt;
  return withStatusEntry({ ...nextVersion(order, at), expiresAt }, status, { at, by });
}

/** Whether the status is final: no other status may follow. */
export const isFinal = ({ status }: Pick<Order, "status">): boolean =>
  transitions[status].length === 0;

/** @throws Refusal ORDER_NOT_CANCELLABLE for a final status. */
export function assertCancellable({ status }: Pick<Order, "status">): void {
  if (transitions[status].includes("cancelled")) return;
  throw ruleViolation("ORDER_NOT_CANCELLABLE", `The order is already ${status}.`);
}

/** Whether the order has gone further than a status. */
export const isBeyond = ({ status }: Pick<Order, "status">, limit: OrderStatus): boolean =>
  orderStatuses.indexOf(status) > orderStatuses.indexOf(limit);

/** The order with the status "cancelled". @throws Refusal as `assertCancellable`. */
export function withOrderCancelled(
  order: Order,
  reason: string | null,
  { at, by }: ChangeStamp,
): Order {
  assertCancellable(order);
  const cancellation = { cancelledAt: at, cancellationReason: reason, expiresAt: null };
  return withStatusEntry({ ...nextVersion(order, at), ...cancellation }, "cancelled", { at, by });
}

/** The order with the next version number. Every change of an order builds on this. */
export const nextVersion = (order: Order, at: number): Order => ({
  ...order,
  version: order.version + 1,
  updatedAt: at,
});

const withStatusEntry = (order: Order, status: OrderStatus, { at, by }: ChangeStamp): Order => ({
  ...order,
  status,
  statusHistory: [...order.statusHistory, { status, at, by }],
});

/** The delivery as it was chosen, with its price and its address. */
export const chosenDeliveryOf = ({
  delivery,
  deliveryTotalMinor: priceMinor,
  addressInfo: address,
}: Pick<Order, "delivery" | "deliveryTotalMinor" | "addressInfo">): ChosenDelivery | null =>
  delivery && { ...delivery, priceMinor, address };

export const itemCount = ({ lines }: Pick<Order, "lines">): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** For calls that come while another one starts a payment of the same order. */
export const paymentInProgress = () =>
  conflict("A payment of this order is being started; wait for it and try again.", {
    retryable: true,
  });
