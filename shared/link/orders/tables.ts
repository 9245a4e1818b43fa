import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../database/columns.ts";
import { orders } from "../../orders/tables.ts";

/** Links of a business's orders to Link accounts. An order has at most one link. */
export const linkOrders = sqliteTable("link_orders", {
  orderId: text("order_id")
    .primaryKey()
    .references(() => orders.id),
  businessId: text("business_id").notNull(),
  accountId: text("account_id").notNull(),
  /** The intent that linked the order. It tells a repeat of the intent from a second request. */
  intentId: text("intent_id").notNull(),
  linkedAt: instant("linked_at").notNull(),
});
