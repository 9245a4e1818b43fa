/** A table whose rows move with their business. */
export type MovedTable = Readonly<{
  name: string;
  /** SQL for the business id of a row, given the row's alias. */
  businessIdOf: (row: string) => string;
  /** The columns that identify a row in every shard, when the primary key does not. */
  key?: readonly string[];
  /** Columns that each shard generates. */
  generatedColumns?: readonly string[];
}>;

const businessTable = (name: string): MovedTable => ({
  name,
  businessIdOf: (row) => `${row}.business_id`,
});

/** A table without a business_id; its column refers to a parent row that has one. */
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
 * Every table of a business, parents before the tables whose foreign keys or triggers refer to
 * them. Rows are copied in this order and deleted in reverse.
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
    ],
    ...["products", "product_variants", "bundles", "composites", "bought_together"],
  ].map(businessTable),
  childTable("collection_products", "collection_id", { name: "collections", key: "id" }),
  ...[
    ...["stock_levels", "stock_movements", "stock_reservations", "staff", "resources", "services"],
    ...["slot_claims", "bookings", "customers", "deals", "price_quotes", "fx_quotes"],
    ...["order_sequences", "orders", "order_lines", "order_terms", "link_orders"],
  ].map(businessTable),
  childTable("order_history", "order_id", { name: "orders", key: "id" }),
  ...["deal_redemptions", "payments", "payment_references", "refunds"].map(businessTable),
  childTable("sandbox_charges", "order_id", { name: "orders", key: "id" }),
  {
    // Reads sandbox_charges of payments and orders of orders.
    name: "sandbox_refunds",
    businessIdOf: (row) => `(select parent.business_id from sandbox_charges as charge
      join orders as parent on parent.id = charge.order_id where charge.reference = ${row}.reference)`,
  },
  ...[
    ...["subscriptions", "subscription_invoices", "support_conversations", "uploads"],
    ...["events", "webhook_subscriptions", "webhook_deliveries", "audit_entries"],
    ...["idempotency_keys"],
  ].map(businessTable),
  {
    // Each shard numbers its rows itself.
    name: "one_time_codes",
    businessIdOf: (row) => `${row}.audience`,
    key: ["audience", "contact_digest", "address_digest", "code_digest", "issued_at"],
    generatedColumns: ["id"],
  },
];

/** Tables that triggers fill from the tables above. */
export const derivedTables: readonly string[] = [
  "asset_counts",
  "bundle_parts",
  "deal_targets",
  "product_facets",
  "product_facet_counts",
  "slot_claim_resources",
];

/** Tables of the shard itself. */
export const shardTables: readonly string[] = ["business_fences"];
