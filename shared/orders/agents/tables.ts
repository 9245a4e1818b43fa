import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../database/columns.ts";
import { orders } from "../tables.ts";

/** The orders that agents placed, and their platforms. Written with the order and never changed. */
export const agentOrders = sqliteTable("agent_orders", {
  orderId: text("order_id")
    .primaryKey()
    .references(() => orders.id),
  businessId: text("business_id").notNull(),
  checkoutId: text("checkout_id").notNull(),
  profileUrl: text("profile_url").notNull(),
  release: text("release").notNull(),
  businessAddress: text("business_address").notNull(),
  webhookUrl: text("webhook_url"),
  createdAt: instant("created_at").notNull(),
});
