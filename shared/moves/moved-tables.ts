/** A table of the shop databases whose rows go along with their business. */
export type MovedTable = Readonly<{
  name: string;
  /** SQL for the business of a row, by the row's alias. */
  owner: (row: string) => string;
  /** What names a row in every shard, where its primary key does not. */
  key?: readonly string[];
  /** Columns that each shard fills by itself. */
  own?: readonly string[];
}>;

const ofBusiness = (name: string): MovedTable => ({ name, owner: (row) => `${row}.business_id` });

/** A row of a table without a business, whose column holds the other's key. */
const ofParent = (
  name: string,
  column: string,
  parent: Readonly<{ name: string; key: string }>,
): MovedTable => ({
  name,
  owner: (row) =>
    `(select parent.business_id from ${parent.name} as parent where parent.${parent.key} = ${row}.${column})`,
});

/**
 * Every table of a business, those first that others' foreign keys name (also the keys of what
 * triggers write). They are copied in this order and deleted in the opposite one.
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
  ].map(ofBusiness),
  ofParent("collection_products", "collection_id", { name: "collections", key: "id" }),
  ...[
    ...["stock_levels", "stock_movements", "stock_reservations", "staff", "resources", "services"],
    ...["slot_claims", "bookings", "customers", "deals", "price_quotes", "fx_quotes"],
    ...["order_sequences", "orders", "order_lines", "order_terms", "link_orders"],
  ].map(ofBusiness),
  ofParent("order_history", "order_id", { name: "orders", key: "id" }),
  ...["deal_redemptions", "payments", "payment_references", "refunds"].map(ofBusiness),
  ofParent("sandbox_charges", "order_id", { name: "orders", key: "id" }),
  {
    name: "sandbox_refunds",
    owner: (row) => `(select parent.business_id from sandbox_charges as charge
      join orders as parent on parent.id = charge.order_id where charge.reference = ${row}.reference)`,
  },
  ...[
    ...["subscriptions", "subscription_invoices", "support_conversations", "uploads"],
    ...["events", "webhook_subscriptions", "webhook_deliveries", "audit_entries"],
    ...["idempotency_keys"],
  ].map(ofBusiness),
  {
    // Its ids are counted in each shard alone.
    name: "one_time_codes",
    owner: (row) => `${row}.audience`,
    key: ["audience", "contact_digest", "address_digest", "code_digest", "issued_at"],
    own: ["id"],
  },
];

/** What triggers keep in step with the tables above, in the shard where those are written. */
export const derivedTables: readonly string[] = [
  "asset_counts",
  "bundle_parts",
  "deal_targets",
  "product_facets",
  "product_facet_counts",
  "slot_claim_resources",
];

/** Of the shard itself: nobody's rows. */
export const shardTables: readonly string[] = ["business_fences"];
