import { rowsOf } from "./shop-database.ts";
import type { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

const tables = [
  "products",
  "product_variants",
  "categories",
  "collections",
  "deals",
  "attributes",
  "billing_plans",
  "bundles",
  "composites",
  "services",
  "stock_levels",
  "stock_movements",
  "audit_entries",
  "events",
];

/** How much of the business stands in each table, and its catalogue's version: what a refused write leaves alone. */
export async function tracesOf(shop: Shop): Promise<Record<string, unknown>> {
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where business_id = ?1) as ${table}`,
  );
  const version =
    "coalesce((select version from catalogue_versions where business_id = ?1), 0) as version";
  const [row] = await rowsOf(shop, `select ${[...counts, version].join(", ")}`, shop.business.id);
  return row ?? {};
}

/** The actions of the business's audit entries, in order. */
export async function auditedActions(shop: Shop): Promise<unknown[]> {
  const rows = await rowsOf(
    shop,
    "select action from audit_entries where business_id = ? order by id",
    shop.business.id,
  );
  return rows.map(({ action }) => action);
}
