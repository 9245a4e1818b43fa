import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { ownRow } from "../product-repo.ts";
import { products, productVariants } from "../tables.ts";
import type { CatalogueReader } from "./listing-repo.ts";
import { visibleById } from "./product-filter-repo.ts";

/** What an inventory call names (interface.md, Inventory). */
export type Counted = Readonly<{ of: "product" | "variant"; id: string }>;

/** The id of the product that is named itself, or whose active variant is: a query of at most one. */
export const countedProductId = ({ business }: Pick<CatalogueReader, "business">, on: Counted) =>
  on.of === "product"
    ? sql`select ${on.id}`
    : sql`select ${productVariants.productId} from ${productVariants}
        where ${productVariants.id} = ${on.id} and ${activeVariant(business)}`;

/** How an active product is counted: a row for each active variant, one with null without any. */
export const countedProductQuery = ({ db, business }: CatalogueReader, productId: SQL) =>
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
      and(eq(productVariants.productId, products.id), activeVariant(business)),
    )
    .where(and(sql`${products.id} in (${productId})`, visibleById(business)));

const activeVariant = (business: { id: string }) =>
  and(
    ownRow(productVariants.businessId, business),
    eq(productVariants.isActive, true),
    isNull(productVariants.archivedAt),
  );
