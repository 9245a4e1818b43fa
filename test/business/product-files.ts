/// <reference types="vite/client" />
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, merchant } from "../support/world.ts";

const catalogues: Record<string, string> = import.meta.glob("../../../shared/catalogues/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A Shopify export; undefined where the file is not available. */
export const apparel = Object.entries(catalogues).find(([path]) =>
  path.endsWith("/apparel.csv"),
)?.[1];

type Shop = Parameters<typeof merchant>[0];

export const importFile = (shop: Shop, raw: BodyInit, query = ""): Promise<ApiResponse> =>
  merchant(shop)("POST", `/imports${query}`, {
    rawBody: raw,
    headers: { "Content-Type": "text/csv" },
  });

export const exportFile = async (shop: Shop): Promise<string> =>
  String((await merchant(shop)("GET", "/exports/products")).body);

export const header =
  "Handle,Title,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price";

/** A file with these rows below the header. */
export const productCsv = (...rows: string[]): string => [header, ...rows, ""].join("\n");

/** A file with the product `Mug`. Each argument is a variant: size, sku, quantity and price. */
export const mugCsv = (...sizes: string[]): string =>
  productCsv(
    ...sizes.map((cells, at) => (at === 0 ? `mug,Mug,,true,Size,${cells}` : `mug,,,,,${cells}`)),
  );

const tables = [
  "products",
  "product_variants",
  "product_facets",
  "stock_levels",
  "stock_movements",
  "catalogue_versions",
  "audit_entries",
  "events",
];

/** All rows of the business in tables that an import may write. */
export async function selectImportedTables(shop: Shop): Promise<Record<string, unknown[]>> {
  const read = tables.map(async (table) => [
    table,
    await selectRows(
      shop,
      `select * from ${table} where business_id = ? order by 1, 2`,
      shop.business.id,
    ),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

/** Products with their variants and stock, without ids and times. */
export const selectProductRows = (shop: Shop) =>
  selectRows(
    shop,
    `select p.slug, p.name, p.is_active, p.inventory_type, p.default_price_minor, v.name as variant,
       v.sku, v.price_adjustment_minor, l.quantity_on_hand
     from products p
     left join product_variants v on v.product_id = p.id and v.archived_at is null
     left join stock_levels l on l.business_id = p.business_id
       and l.item_id = case p.inventory_type when 'tracked' then p.id else v.id end
     where p.business_id = ? and p.archived_at is null order by p.created_at, p.id, v.position`,
    shop.business.id,
  );

export const selectImports = (shop: Shop) =>
  selectRows(shop, "select * from imports where business_id = ? order by id", shop.business.id);

/** The counts in the response of an import. */
export const importCounts = (created: number, updated: number, unchanged: number) => ({
  products_created: created,
  products_updated: updated,
  products_unchanged: unchanged,
});
