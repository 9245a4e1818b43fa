import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../database/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import type { CatalogueReader } from "./catalogue-version-repo.ts";
import type { InventoryType } from "./product.ts";
import { isPubliclyVisible } from "./product-conditions-query.ts";
import { products, productVariants } from "./tables.ts";

/** What stock is counted of: a product, or one of its variants. `itemId` is the id of either. */
export type StockItem = Readonly<{ itemId: string; productId: string; variantId: string | null }>;

/**
 * The stock item with a product's or a variant's id: the product when it is tracked, the variant
 * when stock is tracked per variant.
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

/** A query of the product's id: the target's own, or that of the active variant's product. */
export const stockProductId = (
  { business }: Pick<CatalogueReader, "business">,
  target: StockTarget,
) =>
  target.of === "product"
    ? sql`select ${target.id}`
    : sql`select ${productVariants.productId} from ${productVariants}
        where ${productVariants.id} = ${target.id} and ${isActiveVariant(business)}`;

/**
 * Selects how active products are tracked: a row for each active variant, or one row with a null
 * variant id. `productIds` is a query of ids.
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
