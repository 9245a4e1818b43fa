import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * Pieces of a product or variant at a location. What is reserved can never exceed what is there:
 * an order that would oversell breaks the constraint, and its whole batch with it.
 */
export const stockLevels = sqliteTable(
  "stock_levels",
  {
    businessId: text("business_id").notNull(),
    /** The product's id (tracked) or the variant's (variant_level). */
    itemId: text("item_id").notNull(),
    locationId: text("location_id").notNull(),
    productId: text("product_id").notNull(),
    quantityOnHand: integer("quantity_on_hand").notNull(),
    quantityReserved: integer("quantity_reserved").notNull().default(0),
    lowStockThreshold: integer("low_stock_threshold"),
    /** Set while available is below the threshold and that has been told. */
    isLow: integer("is_low", { mode: "boolean" }).notNull().default(false),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.itemId, t.locationId] }),
    index("stock_levels_by_product").on(t.businessId, t.productId, t.itemId, t.locationId),
    index("stock_levels_by_location").on(t.businessId, t.locationId, t.itemId),
    check("stock_on_hand_not_negative", sql`quantity_on_hand >= 0`),
    check("stock_not_oversold", sql`quantity_reserved between 0 and quantity_on_hand`),
  ],
);

/**
 * Pieces that an order holds; gone when it is fulfilled or cancelled. What it holds them of is there: the
 * trigger `stock_reservations_level` refuses others by that name (migration `stock_reservation_levels`).
 * A foreign key would ask for an index besides, which is a row more to write for each.
 */
export const stockReservations = sqliteTable(
  "stock_reservations",
  {
    orderId: text("order_id").notNull(),
    businessId: text("business_id").notNull(),
    itemId: text("item_id").notNull(),
    locationId: text("location_id").notNull(),
    quantity: integer("quantity").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.itemId, t.locationId] }),
    check("stock_reservations_quantity", sql`quantity > 0`),
  ],
);

/** The ledger: every change of a quantity, and why. */
export const stockMovements = sqliteTable(
  "stock_movements",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    itemId: text("item_id").notNull(),
    locationId: text("location_id").notNull(),
    onHandDelta: integer("on_hand_delta").notNull(),
    reservedDelta: integer("reserved_delta").notNull(),
    reason: text("reason").notNull(),
    orderId: text("order_id"),
    actor: text("actor").notNull(),
    at: instant("at").notNull(),
  },
  (t) => [index("stock_movements_by_order").on(t.orderId)],
);
