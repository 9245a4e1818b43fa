import { iso, isoOrNull, ruleViolation } from "../kernel/index.ts";

export const shipmentStatuses = [
  "label_created",
  "shipped",
  "in_transit",
  "delivered",
  "failed",
  "returned",
] as const;
export type ShipmentStatus = (typeof shipmentStatuses)[number];

/** The statuses with which a shipment can be created. */
export const initialShipmentStatuses = [
  "label_created",
  "shipped",
  "in_transit",
  "delivered",
] as const satisfies readonly ShipmentStatus[];

/** The statuses that may follow each status. Steps may be skipped, never reversed. */
const transitions: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>> = {
  label_created: ["shipped", "in_transit", "delivered", "failed", "returned"],
  shipped: ["in_transit", "delivered", "failed", "returned"],
  in_transit: ["delivered", "failed", "returned"],
  delivered: ["returned"],
  failed: ["returned"],
  returned: [],
};

/** Units of an order line in a shipment. */
export type ShipmentItem = Readonly<{ orderLineId: string; quantity: number }>;

/** What a carrier knows a shipment by. */
export type Tracking = Readonly<{
  carrier: string | null;
  trackingNumber: string | null;
  /** An https address. */
  trackingUrl: string | null;
}>;

/** A parcel with units of an order. */
export type Shipment = Tracking &
  Readonly<{
    id: string;
    orderId: string;
    items: readonly ShipmentItem[];
    locationId: string;
    status: ShipmentStatus;
    /** Whether the business wants the customer to get a message. */
    notify: boolean;
    /** When its units left; null for one that has not left, also when it failed before. */
    shippedAt: number | null;
    deliveredAt: number | null;
    createdAt: number;
    updatedAt: number;
  }>;

/**
 * The shipment with another status; the same status changes nothing. The first status after the
 * label sets `shippedAt`, except `failed`.
 *
 * @throws Refusal INVALID_STATE for a step back.
 */
export function withShipmentStatus(
  shipment: Shipment,
  status: ShipmentStatus,
  at: number,
): Shipment {
  if (status === shipment.status) return shipment;
  if (!transitions[shipment.status].includes(status) || isVoided(shipment)) {
    throw ruleViolation(
      "INVALID_STATE",
      `A shipment that is ${shipment.status} cannot become ${status}.`,
      { status: shipment.status },
    );
  }
  const leaves = status !== "label_created" && status !== "failed";
  return {
    ...shipment,
    status,
    shippedAt: leaves ? (shipment.shippedAt ?? at) : shipment.shippedAt,
    deliveredAt: status === "delivered" ? at : shipment.deliveredAt,
    updatedAt: at,
  };
}

/** Whether its units have left. They have also left in one that failed or came back later. */
export const hasLeft = ({ shippedAt }: Pick<Shipment, "shippedAt">): boolean => shippedAt !== null;

/** Whether it failed before it left. Its units can be put into another shipment. */
export const isVoided = ({ status, shippedAt }: Pick<Shipment, "status" | "shippedAt">): boolean =>
  status === "failed" && shippedAt === null;

/** Whether its units are on their way or have arrived, and did not come back. */
export const isShippedAndNotReturned = ({ status }: Pick<Shipment, "status">): boolean =>
  status === "shipped" || status === "in_transit" || status === "delivered";

/** The units of each order line in these shipments. */
export function unitsByLine(shipments: readonly Shipment[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { orderLineId, quantity } of shipments.flatMap(({ items }) => items)) {
    units.set(orderLineId, (units.get(orderLineId) ?? 0) + quantity);
  }
  return units;
}

/** The shipment as it is in API responses and events. */
export const toShipmentPayload = (shipment: Shipment) => ({
  id: shipment.id,
  order_id: shipment.orderId,
  items: shipment.items.map(({ orderLineId, quantity }) => ({
    order_item_id: orderLineId,
    quantity,
  })),
  location_id: shipment.locationId,
  carrier: shipment.carrier,
  tracking_number: shipment.trackingNumber,
  tracking_url: shipment.trackingUrl,
  status: shipment.status,
  shipped_at: isoOrNull(shipment.shippedAt),
  delivered_at: isoOrNull(shipment.deliveredAt),
  created_at: iso(shipment.createdAt),
});
