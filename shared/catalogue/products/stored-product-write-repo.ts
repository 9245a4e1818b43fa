import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { canonicalJson } from "../../kernel/index.ts";
import { ownRow } from "../product-repo.ts";
import { products, productVariants } from "../tables.ts";
import type { StoredProduct } from "./stored-product-repo.ts";

/** A product as it was read, null for a new one, and as it is to be. */
export type StoredChange = Readonly<{ before: StoredProduct | null; after: StoredProduct }>;

/** A parameter of D1 holds 2 MB, and a character takes up to three bytes. */
const maxPieceCharacters = 600_000;

/** Statements that write many products; their number grows with the text alone. */
export function storedProductWrites(
  ctx: Pick<Context, "db" | "business" | "now">,
  changes: readonly StoredChange[],
): Write[] {
  const created = changes.filter(({ before }) => before === null);
  const updated = changes.filter(({ before }) => before !== null);
  const refitted = changes.filter(({ before, after }) => !isSame(before?.variants, after.variants));
  return [
    ...jsonPieces(created.map(({ after }) => after)).map((json) => insertProducts(ctx, json)),
    ...jsonPieces(updated.map(rowOfUpdate)).map((json) => updateProducts(ctx, json)),
    ...(refitted.length > 0 ? replaceVariants(ctx, refitted) : []),
  ];
}

type Scope = Pick<Context, "db" | "business" | "now">;

const isSame = (a: unknown, b: unknown) => canonicalJson(a ?? []) === canonicalJson(b);

const insertProducts = ({ db, business }: Scope, json: string): Write =>
  db.insert(products).select(
    sql`select value ->> '$.id', ${business.id}, value ->> '$.name', value ->> '$.slug',
      value ->> '$.description', value ->> '$.categoryId', value ->> '$.taxonomyId',
      value ->> '$.defaultPriceMinor', value ->> '$.productType', value ->> '$.inventoryType',
      value ->> '$.isActive', value ->> '$.isFeatured', value -> '$.tags', value -> '$.properties',
      value -> '$.images', value -> '$.variantAxes', value -> '$.addOns',
      value -> '$.priceOverrides', value -> '$.schedules', value -> '$.billingPlanIds', 0,
      value -> '$.importedColumns', null, value ->> '$.createdAt', value ->> '$.updatedAt'
      from json_each(${json})`,
  );

const rowOfUpdate = ({ before, after }: StoredChange) => ({
  id: after.id,
  name: after.name,
  description: after.description,
  defaultPriceMinor: after.defaultPriceMinor,
  inventoryType: after.inventoryType,
  isActive: after.isActive,
  tags: after.tags,
  images: after.images,
  variantAxes: after.variantAxes,
  importedColumns: after.importedColumns,
  readAt: before?.updatedAt,
  updatedAt: after.updatedAt,
});

/** Only what a file knows of; fails on `products.updated_at` where a row is not as it was read. */
const updateProducts = ({ db, business }: Scope, json: string): Write =>
  db
    .update(products)
    .set({
      name: sql`entry.value ->> '$.name'`,
      description: sql`entry.value ->> '$.description'`,
      defaultPriceMinor: sql`entry.value ->> '$.defaultPriceMinor'`,
      inventoryType: sql`entry.value ->> '$.inventoryType'`,
      isActive: sql`entry.value ->> '$.isActive'`,
      tags: sql`entry.value -> '$.tags'`,
      images: sql`entry.value -> '$.images'`,
      variantAxes: sql`entry.value -> '$.variantAxes'`,
      importedColumns: sql`entry.value -> '$.importedColumns'`,
      updatedAt: sql`case when ${products.updatedAt} = entry.value ->> '$.readAt'
        and ${products.archivedAt} is null then entry.value ->> '$.updatedAt' end`,
    })
    .from(sql`json_each(${json}) as entry`)
    .where(
      and(sql`${products.id} = entry.value ->> '$.id'`, ownRow(products.businessId, business)),
    );

/** Archives those that left; the default is taken away before it is given, as there is only one. */
function replaceVariants(ctx: Scope, changes: readonly StoredChange[]): Write[] {
  const { db, business } = ctx;
  const productIds = JSON.stringify(changes.map(({ after }) => after.id));
  const rows = changes.flatMap(({ after }) =>
    after.variants.map((variant, position) => ({ ...variant, position })),
  );
  const staying = JSON.stringify(rows.map(({ id }) => id));
  return [
    db
      .update(productVariants)
      .set({
        isDefault: false,
        archivedAt: sql`case when ${productVariants.id} in (select value from json_each(${staying}))
          then null else ${ctx.now()} end`,
      })
      .where(
        and(
          sql`${productVariants.productId} in (select value from json_each(${productIds}))`,
          ownRow(productVariants.businessId, business),
          isNull(productVariants.archivedAt),
        ),
      ),
    ...jsonPieces(rows).map((json) => writeVariants(ctx, json)),
  ];
}

const writeVariants = ({ db, business }: Scope, json: string): Write =>
  db
    .insert(productVariants)
    .select(
      sql`select value ->> '$.id', ${business.id}, value ->> '$.productId', value ->> '$.position',
        value ->> '$.name', value ->> '$.priceAdjustmentMinor', value ->> '$.isDefault',
        value ->> '$.isActive', value ->> '$.sku', value -> '$.axisValues',
        value ->> '$.durationMinutes', value ->> '$.bufferMinutes', value ->> '$.capacity',
        value -> '$.importedColumns', null
        from json_each(${json}) where true`,
    )
    .onConflictDoUpdate({
      target: productVariants.id,
      set: {
        position: sql`excluded.position`,
        name: sql`excluded.name`,
        priceAdjustmentMinor: sql`excluded.price_adjustment_minor`,
        isDefault: sql`excluded.is_default`,
        sku: sql`excluded.sku`,
        axisValues: sql`excluded.axis_values`,
        importedColumns: sql`excluded.imported_columns`,
      },
      setWhere: eq(productVariants.businessId, business.id),
    });

/** Rows as JSON lists that D1 takes as one parameter each; none for no rows. */
function jsonPieces(rows: readonly unknown[]): string[] {
  const pieces: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (pieces.length === 0 || json.length > room) {
      pieces.push([]);
      room = maxPieceCharacters;
    }
    pieces.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return pieces.map((piece) => `[${piece.join(",")}]`);
}
