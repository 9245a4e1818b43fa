/// <reference types="vite/client" />
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, merchant } from "../support/world.ts";

const catalogues: Record<string, string> = import.meta.glob("../../../shared/catalogues/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A shop's own export, where the place has one beside the project. */
export const apparel = Object.entries(catalogues).find(([path]) =>
  path.endsWith("/apparel.csv"),
)?.[1];

type Shop = Parameters<typeof merchant>[0];

export const sent = (shop: Shop, raw: BodyInit, query = ""): Promise<Answer> =>
  merchant(shop)("POST", `/imports${query}`, { raw, headers: { "Content-Type": "text/csv" } });

export const exported = async (shop: Shop): Promise<string> =>
  String((await merchant(shop)("GET", "/exports/products")).body);

export const header =
  "Handle,Title,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price";

/** A file of the columns above. */
export const fileOf = (...rows: string[]): string => [header, ...rows, ""].join("\n");

/** `Mug`, in sizes; each row's own cells are size, sku, quantity and price. */
export const mugs = (...sizes: string[]): string =>
  fileOf(
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

/** Everything of the business that an import could write, row by row. */
export async function contentsOf(shop: Shop): Promise<Record<string, unknown[]>> {
  const read = tables.map(async (table) => [
    table,
    await rowsOf(
      shop,
      `select * from ${table} where business_id = ? order by 1, 2`,
      shop.business.id,
    ),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

/** Without what an import counts up or stamps. */
export const productRowsOf = (shop: Shop) =>
  rowsOf(
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

export const importsOf = (shop: Shop) =>
  rowsOf(shop, "select * from imports where business_id = ? order by id", shop.business.id);

/** What an import answers of its products. */
export const counts = (created: number, updated: number, unchanged: number) => ({
  products_created: created,
  products_updated: updated,
  products_unchanged: unchanged,
});
