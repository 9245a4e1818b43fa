import { isLocationOf } from "../../businesses/index.ts";
import { retryOnConflict } from "../../database/index.ts";
import { conflict, invalid, ruleViolation } from "../../kernel/index.ts";
import {
  type Shipment,
  type ShipmentItem,
  type ShipmentStatus,
  shipmentRepo,
  type Tracking,
  withShipmentStatus,
} from "../../shipments/index.ts";
import type { OrderContext } from "../context.ts";
import type { OrderDetails } from "../order-details-query.ts";
import { commitShipment } from "./commit-shipment.ts";
import { unitsLeftToShip } from "./fulfilment.ts";
import { loadOrderToShip } from "./shippable-order-query.ts";

type CreateShipmentInput = Tracking &
  Readonly<{
    /** Null ships everything that is left. */
    items: readonly ShipmentItem[] | null;
    /** Null ships from the order's location. */
    locationId: string | null;
    status: ShipmentStatus;
    notify: boolean;
  }>;

/** Shipments that failed before they left count too. */
const maxShipments = 200;

/**
 * Creates a shipment of units that are in no other shipment of the order.
 *
 * @throws Refusal NOT_FOUND for an unknown order, VALIDATION_ERROR for an unknown line or location,
 *   QUANTITY_TOO_LARGE for more units than are left, INVALID_STATE for a cancelled order or one with
 *   200 shipments.
 */
export function createShipment(
  ctx: OrderContext,
  idOrNumber: string,
  input: CreateShipmentInput,
): Promise<Shipment> {
  assertLocation(ctx, input.locationId);
  return retryOnConflict(async () => {
    const shippable = await loadOrderToShip(ctx, idOrNumber);
    const { details } = shippable;
    const { order } = details;
    assertShippable(details);
    const shipment = newShipment(ctx, order.id, {
      ...input,
      items: requireItems(details, input.items),
      locationId: input.locationId ?? order.locationId,
    });
    await commitShipment(ctx, shippable, {
      before: null,
      after: shipment,
      write: shipmentRepo(ctx).insert(shipment),
      audit: {
        action: "shipment.created",
        entity: order.id,
        after: {
          shipment: shipment.id,
          status: shipment.status,
          items: shipment.items.map(({ orderLineId: orderItemId, quantity }) => ({
            orderItemId,
            quantity,
          })),
        },
      },
      refusals: {
        shipment_items_within_order: () =>
          conflict("Another shipment was created meanwhile; try again.", { retryable: true }),
      },
    });
    return shipment;
  });
}

function newShipment(
  ctx: OrderContext,
  orderId: string,
  {
    items,
    locationId,
    carrier,
    trackingNumber,
    trackingUrl,
    status,
    notify,
  }: CreateShipmentInput & Readonly<{ items: readonly ShipmentItem[]; locationId: string }>,
): Shipment {
  const at = ctx.now();
  const label: Shipment = {
    id: ctx.newId("shp"),
    orderId,
    items,
    locationId,
    carrier,
    trackingNumber,
    trackingUrl,
    status: "label_created",
    notify,
    shippedAt: null,
    deliveredAt: null,
    createdAt: at,
    updatedAt: at,
  };
  return withShipmentStatus(label, status, at);
}

function assertShippable({ order, shipments }: OrderDetails): void {
  if (order.status === "cancelled") {
    throw ruleViolation("INVALID_STATE", "A cancelled order cannot be shipped.", {
      status: order.status,
    });
  }
  if (shipments.length < maxShipments) return;
  throw ruleViolation("INVALID_STATE", `An order has at most ${maxShipments} shipments.`);
}

function assertLocation({ business }: OrderContext, locationId: string | null): void {
  if (!isLocationOf(business, locationId)) {
    throw invalid("location_id", "must be an active location of the business");
  }
}

/** The requested units, or all that are left, in the order of the order's lines. */
function requireItems(
  details: OrderDetails,
  requested: readonly ShipmentItem[] | null,
): readonly ShipmentItem[] {
  const left = unitsLeftToShip(details);
  for (const [index, { orderLineId, quantity }] of (requested ?? []).entries()) {
    const quantityLeft = left.get(orderLineId);
    if (quantityLeft === undefined) {
      throw invalid(`items.${index}.order_item_id`, "must be an item of the order");
    }
    if (quantity > quantityLeft) throw quantityTooLarge({ orderLineId, quantityLeft });
  }
  const items = [...left].flatMap(([orderLineId, quantityLeft]) => {
    const item = requested?.find((candidate) => candidate.orderLineId === orderLineId);
    const quantity = requested === null ? quantityLeft : (item?.quantity ?? 0);
    return quantity > 0 ? [{ orderLineId, quantity }] : [];
  });
  if (items.length === 0) {
    throw ruleViolation("QUANTITY_TOO_LARGE", "Nothing of the order is left to ship.", {
      quantity_left: 0,
    });
  }
  return items;
}

const quantityTooLarge = ({
  orderLineId,
  quantityLeft,
}: Readonly<{ orderLineId: string; quantityLeft: number }>) =>
  ruleViolation("QUANTITY_TOO_LARGE", `Only ${quantityLeft} units of the item are left to ship.`, {
    order_item_id: orderLineId,
    quantity_left: quantityLeft,
  });
