import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../database/columns.ts";
import { orders } from "../../orders/tables.ts";

/** A shop's orders that belong to Link accounts; an order belongs to one. */
export const linkOrders = sqliteTable("link_orders", {
  orderId: text("order_id")
    .primaryKey()
    .references(() => orders.id),
  businessId: text("business_id").notNull(),
  accountId: text("account_id").notNull(),
  /** Which enrolment did it: its own repeat is known by it. */
  intentId: text("intent_id").notNull(),
  linkedAt: instant("linked_at").notNull(),
});
