import type { AuditedChange, ConstraintRefusals, Write } from "../../database/index.ts";
import { planShippedStock, removeShippedStock } from "../../inventory/index.ts";
import { ruleViolation } from "../../kernel/index.ts";
import { hasLeft, type Shipment } from "../../shipments/index.ts";
import { commitOrder, orderChanged } from "../commit-order.ts";
import type { OrderContext } from "../context.ts";
import { shipmentEvent } from "../events.ts";
import { isFinal, nextVersion, type Order, type OrderLine, withStatus } from "../order.ts";
import type { OrderDetails } from "../order-details-query.ts";
import { planStatusChange } from "../plan-status-change.ts";
import { isFinishedByDelivery, wereItemsReturned } from "./fulfilment.ts";
import type { ShippableOrder } from "./shippable-order-query.ts";

/** A new or changed shipment. `before` is null for a new one. */
type ShipmentChange = Readonly<{
  before: Shipment | null;
  after: Shipment;
  write: readonly Write[];
  audit: AuditedChange;
  refusals?: ConstraintRefusals;
}>;

/**
 * Commits a shipment with the next version of its order, of which a concurrent change of the order
 * would fail the batch. Units that leave are removed from stock, and the delivery of the last unit
 * completes a paid order.
 *
 * @throws Refusal CONFLICT (retryable) when the order or its stock changed meanwhile, INVALID_STATE
 *   when units leave that were released before.
 */
export async function commitShipment(
  ctx: OrderContext,
  { details, levels }: ShippableOrder,
  { before, after, write, audit, refusals }: ShipmentChange,
): Promise<void> {
  const leavesNow = hasLeft(after) && !(before && hasLeft(before));
  if (leavesNow) assertNotReleased(details);
  const others = details.shipments.filter(({ id }) => id !== after.id);
  const order = nextOrder(ctx, { ...details, shipments: [...others, after] }, { leavesNow });
  const statusChange = planStatusChange(ctx, details, order);
  const shipped = leavesNow
    ? planShippedStock(stockOf(details.order, after), levels, {
        locationId: after.locationId,
        isOtherLocation: after.locationId !== details.order.locationId,
      })
    : [];
  await commitOrder(ctx, {
    order,
    writes: [
      ...write,
      ...removeShippedStock(ctx, { orderId: order.id, shipmentId: after.id }, shipped),
      ...statusChange.writes,
    ],
    events: [
      shipmentEvent(before ? "shipment.updated" : "shipment.created", after, order),
      ...statusChange.events,
    ],
    audit: [audit],
    refusals: { stock_not_oversold: orderChanged, ...refusals },
  });
}

/** The order after the change. Once units have left, it does not expire any more. */
function nextOrder(
  ctx: OrderContext,
  details: OrderDetails,
  { leavesNow }: Readonly<{ leavesNow: boolean }>,
): Order {
  const { order } = details;
  const at = ctx.now();
  if (!isFinal(order) && isFinishedByDelivery(details)) {
    return withStatus(order, "completed", { at, by: "business" });
  }
  return { ...nextVersion(order, at), expiresAt: leavesNow ? null : order.expiresAt };
}

/** A cancellation and a refund with `restock` have released what was not shipped before. */
function assertNotReleased(details: OrderDetails): void {
  const { status } = details.order;
  if (status !== "cancelled" && !wereItemsReturned(details)) return;
  throw ruleViolation(
    "INVALID_STATE",
    status === "cancelled"
      ? "The order is cancelled. What was not shipped before cannot be shipped any more."
      : "The order's items were returned to stock and cannot be shipped any more.",
    { status },
  );
}

/** What a shipment takes from stock, by item. */
function stockOf(order: Order, { items }: Shipment): ReadonlyMap<string, number> {
  const needs = new Map<string, number>();
  for (const { orderLineId, quantity } of items) {
    const line = order.lines.find(({ id }) => id === orderLineId);
    for (const [itemId, units] of line ? (line.stockPerUnit ?? possibleStockPerUnit(line)) : []) {
      needs.set(itemId, (needs.get(itemId) ?? 0) + units * quantity);
    }
  }
  return needs;
}

/**
 * What a unit may take from stock, for orders from before this was stored: the product or its
 * variant, and those of its contents. Nothing leaves of an item that the order has not reserved.
 */
const possibleStockPerUnit = ({ details, ...line }: OrderLine) =>
  [{ ...line, quantity: 1 }, ...(details?.contents ?? [])].flatMap(
    ({ variantId, productId, quantity }) =>
      [variantId, productId].flatMap((id) => (id === null ? [] : [[id, quantity] as const])),
  );
