import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../database/columns.ts";
import { orders } from "../../orders/tables.ts";

/** The orders of a business that belong to Link accounts; each belongs to one. */
export const linkOrders = sqliteTable("link_orders", {
  orderId: text("order_id")
    .primaryKey()
    .references(() => orders.id),
  businessId: text("business_id").notNull(),
  accountId: text("account_id").notNull(),
  /** The intent that linked the order, so that its repetition is recognized. */
  intentId: text("intent_id").notNull(),
  linkedAt: instant("linked_at").notNull(),
});
