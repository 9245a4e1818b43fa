import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  events,
  isRowOfBusiness,
  type RecordReader,
  type Write,
} from "../database/index.ts";
import type { Shipment, ShipmentItem } from "./shipment.ts";
import { shipmentItems, shipments } from "./tables.ts";

type ShipmentDatabase = Pick<Context, "db" | "business">;

/**
 * Shipments of one business. Add these writes to the batch that changes the order, because only the
 * order's version detects concurrent changes.
 */
export function shipmentRepo({ db, business }: ShipmentDatabase) {
  return {
    /**
     * Inserts a shipment with its items. The batch fails on `shipment_items_within_order` when it
     * has more units of a line than are left.
     */
    insert({ items, ...shipment }: Shipment): Write[] {
      return [
        db.insert(shipments).values({ ...shipment, businessId: business.id }),
        db.insert(shipmentItems).select(
          sql`select ${shipment.id}, value ->> 'orderLineId', ${business.id}, value ->> 'quantity'
            from json_each(${JSON.stringify(items)})`,
        ),
      ];
    },

    update({ id, items: _, orderId: __, ...changes }: Shipment): Write {
      return db
        .update(shipments)
        .set(changes)
        .where(and(eq(shipments.id, id), eq(shipments.businessId, business.id)));
    },
  };
}

const itemsOfShipment = sql<string>`(select json_group_array(json_object(
    'orderLineId', item.order_line_id, 'quantity', item.quantity))
  from ${shipmentItems} as item where item.shipment_id = ${shipments.id})`;

/**
 * A query for the shipments of orders, for the batch that loads the orders.
 *
 * @param orderIds a subquery for order ids, or a list of ids, in parentheses.
 */
export const shipmentsOfOrdersQuery = ({ db, business }: RecordReader, orderIds: SQL) =>
  db
    .select({ ...getTableColumns(shipments), items: itemsOfShipment })
    .from(shipments)
    .where(
      and(
        sql`${shipments.orderId} in ${orderIds}`,
        isRowOfBusiness(shipments.businessId, business),
      ),
    )
    .orderBy(asc(shipments.orderId), asc(shipments.id));

export type ShipmentRow = typeof shipments.$inferSelect & Readonly<{ items: string }>;

export const toShipment = ({ businessId: _, items, ...shipment }: ShipmentRow): Shipment => ({
  ...shipment,
  items: JSON.parse(items) as ShipmentItem[], // safe: `itemsOfShipment` builds it
});

/**
 * Writes that clear tracking numbers and addresses of shipments, also in stored events.
 *
 * @param orderIds a query of ids, in parentheses.
 */
export const eraseTracking = ({ db, business }: ShipmentDatabase, orderIds: SQL): Write[] => [
  db
    .update(events)
    .set({
      data: sql`json_set(${events.data}, '$.tracking_number', null, '$.tracking_url', null)`,
    })
    .where(
      and(
        eq(events.businessId, business.id),
        sql`${events.subjectId} in (select sent.id from ${shipments} as sent where sent.order_id in ${orderIds})`,
      ),
    ),
  db
    .update(shipments)
    .set({ trackingNumber: null, trackingUrl: null })
    .where(
      and(
        sql`${shipments.orderId} in ${orderIds}`,
        isRowOfBusiness(shipments.businessId, business),
      ),
    ),
];
