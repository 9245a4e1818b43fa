import { getTableColumns, type SQL, sql } from "drizzle-orm";
import {
  type AtVersion,
  type BusinessRef,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import type { Product, Variant } from "../product.ts";
import { isPubliclyVisible } from "../product-conditions-query.ts";
import { type ProductRow, toProductFields } from "../product-row.ts";
import { categories, products, productVariants } from "../tables.ts";
import type { KeyPosition, ProductListQuery } from "./product-list.ts";
import { cutPage, inStockColumn, pageRows, positionColumns } from "./product-list-query.ts";
import { orderByKeyThenEnd, pageOrder } from "./scan-query.ts";

/** An active product with its active variants, as a list or a look-up shows it. */
export type CatalogueEntry = Readonly<{
  product: Omit<Product, "bundle" | "composite">;
  /** The product's category, then the category's ancestors. */
  categories: readonly Readonly<{ name: string; slug: string }>[];
  isInStock: boolean;
  /** The variants of which a unit is left. */
  stockedVariantIds: ReadonlySet<string>;
}>;

export type CatalogueEntryPage = Readonly<{
  items: readonly CatalogueEntry[];
  /** The next page starts after this position; null on the last page. */
  next: KeyPosition | null;
}>;

/** A page of the products that shoppers see, each with its variants, in one round trip. */
export async function listCatalogueEntries(
  { db, business }: CatalogueReader,
  query: ProductListQuery,
): Promise<AtVersion<CatalogueEntryPage>> {
  const order = pageOrder(query.sort);
  const [versionRows, rows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ ...entryColumns(business), ...positionColumns(order) })
      .from(sql`(${pageRows(business, query)}) as page`)
      .innerJoin(products, sql`${products.id} = page.product_id`)
      .orderBy(orderByKeyThenEnd(order)),
  ]);
  const { items, next } = cutPage(rows, query.limit);
  return { version: parseVersion(versionRows), data: { items: items.map(toEntry), next } };
}

/**
 * The active products with any of these identifiers, in one round trip. An identifier is the id or
 * the slug of a product, or the id or the SKU of an active variant.
 */
export async function findCatalogueEntries(
  { db, business }: CatalogueReader,
  identifiers: readonly string[],
): Promise<AtVersion<readonly CatalogueEntry[]>> {
  const [versionRows, rows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select(entryColumns(business))
      .from(products)
      .where(
        sql`${products.id} in (${idsByIdentifier(business, identifiers)}) and ${isPubliclyVisible(business)}`,
      )
      .limit(maxFoundEntries),
  ]);
  return { version: parseVersion(versionRows), data: rows.map(toEntry) };
}

/** A SKU may be that of many variants, so the products of a look-up have a limit. */
const maxFoundEntries = 100;

function idsByIdentifier(business: BusinessRef, identifiers: readonly string[]): SQL {
  const wanted = sql`(select value from json_each(${JSON.stringify(identifiers)}))`;
  const isSold = sql`variant.business_id = ${business.id} and variant.is_active
    and variant.archived_at is null`;
  return sql`
    select value from json_each(${JSON.stringify(identifiers)})
    union select variant.product_id from ${productVariants} as variant
      where variant.id in ${wanted} and ${isSold}
    union select listed.id from ${products} as listed
      where listed.business_id = ${business.id} and listed.slug in ${wanted} and listed.archived_at is null
    union select variant.product_id from ${productVariants} as variant
      where variant.sku collate nocase in ${wanted} and variant.sku is not null and ${isSold}`;
}

type EntryRow = ProductRow &
  Readonly<{
    isInStock: boolean;
    variants: readonly Variant[];
    categories: CatalogueEntry["categories"];
    stockedItemIds: readonly string[];
  }>;

/** One row has a whole entry, because a page's products are known only to its query. */
const entryColumns = (business: BusinessRef) => ({
  ...getTableColumns(products),
  isInStock: inStockColumn(),
  variants: variantsColumn,
  categories: categoriesColumn(business),
  stockedItemIds: stockedItemsColumn(business),
});

// In a query of products alone drizzle leaves the table out, and the inner tables have these names.
const ownId = sql.raw("products.id");
const ownCategoryId = sql.raw("products.category_id");

const variantsColumn = sql<string>`(
  select json_group_array(json_object(
    'id', id, 'productId', product_id, 'name', name,
    'priceAdjustmentMinor', price_adjustment_minor, 'compareAtPriceMinor', compare_at_price_minor,
    'isDefault', json(iif(is_default, 'true', 'false')), 'isActive', json('true'),
    'sku', sku, 'axisValues', json(axis_values), 'durationMinutes', duration_minutes,
    'bufferMinutes', buffer_minutes, 'capacity', capacity, 'weightGrams', weight_grams))
  from (select variant.* from ${productVariants} as variant
    where variant.product_id = ${ownId} and variant.is_active and variant.archived_at is null
    order by variant.position))`.mapWith(
  // Safe: the query builds each object from the columns of a variant.
  (json: string) => JSON.parse(json) as readonly Variant[],
);

const categoriesColumn = (business: BusinessRef) =>
  sql<string>`(
  with recursive branch(id, depth) as (
    select ${ownCategoryId}, 0
    union
    select above.parent_id, branch.depth + 1 from branch cross join ${categories} as above
    where above.id = branch.id and above.business_id = ${business.id} and branch.depth < ${maxDepth})
  select json_group_array(json_object('name', name, 'slug', slug)) from (
    select above.name, above.slug from branch cross join ${categories} as above
    where above.id = branch.id and above.business_id = ${business.id} and above.archived_at is null
    order by branch.depth))`.mapWith(
    // Safe: the query builds each object from a category's name and slug.
    (json: string) => JSON.parse(json) as CatalogueEntry["categories"],
  );

/** Bounds the walk up the tree, should a parent be its own descendant. */
const maxDepth = 20;

/** Reads stock_levels of inventory, so that no second round trip is needed. */
const stockedItemsColumn = (business: BusinessRef) =>
  sql<string>`(
  select json_group_array(distinct stocked.item_id) from stock_levels as stocked
  where stocked.business_id = ${business.id} and stocked.product_id = ${ownId}
    and stocked.quantity_on_hand > stocked.quantity_reserved)`.mapWith(
    // Safe: the query builds an array of ids.
    (json: string) => JSON.parse(json) as readonly string[],
  );

function toEntry({
  isInStock,
  variants,
  categories: path,
  stockedItemIds,
  ...row
}: EntryRow): CatalogueEntry {
  const stocked = new Set(stockedItemIds);
  const isStocked = ({ id }: Variant) =>
    row.inventoryType === "variant_level" ? stocked.has(id) : isInStock;
  return {
    product: { ...toProductFields(row), variants },
    categories: path,
    isInStock,
    stockedVariantIds: new Set(variants.filter(isStocked).map(({ id }) => id)),
  };
}
