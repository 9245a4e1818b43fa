import { isSettled } from "../../payments/index.ts";
import {
  hasLeft,
  isShippedAndNotReturned,
  isVoided,
  type Shipment,
  unitsByLine,
} from "../../shipments/index.ts";
import type { Initiator, Order, OrderLine } from "../order.ts";
import type { OrderDetails } from "../order-details-query.ts";

export const fulfilmentStatuses = [
  "unfulfilled",
  "partially_fulfilled",
  "fulfilled",
  "not_required",
] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

type ShippedOrder = Pick<OrderDetails, "order" | "shipments">;

/** How much of what the order ships has left. A completed order has handed over everything. */
export function fulfilmentStatusOf({ order, shipments }: ShippedOrder): FulfilmentStatus {
  const required = order.lines.reduce((sum, line) => sum + unitsToShip(order, line), 0);
  if (required === 0) return "not_required";
  if (order.status === "completed") return "fulfilled";
  const shipped = totalUnits(shipments.filter(hasLeft));
  if (shipped === 0) return "unfulfilled";
  return shipped < required ? "partially_fulfilled" : "fulfilled";
}

/** The units of a line that are shipped in the course of the order. */
const unitsToShip = ({ orderType }: Order, { requiresShipping, quantity }: OrderLine): number =>
  orderType === "delivery" && requiresShipping ? quantity : 0;

/** The units of each line that are in no shipment yet. None are left once all were returned to stock. */
export function unitsLeftToShip({
  order,
  shipments,
  refunds,
}: ShippedOrder & Pick<OrderDetails, "refunds">): ReadonlyMap<string, number> {
  const allocated = unitsByLine(shipments.filter((shipment) => !isVoided(shipment)));
  const isReturned = wereItemsReturned({ refunds });
  return new Map(
    order.lines.map((line) => [
      line.id,
      isReturned ? 0 : unitsToShip(order, line) - (allocated.get(line.id) ?? 0),
    ]),
  );
}

/** Whether a refund has returned the order's items to stock. */
export const wereItemsReturned = ({ refunds }: Pick<OrderDetails, "refunds">): boolean =>
  refunds.some(({ isRestocked }) => isRestocked);

/** Whether units of the order have left. */
export const hasShippedUnits = ({ shipments }: Pick<OrderDetails, "shipments">): boolean =>
  shipments.some(hasLeft);

/** The units of each line that stay sold when the order is cancelled. */
export const soldUnits = ({
  shipments,
}: Pick<OrderDetails, "shipments">): ReadonlyMap<string, number> =>
  unitsByLine(shipments.filter(isShippedAndNotReturned));

/**
 * Whether nothing of the order can be cancelled, because all units have left. The business can also
 * cancel units that failed to arrive or came back: an unpaid order could not end otherwise.
 */
export function isShippedWhole({ order, shipments }: ShippedOrder, initiator: Initiator): boolean {
  const shipped = unitsByLine(
    shipments.filter(initiator === "business" ? isShippedAndNotReturned : hasLeft),
  );
  return order.lines.every(({ id, quantity }) => shipped.get(id) === quantity);
}

/** Whether all units that the order ships have arrived. */
export function isDelivered({ order, shipments }: ShippedOrder): boolean {
  const delivered = unitsByLine(shipments.filter(({ status }) => status === "delivered"));
  const shippedLines = order.lines.filter((line) => unitsToShip(order, line) > 0);
  return (
    shippedLines.length > 0 &&
    shippedLines.every(({ id, quantity }) => delivered.get(id) === quantity)
  );
}

/** Whether the order ends because its last unit has arrived: it is paid and not yet over. */
export const isFinishedByDelivery = ({
  order,
  payment,
  shipments,
}: ShippedOrder & Pick<OrderDetails, "payment">): boolean =>
  isSettled(payment) && payment.status !== "refunded" && isDelivered({ order, shipments });

const totalUnits = (shipments: readonly Shipment[]): number =>
  [...unitsByLine(shipments).values()].reduce((sum, units) => sum + units, 0);
