import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, instant, oneOf } from "../database/columns.ts";
import { type ShipmentStatus, shipmentStatuses } from "./shipment.ts";

/** The parcels of orders. `shipped_at` is set once units have left, and never cleared. */
export const shipments = sqliteTable(
  "shipments",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    locationId: text("location_id").notNull(),
    carrier: text("carrier"),
    trackingNumber: text("tracking_number"),
    trackingUrl: text("tracking_url"),
    status: text("status").$type<ShipmentStatus>().notNull(),
    /** Whether the business wants the customer to get a message. */
    notify: flag("notify").notNull(),
    shippedAt: instant("shipped_at"),
    deliveredAt: instant("delivered_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("shipments_by_order").on(t.orderId, t.id),
    check("shipments_status", oneOf(t.status, shipmentStatuses)),
    check(
      "shipments_shipped_at",
      sql`case status when 'label_created' then shipped_at is null when 'failed' then true else shipped_at is not null end`,
    ),
    check("shipments_delivered_at", sql`status <> 'delivered' or delivered_at is not null`),
  ],
);

/**
 * The units in a shipment. The trigger `shipment_items_within_order` (migrations/shop) fails a
 * batch that would allocate more units of an order line than were ordered. A shipment that failed
 * before it left allocates none, and the trigger `shipments_voided` keeps it so.
 */
export const shipmentItems = sqliteTable(
  "shipment_items",
  {
    shipmentId: text("shipment_id")
      .notNull()
      .references(() => shipments.id),
    orderLineId: text("order_line_id").notNull(),
    businessId: text("business_id").notNull(),
    quantity: integer("quantity").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.orderLineId] }),
    index("shipment_items_by_line").on(t.orderLineId),
    check("shipment_items_quantity", sql`quantity > 0`),
  ],
);
