import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, instant, minorUnits, oneOf } from "../../database/columns.ts";
import { type RefundStatus, refundStatuses } from "./refund.ts";

/**
 * Refunds. `claimed_minor` is the sum of this refund and all earlier ones, so that a CHECK keeps
 * concurrent refunds within the payment. A refund with a reference returns a duplicate charge in
 * full.
 */
export const refunds = sqliteTable(
  "refunds",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    paymentId: text("payment_id").notNull(),
    /**
     * The reference of the refunded duplicate charge; null for a refund of the payment's own
     * charge.
     */
    reference: text("reference"),
    amountMinor: minorUnits("amount_minor").notNull(),
    claimedMinor: minorUnits("claimed_minor").notNull(),
    paidMinor: minorUnits("paid_minor").notNull(),
    currency: text("currency").notNull(),
    status: text("status").$type<RefundStatus>().notNull(),
    reason: text("reason"),
    isRestocked: flag("is_restocked").notNull(),
    failureReason: text("failure_reason"),
    requestKey: text("request_key"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    settledAt: instant("settled_at"),
    /** When the refund job next calls the provider; null once the refund is final. */
    dueAt: instant("due_at"),
    /** How often the refund job has claimed the refund. */
    attempts: integer("attempts").notNull().default(0),
    /** The tax in the amount; null for refunds from before it was stored. */
    taxMinor: minorUnits("tax_minor"),
  },
  (t) => [
    index("refunds_by_order").on(t.orderId),
    uniqueIndex("refunds_request").on(t.orderId, t.requestKey).where(sql`request_key is not null`),
    index("refunds_by_payment").on(t.paymentId),
    uniqueIndex("refunds_of_reference").on(t.reference).where(sql`reference is not null`),
    index("refunds_settled").on(t.settledAt, t.id).where(sql`settled_at is not null`),
    index("refunds_due").on(t.dueAt).where(sql`due_at is not null`),
    check("refunds_status", oneOf(t.status, refundStatuses)),
    check("refunds_amount", sql`amount_minor > 0`),
    check("refunds_within_payment", sql`claimed_minor <= paid_minor`),
    check("refunds_due_while_pending", sql`(due_at is not null) = (status = 'pending')`),
  ],
);
