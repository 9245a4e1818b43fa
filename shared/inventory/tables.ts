import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * Quantities of a product or variant at a location. A constraint limits reservations to the
 * quantity on hand, so a batch that would oversell fails.
 */
export const stockLevels = sqliteTable(
  "stock_levels",
  {
    businessId: text("business_id").notNull(),
    /** Id of the product (tracked) or of the variant (variant_level). */
    itemId: text("item_id").notNull(),
    locationId: text("location_id").notNull(),
    productId: text("product_id").notNull(),
    quantityOnHand: integer("quantity_on_hand").notNull(),
    quantityReserved: integer("quantity_reserved").notNull().default(0),
    lowStockThreshold: integer("low_stock_threshold"),
    /** True from the low-stock event until the available quantity rises above the threshold. */
    isLow: integer("is_low", { mode: "boolean" }).notNull().default(false),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.itemId, t.locationId] }),
    index("stock_levels_by_product").on(t.businessId, t.productId, t.itemId, t.locationId),
    index("stock_levels_by_location").on(t.businessId, t.locationId, t.itemId),
    index("stock_levels_low").on(t.businessId, t.itemId, t.locationId).where(sql`is_low = 1`),
    check("stock_on_hand_not_negative", sql`quantity_on_hand >= 0`),
    check("stock_not_oversold", sql`quantity_reserved between 0 and quantity_on_hand`),
  ],
);

/**
 * Quantities that an order reserves, until it is fulfilled or cancelled. The trigger
 * `stock_reservations_level` (migrations/shop/0008_stock_reservation_levels.sql) requires the level
 * to exist. A foreign key would need an index, which costs one more row per write.
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

/** The ledger of all quantity changes with their reasons. */
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
  (t) => [
    index("stock_movements_by_order").on(t.orderId),
    index("stock_movements_of_level").on(t.businessId, t.itemId, t.locationId, t.at, t.id),
  ],
);
