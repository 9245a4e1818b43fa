import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { notFound, ruleBroken } from "../../kernel/index.ts";
import { products, productVariants } from "../tables.ts";

/** What stock is counted of: a product, or a variant of it. */
export type StockItem = Readonly<{ itemId: string; productId: string; variantId: string | null }>;

/**
 * The item that a product's or variant's id names (interface.md, Inventory): the product itself
 * where it is tracked, a variant where stock is counted per variant.
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
    throw ruleBroken("NOT_TRACKED", notTracked(inventoryType), { inventory_type: inventoryType });
  }
  return { itemId: variantId ?? productId, productId, variantId };
}

function notTracked(inventoryType: "none" | "tracked" | "variant_level"): string {
  switch (inventoryType) {
    case "none":
      return "The product's stock is not tracked.";
    case "tracked":
      return "The product's stock is tracked as a whole: use the product's id.";
    case "variant_level":
      return "The product's stock is tracked per variant: use a variant's id.";
  }
}
