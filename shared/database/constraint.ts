import type { Refusal } from "../kernel/index.ts";

/**
 * The constraints whose failure the code acts on: `table.column` of a UNIQUE or NOT NULL constraint,
 * or the name of a CHECK constraint or trigger.
 */
export const constraintNames = [
  "attributes.key",
  "attributes.updated_at",
  "audit_entries.entity",
  "billing_plans.updated_at",
  "bookings.location_id",
  "categories.slug",
  "categories.sort_order",
  "categories.updated_at",
  "collections.slug",
  "collections.updated_at",
  "customers.email",
  "customers.id",
  "customers.phone",
  "customers.updated_at",
  "deal_redemptions.amount_minor",
  "deal_redemptions.redeemed_at",
  "deals.code_key",
  "deals.updated_at",
  "deals_usage",
  "fx_quotes_used_once",
  "idempotency_keys.created_at",
  "idempotency_keys.fingerprint",
  "link_orders.order_id",
  "order_history.version",
  "orders.cart_id",
  "orders.id",
  "orders.updated_at",
  "product_variants.product_id",
  "products.billing_plan_ids",
  "products.slug",
  "products.updated_at",
  "refunds_within_payment",
  "resources.updated_at",
  "slot_over_capacity",
  "slot_resource_taken",
  "slot_staff_taken",
  "staff.updated_at",
  "stock_not_oversold",
  "stock_on_hand_not_negative",
  "stock_reservations.location_id",
  "stock_reservations.quantity",
  "stock_reservations_level",
  "subscription_invoices.cycle",
  "subscription_invoices.id",
  "subscription_invoices.order_id",
  "subscriptions.version",
  "uploads_confirmed_once",
  "webhook_subscriptions.status",
] as const;
export type ConstraintName = (typeof constraintNames)[number];

/** What the caller reads when a constraint fails a batch. */
export type ConstraintRefusals = Readonly<Partial<Record<ConstraintName, () => Refusal>>>;

const isKnown = (name: string): name is ConstraintName =>
  (constraintNames as readonly string[]).includes(name);

/**
 * The constraint that failed a statement; null for another error, or for a constraint that no code
 * acts on. A UNIQUE constraint over several columns is named by the one in `constraintNames`.
 */
export function findFailedConstraint(error: unknown): ConstraintName | null {
  const [, names = ""] = failureIn(error) ?? [];
  return names.split(", ").find(isKnown) ?? null;
}

/** Whether a constraint failed a statement, a known one or another. */
export const isConstraintFailure = (error: unknown): boolean => failureIn(error) !== null;

const constraintFailed = /constraint failed(?:: ([\w., ]+))?/i;

/** Searches the error and its causes, except for drizzle's text: that quotes the parameters. */
function failureIn(error: unknown): RegExpExecArray | null {
  if (!(error instanceof Error)) return null;
  const isQueryText = error.message.startsWith("Failed query:");
  return (isQueryText ? null : constraintFailed.exec(error.message)) ?? failureIn(error.cause);
}
