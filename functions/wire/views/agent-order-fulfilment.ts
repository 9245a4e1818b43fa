import { type FreeAddress, iso } from "../../../shared/kernel/index.ts";
import type { Order, OrderLine } from "../../../shared/orders/index.ts";
import type { Shipment } from "../../../shared/shipments/index.ts";

/** The quantities of a line: as ordered, what is still sold, and what has been handed over. */
export type LineUnits = Readonly<{ original: number; total: number; fulfilled: number }>;

/** What the buyer can expect: everything comes in one way, because an order has one delivery. */
export function viewExpectations(order: Order, units: ReadonlyMap<string, LineUnits>) {
  const isShipped = order.orderType === "delivery";
  const lines = order.lines.filter((line) => !isShipped || line.requiresShipping);
  const expected = lines.flatMap((line) => viewUnits(line, units));
  if (expected.length === 0) return [];
  const arrival = arrivalOf(order);
  return [
    {
      id: `${order.id}-expectation`,
      line_items: expected,
      method_type: isShipped ? "shipping" : "pickup",
      destination: viewDestination(order.addressInfo ?? {}),
      ...(arrival !== null && { description: arrival }),
    },
  ];
}

function viewUnits({ id }: OrderLine, units: ReadonlyMap<string, LineUnits>) {
  const { total = 0 } = units.get(id) ?? {};
  return total > 0 ? [{ id, quantity: total }] : [];
}

function arrivalOf({ delivery }: Order): string | null {
  if (delivery === null) return null;
  const { name, minDays, maxDays } = delivery;
  if (minDays === null && maxDays === null) return name;
  if (maxDays === null) return `${name}, from ${minDays} days`;
  return `${name}, ${minDays === maxDays ? maxDays : `${minDays ?? 0}–${maxDays}`} days`;
}

/** The parts that an address may have, under the names of the protocol and of the storefront. */
const addressParts = {
  first_name: ["first_name"],
  last_name: ["last_name"],
  phone_number: ["phone_number", "phone"],
  street_address: ["street_address", "address_line1", "street", "address"],
  extended_address: ["extended_address", "address_line2"],
  address_locality: ["address_locality", "city"],
  address_region: ["address_region", "region", "state"],
  postal_code: ["postal_code", "zip"],
  address_country: ["address_country", "country_code", "country"],
} as const;

function viewDestination(address: FreeAddress): Record<string, string> {
  const parts = Object.entries(addressParts).flatMap(([name, keys]) => {
    const value = keys.map((key) => address[key]).find((part) => typeof part === "string");
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(parts);
}

/**
 * What happened to the order's parcels, oldest first. A parcel's status is the type of its last
 * event. That it left and arrived stays in the log when its status goes further.
 */
export const viewFulfilmentEvents = (shipments: readonly Shipment[]) =>
  shipments
    .flatMap((shipment) => eventsOf(shipment).map((event) => ({ ...event, shipment })))
    .toSorted((first, second) => first.at - second.at)
    .map(({ type, at, shipment }) => ({
      id: `${shipment.id}-${type}`,
      occurred_at: iso(at),
      type,
      line_items: shipment.items.map(({ orderLineId, quantity }) => ({
        id: orderLineId,
        quantity,
      })),
      ...(shipment.carrier !== null && { carrier: shipment.carrier }),
      ...(shipment.trackingNumber !== null && { tracking_number: shipment.trackingNumber }),
      ...(shipment.trackingUrl !== null && { tracking_url: shipment.trackingUrl }),
    }));

type ShipmentEvent = Readonly<{ type: Shipment["status"]; at: number }>;

function eventsOf(shipment: Shipment): ShipmentEvent[] {
  const { status, shippedAt, deliveredAt, createdAt, updatedAt } = shipment;
  const logged: ShipmentEvent[] = [
    ...(shippedAt === null ? [] : [{ type: "shipped" as const, at: shippedAt }]),
    ...(deliveredAt === null ? [] : [{ type: "delivered" as const, at: deliveredAt }]),
  ];
  if (logged.some(({ type }) => type === status)) return logged;
  return [...logged, { type: status, at: status === "label_created" ? createdAt : updatedAt }];
}
