import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ProductFilters, raiseVersion } from "../../shared/catalogue/index.ts";
import {
  bundles,
  categories,
  composites,
  products,
  productVariants,
} from "../../shared/catalogue/tables.ts";
import { stockLevels } from "../../shared/inventory/tables.ts";
import { type Answer, contextFor } from "../support/world.ts";

type Shop = Pick<CreatedBusiness, "business">;
type ProductRow = typeof products.$inferInsert;
type VariantRow = typeof productVariants.$inferInsert;

let made = 0;

/** A product of the shop as a merchant would have written it; what the test does not say is plain. */
export async function givenProduct(shop: Shop, row: Partial<ProductRow> = {}): Promise<ProductRow> {
  const ctx = contextFor(shop);
  const id = ctx.newId("prod");
  made += 1;
  const product: ProductRow = {
    id,
    businessId: shop.business.id,
    name: `Product ${made}`,
    slug: `product-${made}`,
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
    createdAt: 1_000_000 + made,
    updatedAt: 1_000_000 + made,
    ...row,
  };
  await ctx.db.batch([ctx.db.insert(products).values(product), raiseVersion(ctx)]);
  return product;
}

/** A merchant's change of a product, as their use cases write it. */
export async function changeProduct(
  shop: Shop,
  id: string,
  changed: Partial<ProductRow>,
): Promise<void> {
  const ctx = contextFor(shop);
  await ctx.db.batch([
    ctx.db.update(products).set(changed).where(eq(products.id, id)),
    raiseVersion(ctx),
  ]);
}

export async function givenVariant(
  shop: Shop,
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
  await ctx.db.batch([ctx.db.insert(productVariants).values(variant), raiseVersion(ctx)]);
  return variant;
}

export async function givenCategory(
  shop: Shop,
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
  await ctx.db.batch([ctx.db.insert(categories).values(category), raiseVersion(ctx)]);
  return id;
}

export async function givenBundle(
  shop: Shop,
  product: { id: string },
  components: (typeof bundles.$inferInsert)["components"],
): Promise<string> {
  const ctx = contextFor(shop);
  const row = { id: ctx.newId("bun"), businessId: shop.business.id, productId: product.id };
  await ctx.db.batch([
    ctx.db.insert(bundles).values({ ...row, components, pricing: { type: "fixed" } }),
    raiseVersion(ctx),
  ]);
  return row.id;
}

export async function givenComposite(
  shop: Shop,
  product: { id: string },
  rest: Pick<typeof composites.$inferInsert, "basePriceMinor" | "groups">,
): Promise<string> {
  const ctx = contextFor(shop);
  const row = { id: ctx.newId("comp"), businessId: shop.business.id, productId: product.id };
  await ctx.db.batch([ctx.db.insert(composites).values({ ...row, ...rest }), raiseVersion(ctx)]);
  return row.id;
}

/** Stock moves without the catalogue's version. */
export async function givenStock(
  shop: Shop,
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
      updatedAt: chance.now(),
    });
}

export const noFilters: ProductFilters = {
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

export function dataOf<T>(answer: Answer): T {
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return (answer.body as { data: T }).data; // what the test then reads of it, it checks itself
}

export type Page = {
  items: { id: string; name: string }[];
  pagination: { limit: number; next_cursor: string | null; has_more: boolean };
};

export const namesOf = (answer: Answer): string[] =>
  dataOf<Page>(answer).items.map(({ name }) => name);
