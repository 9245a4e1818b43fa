import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, instant, minorUnits, oneOf } from "../database/columns.ts";
import { type InvoiceStatus, invoiceStatuses } from "./invoice.ts";
import { type ChosenPayment, type Subscription, storedStatuses } from "./subscription.ts";

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    customerId: text("customer_id").notNull(),
    status: text("status").$type<Subscription["status"]>().notNull(),
    plan: document<Subscription["plan"]>("plan").notNull(),
    items: document<Subscription["items"]>("items").notNull(),
    currency: text("currency").notNull(),
    orderId: text("order_id").notNull(),
    orderLineId: text("order_line_id").notNull(),
    lastOrderId: text("last_order_id").notNull(),
    lastReference: text("last_reference").notNull(),
    timezone: text("timezone").notNull(),
    startedAt: instant("started_at").notNull(),
    anchorAt: instant("anchor_at").notNull(),
    cycle: integer("cycle").notNull(),
    nextCycle: integer("next_cycle").notNull(),
    endsAt: instant("ends_at"),
    attempts: integer("attempts").notNull(),
    failedAt: instant("failed_at"),
    failureReason: text("failure_reason"),
    unansweredSince: instant("asked_at"),
    cancelledAt: instant("cancelled_at"),
    cancellationReason: text("cancellation_reason"),
    skipKey: text("skip_key"),
    dueAt: instant("due_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    version: integer("version").notNull(),
    payment: document<ChosenPayment>("payment"),
    cancelledBy: text("cancelled_by").$type<Subscription["cancelledBy"]>(),
  },
  (t) => [
    // An order line starts only one subscription, even if its payment is recorded twice.
    uniqueIndex("subscriptions_by_line").on(t.orderLineId),
    index("subscriptions_newest").on(t.businessId, t.createdAt, t.id),
    index("subscriptions_by_customer").on(t.businessId, t.customerId, t.createdAt, t.id),
    index("subscriptions_due").on(t.dueAt).where(sql`due_at is not null`),
    index("subscriptions_failed").on(t.failedAt).where(sql`failed_at is not null`),
    index("subscriptions_ending")
      .on(t.endsAt)
      .where(sql`ends_at is not null and status <> 'cancelled'`),
    // Nothing sets "expired". The first release allowed it, and a table's check cannot be changed.
    check("subscriptions_status", oneOf(t.status, [...storedStatuses, "expired"])),
    check("subscriptions_cycles", sql`cycle >= 1 and next_cycle > cycle`),
  ],
);

/** The periods of subscriptions that are paid or still have to be paid. */
export const subscriptionInvoices = sqliteTable(
  "subscription_invoices",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => subscriptions.id),
    cycle: integer("cycle").notNull(),
    orderId: text("order_id").notNull(),
    status: text("status").$type<InvoiceStatus>().notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: text("currency").notNull(),
    periodStart: instant("period_start").notNull(),
    periodEnd: instant("period_end").notNull(),
    createdAt: instant("created_at").notNull(),
    paidAt: instant("paid_at"),
  },
  (t) => [
    // A period has only one order, so that the customer pays for the period once.
    uniqueIndex("subscription_invoices_one_per_cycle").on(t.subscriptionId, t.cycle),
    uniqueIndex("subscription_invoices_by_order").on(t.orderId, t.subscriptionId),
    index("subscription_invoices_open").on(t.subscriptionId).where(sql`status = 'open'`),
    check("subscription_invoices_status", oneOf(t.status, invoiceStatuses)),
    check("subscription_invoices_amount", sql`amount_minor >= 0`),
  ],
);
