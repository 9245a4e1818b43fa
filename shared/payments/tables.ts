import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, instant, minorUnits, oneOf } from "../database/columns.ts";
import {
  type Mismatch,
  type NextAction,
  type PaymentStatus,
  paymentStatuses,
  type Receipt,
} from "./payment.ts";

export const payments = sqliteTable(
  "payments",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    /** The session that checked out; only it may authorize. */
    sessionId: text("session_id").notNull(),
    reference: text("reference").notNull(),
    provider: text("provider").notNull(),
    method: text("method").notNull(),
    status: text("status").$type<PaymentStatus>().notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: text("currency").notNull(),
    nextAction: document<NextAction>("next_action").notNull(),
    failedAttempts: integer("failed_attempts").notNull().default(0),
    settledAt: instant("settled_at"),
    /** How the merchant received a payment that no provider took. */
    receipt: document<Receipt>("receipt"),
    /** What a provider captured instead of the requested amount. */
    mismatch: document<Mismatch>("mismatch"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    version: integer("version").notNull(),
  },
  (t) => [
    uniqueIndex("payments_reference").on(t.reference),
    uniqueIndex("payments_one_per_order").on(t.orderId),
    check("payments_status", oneOf(t.status, paymentStatuses)),
    check("payments_amount", sql`amount_minor >= 0`),
  ],
);

/** Every reference of a payment: money may still arrive for a replaced one. */
export const paymentReferences = sqliteTable("payment_references", {
  reference: text("reference").primaryKey(),
  paymentId: text("payment_id").notNull(),
  businessId: text("business_id").notNull(),
});

const sandboxStatuses = [
  "requires_otp",
  "on_phone",
  "redirected",
  "declined",
  "captured",
  "no_answer",
  "refunded",
] as const;

/** The sandbox provider's charges, which a real provider would keep on its side. */
export const sandboxCharges = sqliteTable(
  "sandbox_charges",
  {
    reference: text("reference").primaryKey(),
    orderId: text("order_id").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: text("currency").notNull(),
    /** Null for a card. */
    phoneNumber: text("phone_number"),
    /** A card's page, and where it redirects; null where the shop gave no address. */
    pageUrl: text("page_url"),
    successUrl: text("success_url"),
    cancelUrl: text("cancel_url"),
    status: text("status").$type<(typeof sandboxStatuses)[number]>().notNull(),
    refundedMinor: minorUnits("refunded_minor").notNull().default(0),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("sandbox_charges_by_order").on(t.orderId),
    check("sandbox_charges_status", oneOf(t.status, sandboxStatuses)),
    check("sandbox_charges_refunded", sql`refunded_minor between 0 and amount_minor`),
  ],
);

/** The refunds of those charges; the primary key makes a repeat recognisable. */
export const sandboxRefunds = sqliteTable(
  "sandbox_refunds",
  {
    refundId: text("refund_id").primaryKey(),
    reference: text("reference").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  () => [check("sandbox_refunds_amount", sql`amount_minor > 0`)],
);
