/**
 * The shop's tables in the order of a file: a table comes after those that its rows refer to. What
 * CORE stores, the locations and the members, is before them.
 */
export const exportedTables: readonly string[] = [
  ...["categories", "collections", "attributes", "billing_plans", "tax_classes", "tax_rates"],
  ...["products", "product_variants", "bundles", "composites", "bought_together"],
  ...["collection_products", "stock_levels", "stock_movements"],
  ...["staff", "resources", "services", "slot_claims", "bookings"],
  ...["customers", "customer_groups", "customer_group_members", "notes", "deals"],
  ...["order_sequences", "orders", "order_lines", "order_terms", "order_history"],
  ...["stock_reservations", "delivery_zones", "delivery_areas", "delivery_methods"],
  ...["deal_redemptions", "payments", "payment_references", "refunds"],
  ...["shipments", "shipment_items", "subscriptions", "subscription_invoices"],
  ...[
    "message_templates",
    "message_settings",
    "suppressed_recipients",
    "message_opt_outs",
    "uploads",
  ],
  ...["audit_entries", "support_conversations"],
];

/** What follows the shop's tables: the messages, which the conversations' objects store. */
export const messagesTable = "support_messages";

/** The tables of a file in their order. */
export const fileTables: readonly string[] = [
  ...["locations", "members"],
  ...exportedTables,
  messagesTable,
];

/**
 * Tables that a file lists and an import passes over: they would give somebody access, change what
 * was recorded of the business, or need objects and bytes of the deployment that wrote the file.
 */
export const listedTables: readonly string[] = [
  ...["members", "uploads", "audit_entries", "support_conversations", messagesTable],
];

/** Why no file contains a table's rows. Every table of a shop is here or in `exportedTables`. */
export const tablesNotExported: Readonly<Record<string, string>> = {
  catalogue_versions: "counts the changes that caches of this deployment have to notice",
  imports: "the log of product imports",
  price_quotes: "expires after 15 minutes",
  fx_quotes: "expires after 5 minutes; the rate of a payment is in its attempt",
  agent_orders: "names the addresses of this deployment; platforms verify with its keys",
  link_orders: "names Link accounts, which belong to their owners and to this deployment",
  sandbox_charges: "the books of the test provider of this deployment",
  sandbox_refunds: "the books of the test provider of this deployment",
  messages: "the log of what was sent",
  events: "the outbox",
  event_sequences: "numbers the events of this deployment",
  webhook_subscriptions: "receivers verify signatures with a secret of this deployment",
  webhook_deliveries: "the log of what was sent",
  idempotency_keys: "the responses of the last 24 hours, encrypted with the caller's key",
  one_time_codes: "codes of logins under way",
};

/**
 * Columns that no file contains: digests of tokens and networks, sessions and carts, the keys of
 * requests, and addresses at which a payment is authorized.
 */
export const omittedColumns: Readonly<Record<string, readonly string[]>> = {
  slot_claims: ["session_id", "address_digest", "expires_at"],
  orders: [
    ...["bill_token_hash", "session_id", "address_digest", "cart_id", "cart_turn"],
    "missing_provider",
  ],
  order_history: ["request_key"],
  payments: ["session_id", "next_action"],
  payment_references: ["request_key", "lease_until"],
  refunds: ["request_key"],
  subscriptions: ["skip_key", "payment"],
  support_conversations: ["active_at", "revision", "erase_due_at"],
  uploads: [
    ...["session_id", "caller", "idempotency_key", "attempts", "received_attempt", "etag"],
    ...["deleted_at", "expires_at", "purge_at"],
  ],
};

type StoredRow = Readonly<Record<string, unknown>>;

/** Which rows of a table a file contains; all when the table is not named. */
export const exportedRows: Readonly<Record<string, (row: StoredRow) => boolean>> = {
  // The holds of carts expire after ten minutes.
  slot_claims: (row) => row.kind === "booking",
  uploads: (row) => row.confirmed_at !== null && row.deleted_at === null,
  // Its customer was erased, and its messages will be.
  support_conversations: (row) => row.erase_due_at === null,
};
