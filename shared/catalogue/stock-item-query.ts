import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../database/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import type { CatalogueReader } from "./catalogue-version-repo.ts";
import type { InventoryType } from "./product.ts";
import { isPubliclyVisible } from "./product-conditions-query.ts";
import { products, productVariants } from "./tables.ts";

/**
 * A product or variant whose stock is counted. `itemId` is the id of the product or of the variant.
 */
export type StockItem = Readonly<{ itemId: string; productId: string; variantId: string | null }>;

/**
 * Finds a stock item by the id of a product or variant. The id must be a product's when stock is
 * counted per product, and a variant's when it is counted per variant.
 *
 * @throws Refusal NOT_FOUND; NOT_TRACKED when stock is not counted at this level.
 */
export async function findStockItem(
  { db, business }: Pick<Context, "db" | "business">,
  id: string,
): Promise<StockItem> {
  const [row] = await db
    .select({
      productId: products.id,
      inventoryType: products.inventoryType,
      variantId: sql<string | null>`${productVariants.id}`.as("variant_id"),
    })
    .from(products)
    .leftJoin(
      productVariants,
      and(
        eq(productVariants.productId, products.id),
        eq(productVariants.id, id),
        isNull(productVariants.archivedAt),
      ),
    )
    .where(
      and(
        eq(products.businessId, business.id),
        isNull(products.archivedAt),
        sql`${products.id} in (${id}, (
          select ${productVariants.productId} from ${productVariants}
          where ${productVariants.id} = ${id} and ${productVariants.archivedAt} is null))`,
      ),
    );
  if (!row) throw notFound("product or variant");
  const { productId, variantId, inventoryType } = row;
  if (inventoryType !== (variantId === null ? "tracked" : "variant_level")) {
    throw ruleViolation("NOT_TRACKED", notTrackedMessages[inventoryType], {
      inventory_type: inventoryType,
    });
  }
  return { itemId: variantId ?? productId, productId, variantId };
}

const notTrackedMessages: Readonly<Record<InventoryType, string>> = {
  none: "The product's stock is not tracked.",
  tracked: "The product's stock is tracked as a whole: use the product's id.",
  variant_level: "The product's stock is tracked per variant: use a variant's id.",
};

/** The product or variant whose stock a shopper asks for. */
export type StockTarget = Readonly<{ of: "product" | "variant"; id: string }>;

/**
 * A query of the target's product id. For a variant, the product of the variant if it is active.
 */
export const stockProductId = (
  { business }: Pick<CatalogueReader, "business">,
  target: StockTarget,
) =>
  target.of === "product"
    ? sql`select ${target.id}`
    : sql`select ${productVariants.productId} from ${productVariants}
        where ${productVariants.id} = ${target.id} and ${isActiveVariant(business)}`;

/**
 * Selects how stock of active products is counted: one row for each active variant. A product
 * without active variants has one row with a null variant id. `productIds` is a query of ids.
 */
export const stockProductQuery = ({ db, business }: CatalogueReader, productIds: SQL) =>
  db
    .select({
      productId: products.id,
      name: products.name,
      inventoryType: products.inventoryType,
      variantId: sql<string | null>`${productVariants.id}`.as("variant_id"),
    })
    .from(products)
    .leftJoin(
      productVariants,
      and(eq(productVariants.productId, products.id), isActiveVariant(business)),
    )
    .where(and(sql`${products.id} in (${productIds})`, isPubliclyVisible(business)));

const isActiveVariant = (business: { id: string }) =>
  and(
    isRowOfBusiness(productVariants.businessId, business),
    eq(productVariants.isActive, true),
    isNull(productVariants.archivedAt),
  );
