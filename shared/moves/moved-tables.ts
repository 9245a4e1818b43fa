/** A table with rows of businesses, which a move copies to the new shard. */
export type MovedTable = Readonly<{
  name: string;
  /** Returns SQL for the business id of a row. `row` is the alias of the row in the statement. */
  businessIdOf: (row: string) => string;
  /** The columns that identify a row in every shard. Undefined for the primary key. */
  key?: readonly string[];
  /** Columns whose values are not copied, because each shard generates its own. */
  generatedColumns?: readonly string[];
}>;

const businessTable = (name: string): MovedTable => ({
  name,
  businessIdOf: (row) => `${row}.business_id`,
});

/** A table without a business_id. `column` refers to a row of the parent table, which has one. */
const childTable = (
  name: string,
  column: string,
  parent: Readonly<{ name: string; key: string }>,
): MovedTable => ({
  name,
  businessIdOf: (row) =>
    `(select parent.business_id from ${parent.name} as parent where parent.${parent.key} = ${row}.${column})`,
});

/**
 * Every table with rows of businesses. A parent table comes before the tables whose foreign keys or
 * triggers refer to it, because rows are copied in this order and deleted in reverse.
 */
export const movedTables: readonly MovedTable[] = [
  ...[
    ...[
      "catalogue_versions",
      "categories",
      "collections",
      "attributes",
      "billing_plans",
      "imports",
      "tax_classes",
      "tax_rates",
    ],
    ...["products", "product_variants", "bundles", "composites", "bought_together"],
  ].map(businessTable),
  childTable("collection_products", "collection_id", { name: "collections", key: "id" }),
  ...[
    ...["stock_levels", "stock_movements", "stock_reservations", "staff", "resources", "services"],
    ...["slot_claims", "bookings", "customers", "customer_groups", "customer_group_members"],
    ...["notes", "deals", "price_quotes", "fx_quotes"],
    ...["order_sequences", "orders", "order_lines", "order_terms", "link_orders"],
    "agent_orders",
    ...["delivery_zones", "delivery_areas", "delivery_methods"],
  ].map(businessTable),
  childTable("order_history", "order_id", { name: "orders", key: "id" }),
  ...["deal_redemptions", "payments", "payment_references", "refunds", "shipments"].map(
    businessTable,
  ),
  businessTable("shipment_items"),
  childTable("sandbox_charges", "order_id", { name: "orders", key: "id" }),
  {
    // Reads the tables sandbox_charges of shared/payments and orders of shared/orders.
    name: "sandbox_refunds",
    businessIdOf: (row) => `(select parent.business_id from sandbox_charges as charge
      join orders as parent on parent.id = charge.order_id where charge.reference = ${row}.reference)`,
  },
  ...[
    ...["subscriptions", "subscription_invoices", "support_conversations", "uploads"],
    ...["messages", "message_templates", "message_settings", "suppressed_recipients"],
    ...["message_opt_outs"],
    ...[
      "events",
      "event_sequences",
      "webhook_subscriptions",
      "webhook_deliveries",
      "audit_entries",
    ],
    ...["idempotency_keys"],
  ].map(businessTable),
  {
    // The id is not copied, because each shard assigns its own ids.
    name: "one_time_codes",
    businessIdOf: (row) => `${row}.audience`,
    key: ["audience", "contact_digest", "address_digest", "code_digest", "issued_at"],
    generatedColumns: ["id"],
  },
];

/** Tables that are not copied, because triggers fill them when the tables above are copied. */
export const derivedTables: readonly string[] = [
  "asset_counts",
  "bundle_parts",
  "deal_targets",
  "occupied_ranges",
  "product_facets",
  "product_facet_counts",
  "slot_claim_resources",
];

/** Tables that belong to the shard and do not move with a business. */
export const shardTables: readonly string[] = ["business_fences", "job_leases"];
