import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, instant, minorUnits, oneOf } from "../database/columns.ts";
import {
  type Dispute,
  type Mismatch,
  type NextAction,
  type PaymentStatus,
  paymentStatuses,
  type Receipt,
} from "./payment.ts";
import type { AttemptFx } from "./payment-attempt.ts";

export const payments = sqliteTable(
  "payments",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    /**
     * The session that checked out. Other sessions may not authorize the payment, except those of a
     * customer who renews a subscription.
     */
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
    /** When a run of the reconciliation found its charge in the provider's list. */
    listedAt: instant("listed_at"),
    /** How the merchant received a payment without a provider, for example in cash. */
    receipt: document<Receipt>("receipt"),
    /** An amount or currency that a provider captured although another one was requested. */
    mismatch: document<Mismatch>("mismatch"),
    /** The newest dispute about a charge of the payment. */
    dispute: document<Dispute>("dispute"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    version: integer("version").notNull(),
  },
  (t) => [
    uniqueIndex("payments_reference").on(t.reference),
    uniqueIndex("payments_one_per_order").on(t.orderId),
    // A row leaves it within a day, when the reconciliation finds the charge at its provider.
    index("payments_unlisted")
      .on(t.provider, t.settledAt)
      .where(sql`settled_at is not null and listed_at is null and receipt is null`),
    check("payments_status", oneOf(t.status, paymentStatuses)),
    check("payments_amount", sql`amount_minor >= 0`),
  ],
);

/**
 * The attempts of a payment, by reference. Money may still arrive for a replaced one. The first
 * attempt stores its terms only when another one replaces it; until then they are the payment's.
 */
export const paymentReferences = sqliteTable(
  "payment_references",
  {
    reference: text("reference").primaryKey(),
    paymentId: text("payment_id").notNull(),
    businessId: text("business_id").notNull(),
    method: text("method"),
    provider: text("provider"),
    amountMinor: minorUnits("amount_minor"),
    currency: text("currency"),
    fx: document<AttemptFx>("fx"),
    createdAt: instant("created_at"),
    declinedAt: instant("declined_at"),
    leaseUntil: instant("lease_until"),
    requestKey: text("request_key"),
    /** The provider's own id of the charge. */
    providerReference: text("provider_reference"),
  },
  (t) => [
    // A payment's only attempt is found by its reference.
    index("payment_references_by_payment").on(t.paymentId).where(sql`method is not null`),
  ],
);

const sandboxStatuses = [
  "requires_otp",
  "on_phone",
  "redirected",
  "declined",
  "captured",
  "no_answer",
  "refunded",
] as const;

/** The charges of the test-mode provider. A real provider stores its own. */
export const sandboxCharges = sqliteTable(
  "sandbox_charges",
  {
    reference: text("reference").primaryKey(),
    orderId: text("order_id").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: text("currency").notNull(),
    /** The charged phone number; null for a card. */
    phoneNumber: text("phone_number"),
    /**
     * The page of a card charge and the addresses to which it redirects. Null where the shop gave
     * none.
     */
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

/** The refunds of the test-mode provider. The primary key makes a repeated refund fail. */
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
