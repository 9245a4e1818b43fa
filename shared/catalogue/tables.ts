import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { document, flag, instant, minorUnits, oneOf } from "../database/columns.ts";
import type { Json } from "../kernel/index.ts";
import {
  type AddOnGroup,
  type BundleComponent,
  type BundlePricing,
  type CompositeGroup,
  type InventoryType,
  inventoryTypes,
  type PriceOverride,
  type ProductType,
  productTypes,
  type StoredImage,
  standardTaxClass,
  type VariantAxis,
} from "./product.ts";
import type { ScheduleRule } from "./schedules/schedule.ts";

/**
 * The catalogue version of each business. Every catalogue write raises it in the same batch,
 * because cached responses are valid for one version.
 */
export const catalogueVersions = sqliteTable("catalogue_versions", {
  businessId: text("business_id").primaryKey(),
  version: integer("version").notNull(),
});

export const categories = sqliteTable(
  "categories",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    description: text("description").notNull(),
    parentId: text("parent_id"),
    imageUrl: text("image_url"),
    sortOrder: integer("sort_order").notNull(),
    metadata: document<Record<string, unknown>>("metadata").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("categories_slug").on(t.businessId, t.slug).where(sql`archived_at is null`),
    index("categories_by_parent").on(t.businessId, t.parentId),
    index("categories_in_order")
      .on(t.businessId, t.sortOrder, t.id)
      .where(sql`archived_at is null`),
  ],
);

export const products = sqliteTable(
  "products",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    description: text("description").notNull(),
    categoryId: text("category_id").references(() => categories.id),
    taxonomyId: text("taxonomy_id"),
    defaultPriceMinor: minorUnits("default_price_minor").notNull(),
    compareAtPriceMinor: minorUnits("compare_at_price_minor"),
    /** The code of a tax class. Triggers keep the class while a product has it. */
    taxClass: text("tax_class").notNull().default(standardTaxClass),
    productType: text("product_type").$type<ProductType>().notNull(),
    inventoryType: text("inventory_type").$type<InventoryType>().notNull(),
    isActive: flag("is_active").notNull(),
    isFeatured: flag("is_featured").notNull(),
    tags: document<readonly string[]>("tags").notNull(),
    properties: document<Record<string, Json>>("properties").notNull(),
    images: document<readonly StoredImage[]>("images").notNull(),
    variantAxes: document<readonly VariantAxis[]>("variant_axes").notNull(),
    addOns: document<readonly AddOnGroup[]>("add_ons").notNull(),
    priceOverrides: document<readonly PriceOverride[]>("price_overrides").notNull().default([]),
    schedules: document<readonly ScheduleRule[]>("schedules").notNull().default([]),
    billingPlanIds: document<readonly string[]>("billing_plan_ids").notNull().default([]),
    weightGrams: integer("weight_grams").notNull().default(0),
    requiresShipping: flag("requires_shipping").notNull().default(true),
    /** The quantity sold, for lists with sort_by=popularity. */
    popularity: integer("popularity").notNull().default(0),
    /** Columns of an imported file for which this table has no column. Exports write them back. */
    importedColumns: document<Record<string, string>>("imported_columns"),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("products_slug").on(t.businessId, t.slug).where(sql`archived_at is null`),
    index("products_newest").on(t.businessId, t.isActive, t.createdAt, t.id),
    index("products_by_category")
      .on(t.categoryId, t.businessId, t.isActive, t.createdAt, t.id)
      .where(sql`category_id is not null`),
    index("products_by_name")
      .on(t.businessId, sql`name collate nocase`, t.id)
      .where(sql`is_active = 1 and archived_at is null`),
    index("products_by_price")
      .on(t.businessId, t.defaultPriceMinor, t.id)
      .where(sql`is_active = 1 and archived_at is null`),
    index("products_by_popularity")
      .on(t.businessId, t.popularity, t.id)
      .where(sql`is_active = 1 and archived_at is null`),
    index("products_by_tax_class")
      .on(t.businessId, t.taxClass)
      .where(sql`tax_class <> 'standard' and archived_at is null`),
    // Finds the products that a location may not sell.
    index("products_with_schedules")
      .on(t.businessId, t.id)
      .where(sql`schedules <> '[]' and is_active = 1 and archived_at is null`),
    // Finds the products that can be subscribed to.
    index("products_with_plans")
      .on(t.businessId, t.createdAt, t.id)
      .where(sql`billing_plan_ids <> '[]' and is_active = 1 and archived_at is null`),
    check("products_type", oneOf(t.productType, productTypes)),
    check("products_inventory_type", oneOf(t.inventoryType, inventoryTypes)),
    check("products_price", sql`default_price_minor >= 0`),
  ],
);

/** The number of orders with both products; each pair has a row in both directions. */
export const boughtTogether = sqliteTable(
  "bought_together",
  {
    businessId: text("business_id").notNull(),
    productId: text("product_id").notNull(),
    otherId: text("other_id").notNull(),
    orders: integer("orders").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.productId, t.otherId] }),
    index("bought_together_most").on(t.businessId, t.productId, t.orders, t.otherId),
  ],
);

export const productVariants = sqliteTable(
  "product_variants",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    productId: text("product_id")
      .notNull()
      .references(() => products.id),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    priceAdjustmentMinor: minorUnits("price_adjustment_minor").notNull(),
    compareAtPriceMinor: minorUnits("compare_at_price_minor"),
    isDefault: flag("is_default").notNull(),
    isActive: flag("is_active").notNull(),
    sku: text("sku"),
    axisValues: document<Record<string, string>>("axis_values").notNull(),
    durationMinutes: integer("duration_minutes"),
    bufferMinutes: integer("buffer_minutes"),
    capacity: integer("capacity"),
    weightGrams: integer("weight_grams"),
    importedColumns: document<Record<string, string>>("imported_columns"),
    archivedAt: instant("archived_at"),
  },
  (t) => [
    index("product_variants_by_product").on(t.productId, t.position),
    index("product_variants_by_sku")
      .on(t.businessId, sql`sku collate nocase`)
      .where(sql`sku is not null and archived_at is null`),
    uniqueIndex("product_variants_one_default")
      .on(t.productId)
      .where(sql`is_default = 1 and archived_at is null`),
  ],
);

export const bundles = sqliteTable(
  "bundles",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    productId: text("product_id")
      .notNull()
      .unique()
      .references(() => products.id),
    components: document<readonly BundleComponent[]>("components").notNull(),
    pricing: document<BundlePricing>("pricing").notNull(),
  },
  (t) => [index("bundles_by_business").on(t.businessId, t.id)],
);

/**
 * Which bundles contain a product, so that a bundle's price can be updated when the product's price
 * changes. Only triggers on `bundles` write to this table.
 */
export const bundleParts = sqliteTable(
  "bundle_parts",
  {
    productId: text("product_id").notNull(),
    bundleId: text("bundle_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.bundleId] }),
    index("bundle_parts_by_bundle").on(t.bundleId),
  ],
);

export const composites = sqliteTable(
  "composites",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    productId: text("product_id")
      .notNull()
      .unique()
      .references(() => products.id),
    basePriceMinor: minorUnits("base_price_minor").notNull(),
    groups: document<readonly CompositeGroup[]>("groups").notNull(),
  },
  (t) => [
    index("composites_by_business").on(t.businessId, t.id),
    check("composites_base_price", sql`base_price_minor >= 0`),
  ],
);

/**
 * The index of the lists that shoppers see (listing/README.md), with a row for each facet of an
 * active product. Only triggers on products, variants, stock and collections write to it. This
 * table and the next one are WITHOUT ROWID.
 */
export const productFacets = sqliteTable(
  "product_facets",
  {
    productId: text("product_id").notNull(),
    facet: text("facet").notNull(),
    businessId: text("business_id").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The product's default price; in a `price at` facet, the price at that location. */
    priceMinor: minorUnits("price_minor").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.facet] }),
    index("product_facets_newest").on(t.businessId, t.facet, t.createdAt, t.productId),
    index("product_facets_by_price").on(t.businessId, t.facet, t.priceMinor, t.productId),
  ],
);

/**
 * The number of products under a facet; no row means 0. The triggers of `productFacets` maintain
 * it.
 */
export const productFacetCounts = sqliteTable(
  "product_facet_counts",
  {
    businessId: text("business_id").notNull(),
    facet: text("facet").notNull(),
    products: integer("products").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.facet] })],
);
