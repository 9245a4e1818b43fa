import type { Refusal } from "../kernel/index.ts";

/**
 * The constraints to whose failure the code reacts. A UNIQUE or NOT NULL constraint is named
 * `table.column`; a CHECK constraint or trigger has its own name.
 */
export const constraintNames = [
  "attributes.key",
  "attributes.updated_at",
  "audit_entries.entity",
  "billing_plans.updated_at",
  "bookings.location_id",
  "business_domains.hostname",
  "businesses.slug",
  "categories.slug",
  "categories.sort_order",
  "categories.updated_at",
  "collections.slug",
  "collections.updated_at",
  "customer_group_members.customer_id",
  "customer_groups.updated_at",
  "customers.email",
  "customers.id",
  "customers.phone",
  "customers.updated_at",
  "deal_redemptions.amount_minor",
  "deal_redemptions.redeemed_at",
  "deals.code_key",
  "deals.updated_at",
  "deals_usage",
  "delivery_areas.country",
  "delivery_methods.updated_at",
  "delivery_methods.zone_id",
  "delivery_zones.updated_at",
  "fx_quotes_used_once",
  "idempotency_keys.created_at",
  "idempotency_keys.fingerprint",
  "link_orders.order_id",
  "order_history.version",
  "orders.bill_token_hash",
  "orders.cart_id",
  "orders.id",
  "orders.location_id",
  "orders.session_id",
  "orders.total_price_minor",
  "orders.updated_at",
  "passkeys.credential_id",
  "product_variants.product_id",
  "products.billing_plan_ids",
  "products.slug",
  "products.updated_at",
  "products_tax_class",
  "refunds_within_payment",
  "resources.updated_at",
  "shipment_items_within_order",
  "slot_claims.claimed_at",
  "slot_claims.participants",
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
  "tax_classes.updated_at",
  "tax_classes_in_use",
  "tax_rates.name_key",
  "tax_rates.updated_at",
  "tax_rates_per_place",
  "tax_rates_tax_class",
  "uploads_confirmed_once",
  "webhook_subscriptions.status",
] as const;
export type ConstraintName = (typeof constraintNames)[number];

/** The refusals to throw when one of these constraints fails a batch. */
export type ConstraintRefusals = Readonly<Partial<Record<ConstraintName, () => Refusal>>>;

const isKnown = (name: string): name is ConstraintName =>
  (constraintNames as readonly string[]).includes(name);

/**
 * The constraint that failed a statement. Null for another error, or for a constraint that
 * `constraintNames` does not list. Of a UNIQUE constraint's columns, `constraintNames` lists one.
 */
export function findFailedConstraint(error: unknown): ConstraintName | null {
  const [, names = ""] = failureIn(error) ?? [];
  return names.split(", ").find(isKnown) ?? null;
}

/** Whether any constraint failed a statement, also one that `constraintNames` does not list. */
export const isConstraintFailure = (error: unknown): boolean => failureIn(error) !== null;

const constraintFailed = /constraint failed(?:: ([\w., ]+))?/i;

/**
 * Searches the messages of the error and its causes. Drizzle's own message is skipped, because it
 * contains the parameters.
 */
function failureIn(error: unknown): RegExpExecArray | null {
  if (!(error instanceof Error)) return null;
  const isQueryText = error.message.startsWith("Failed query:");
  return (isQueryText ? null : constraintFailed.exec(error.message)) ?? failureIn(error.cause);
}
