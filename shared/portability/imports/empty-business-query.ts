import type { Db } from "../../database/index.ts";

/**
 * Rows that no empty business has. Each condition is that of an index by business; the other tables
 * have rows only beside these. Reads tables of catalogue, customers, orders, inventory, scheduling,
 * deals, tax, delivery and messages.
 */
const contents = [
  "products where business_id = ?1",
  "categories where business_id = ?1",
  "collections where business_id = ?1",
  "billing_plans where business_id = ?1",
  "customers where business_id = ?1 and erased_at is null",
  "orders where business_id = ?1",
  "stock_levels where business_id = ?1",
  "services where business_id = ?1",
  "staff where business_id = ?1 and archived_at is null",
  "resources where business_id = ?1 and archived_at is null",
  "deals where business_id = ?1",
  "tax_rates where business_id = ?1",
  "delivery_zones where business_id = ?1",
  "tax_classes where business_id = ?1",
  "message_templates where business_id = ?1",
  "message_settings where business_id = ?1",
  "suppressed_recipients where business_id = ?1",
  "message_opt_outs where business_id = ?1",
  "customer_groups where business_id = ?1 and archived_at is null",
];

/** Whether the business has nothing that an import brings. */
export async function isBusinessEmpty(db: Db, businessId: string): Promise<boolean> {
  const found = contents.map((from) => `exists (select 1 from ${from})`).join(" or ");
  const row = await db.$client
    .prepare(`select ${found} as has_rows`)
    .bind(businessId)
    .first<{ has_rows: number }>();
  return row?.has_rows === 0;
}
