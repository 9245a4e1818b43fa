import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, instant, minorUnits, oneOf } from "../database/columns.ts";
import { type NextAction, type PaymentStatus, paymentStatuses } from "./payment.ts";

export const payments = sqliteTable(
  "payments",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    /** The session that checked out: nobody else may authorize. */
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

/** What the sandbox provider remembers of its charges, as a real provider would on its side. */
export const sandboxCharges = sqliteTable(
  "sandbox_charges",
  {
    reference: text("reference").primaryKey(),
    orderId: text("order_id").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: text("currency").notNull(),
    phoneNumber: text("phone_number"),
    status: text("status")
      .$type<"requires_otp" | "on_phone" | "declined" | "captured" | "no_answer" | "refunded">()
      .notNull(),
    refundedMinor: minorUnits("refunded_minor").notNull().default(0),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("sandbox_charges_by_order").on(t.orderId)],
);
