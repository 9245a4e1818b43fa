import { and, isNull, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../database/index.ts";
import { productVariants } from "./tables.ts";

/** The products of variants, by the variant's id. Unknown and archived variants are left out. */
export async function findProductsOfVariants(
  { db, business }: Pick<Context, "db" | "business">,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ id: productVariants.id, productId: productVariants.productId })
    .from(productVariants)
    .where(
      and(
        sql`${productVariants.id} in (select value from json_each(${JSON.stringify(variantIds)}))`,
        isRowOfBusiness(productVariants.businessId, business),
        isNull(productVariants.archivedAt),
      ),
    );
  return new Map(rows.map(({ id, productId }) => [id, productId]));
}
