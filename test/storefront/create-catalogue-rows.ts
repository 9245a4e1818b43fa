import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { type productListing, raiseCatalogueVersion } from "../../shared/catalogue/index.ts";
import {
  bundles,
  categories,
  composites,
  products,
  productVariants,
} from "../../shared/catalogue/tables.ts";
import { stockLevels } from "../../shared/inventory/tables.ts";
import { type ApiResponse, contextFor, type TestBusiness } from "../support/world.ts";

type ProductRow = typeof products.$inferInsert;
type VariantRow = typeof productVariants.$inferInsert;

let rowCount = 0;

/** Inserts a product with plain defaults, without the merchant's use case. */
export async function createProductRow(
  shop: TestBusiness,
  row: Partial<ProductRow> = {},
): Promise<ProductRow> {
  const ctx = contextFor(shop);
  const id = ctx.newId("prod");
  rowCount += 1;
  const product: ProductRow = {
    id,
    businessId: shop.business.id,
    name: `Product ${rowCount}`,
    slug: `product-${rowCount}`,
    description: "",
    categoryId: null,
    taxonomyId: null,
    defaultPriceMinor: 1_000,
    productType: "product",
    inventoryType: "none",
    isActive: true,
    isFeatured: false,
    tags: [],
    properties: {},
    images: [],
    variantAxes: [],
    addOns: [],
    createdAt: 1_000_000 + rowCount,
    updatedAt: 1_000_000 + rowCount,
    ...row,
  };
  await ctx.db.batch([ctx.db.insert(products).values(product), raiseCatalogueVersion(ctx)]);
  return product;
}

/** Updates a product's row, and raises the catalogue's version as the use case does. */
export async function updateProductRow(
  shop: TestBusiness,
  id: string,
  changes: Partial<ProductRow>,
): Promise<void> {
  const ctx = contextFor(shop);
  await ctx.db.batch([
    ctx.db.update(products).set(changes).where(eq(products.id, id)),
    raiseCatalogueVersion(ctx),
  ]);
}

export async function createVariantRow(
  shop: TestBusiness,
  product: { id: string },
  row: Partial<VariantRow> = {},
): Promise<VariantRow> {
  const ctx = contextFor(shop);
  const variant: VariantRow = {
    id: ctx.newId("var"),
    businessId: shop.business.id,
    productId: product.id,
    position: 0,
    name: "Variant",
    priceAdjustmentMinor: 0,
    isDefault: false,
    isActive: true,
    axisValues: {},
    ...row,
  };
  await ctx.db.batch([ctx.db.insert(productVariants).values(variant), raiseCatalogueVersion(ctx)]);
  return variant;
}

export async function createCategoryRow(
  shop: TestBusiness,
  row: Partial<typeof categories.$inferInsert> & { slug: string },
): Promise<string> {
  const ctx = contextFor(shop);
  const id = ctx.newId("cat");
  const category = {
    id,
    businessId: shop.business.id,
    name: row.slug,
    description: "",
    sortOrder: 0,
    metadata: {},
    createdAt: 0,
    updatedAt: 0,
    ...row,
  };
  await ctx.db.batch([ctx.db.insert(categories).values(category), raiseCatalogueVersion(ctx)]);
  return id;
}

export async function createBundleRow(
  shop: TestBusiness,
  product: { id: string },
  components: (typeof bundles.$inferInsert)["components"],
): Promise<string> {
  const ctx = contextFor(shop);
  const row = { id: ctx.newId("bun"), businessId: shop.business.id, productId: product.id };
  await ctx.db.batch([
    ctx.db.insert(bundles).values({ ...row, components, pricing: { type: "fixed" } }),
    raiseCatalogueVersion(ctx),
  ]);
  return row.id;
}

export async function createCompositeRow(
  shop: TestBusiness,
  product: { id: string },
  fields: Pick<typeof composites.$inferInsert, "basePriceMinor" | "groups">,
): Promise<string> {
  const ctx = contextFor(shop);
  const row = { id: ctx.newId("comp"), businessId: shop.business.id, productId: product.id };
  await ctx.db.batch([
    ctx.db.insert(composites).values({ ...row, ...fields }),
    raiseCatalogueVersion(ctx),
  ]);
  return row.id;
}

/** Inserts a stock level, which does not raise the catalogue's version. */
export async function createStockLevelRow(
  shop: TestBusiness,
  product: { id: string },
  { itemId, onHand, reserved = 0 }: { itemId?: string; onHand: number; reserved?: number },
): Promise<void> {
  await contextFor(shop)
    .db.insert(stockLevels)
    .values({
      businessId: shop.business.id,
      itemId: itemId ?? product.id,
      locationId: shop.business.locations[0]?.id ?? "",
      productId: product.id,
      quantityOnHand: onHand,
      quantityReserved: reserved,
      updatedAt: runtime.now(),
    });
}

export const noFilters: productListing.ProductFilters = {
  categoryId: null,
  categorySlug: null,
  taxonomyId: null,
  search: null,
  tags: [],
  isFeatured: null,
  isInStock: null,
  locationId: null,
  minPriceMinor: null,
  maxPriceMinor: null,
  properties: {},
};

/** The data of a successful response. */
export function requireData<T>(answer: ApiResponse): T {
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return (answer.body as { data: T }).data; // the tests check what they read
}

export type ProductListPage = {
  items: { id: string; name: string }[];
  pagination: { limit: number; next_cursor: string | null; has_more: boolean };
};

export const namesOf = (answer: ApiResponse): string[] =>
  requireData<ProductListPage>(answer).items.map(({ name }) => name);
