import { and, eq, isNull, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness, jsonChunks, type Write } from "../../database/index.ts";
import type { Variant } from "../product.ts";
import { productVariants } from "../tables.ts";

type WriteContext = Pick<Context, "db" | "business">;

type VariantWriteOptions = Readonly<{
  /**
   * True when the variants contain `importedColumns`. When false, stored imported columns stay
   * unchanged.
   */
  hasImportedColumns: boolean;
}>;

/**
 * Replaces all variants of these products and archives those that are no longer listed. The first
 * statement clears the default flags, because a unique index allows one default per product at any
 * time.
 */
export function replaceVariants(
  ctx: WriteContext,
  {
    productIds,
    variants,
    now,
    ...options
  }: Readonly<{
    productIds: readonly string[];
    /** The variants of all products. The variants of each product are in the merchant's order. */
    variants: readonly Variant[];
    now: number;
  }> &
    VariantWriteOptions,
): Write[] {
  const listedIds = JSON.stringify(variants.map(({ id }) => id));
  return [
    ctx.db
      .update(productVariants)
      .set({
        isDefault: false,
        archivedAt: sql`case when ${productVariants.id} in (select value from json_each(${listedIds}))
          then null else ${now} end`,
      })
      .where(
        and(
          sql`${productVariants.productId} in (select value from json_each(${JSON.stringify(productIds)}))`,
          isRowOfBusiness(productVariants.businessId, ctx.business),
          isNull(productVariants.archivedAt),
        ),
      ),
    ...upsertVariants(ctx, variants, options),
  ];
}

/**
 * Inserts or updates variants. The number of statements grows with the length of the data, not with
 * the number of variants.
 */
export function upsertVariants(
  { db, business }: WriteContext,
  variants: readonly Variant[],
  { hasImportedColumns }: VariantWriteOptions,
): Write[] {
  const variantsByProduct = Map.groupBy(variants, ({ productId }) => productId);
  const rows = [...variantsByProduct.values()].flatMap((ofProduct) =>
    ofProduct.map((variant, position) => ({ ...variant, position })),
  );
  return jsonChunks(rows).map((json) =>
    db
      .insert(productVariants)
      .select(
        sql`select value ->> '$.id', ${business.id}, value ->> '$.productId', value ->> '$.position',
          value ->> '$.name', value ->> '$.priceAdjustmentMinor',
          value ->> '$.compareAtPriceMinor', value ->> '$.isDefault', value ->> '$.isActive', value ->> '$.sku', value -> '$.axisValues',
          value ->> '$.durationMinutes', value ->> '$.bufferMinutes', value ->> '$.capacity',
          value ->> '$.weightGrams', value -> '$.importedColumns', null
          from json_each(${json}) where true`,
      )
      .onConflictDoUpdate({
        target: productVariants.id,
        set: {
          position: sql`excluded.position`,
          name: sql`excluded.name`,
          priceAdjustmentMinor: sql`excluded.price_adjustment_minor`,
          compareAtPriceMinor: sql`excluded.compare_at_price_minor`,
          isDefault: sql`excluded.is_default`,
          isActive: sql`excluded.is_active`,
          sku: sql`excluded.sku`,
          axisValues: sql`excluded.axis_values`,
          durationMinutes: sql`excluded.duration_minutes`,
          bufferMinutes: sql`excluded.buffer_minutes`,
          capacity: sql`excluded.capacity`,
          weightGrams: sql`excluded.weight_grams`,
          ...(hasImportedColumns && { importedColumns: sql`excluded.imported_columns` }),
        },
        setWhere: eq(productVariants.businessId, business.id),
      }),
  );
}
