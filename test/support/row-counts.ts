import { selectRows } from "./select-rows.ts";
import type { TestBusiness } from "./world.ts";

const countedTables = [
  "products",
  "product_variants",
  "categories",
  "collections",
  "deals",
  "attributes",
  "billing_plans",
  "tax_classes",
  "tax_rates",
  "bundles",
  "composites",
  "services",
  "stock_levels",
  "stock_movements",
  "audit_entries",
  "events",
];

/** The business's number of rows in each table, and its catalogue version: a refused write changes none. */
export async function countBusinessRows(shop: TestBusiness): Promise<Record<string, unknown>> {
  const counts = countedTables.map(
    (table) => `(select count(*) from ${table} where business_id = ?1) as ${table}`,
  );
  const version =
    "coalesce((select version from catalogue_versions where business_id = ?1), 0) as version";
  const [row] = await selectRows(
    shop,
    `select ${[...counts, version].join(", ")}`,
    shop.business.id,
  );
  return row ?? {};
}

/** The actions of the business's audit entries, the oldest first. */
export async function listAuditActions(shop: TestBusiness): Promise<unknown[]> {
  const rows = await selectRows(
    shop,
    "select action from audit_entries where business_id = ? order by id",
    shop.business.id,
  );
  return rows.map(({ action }) => action);
}
