import type { Product, ProductImage, StoredImage, Variant } from "./product.ts";
import type { bundles, composites, products, productVariants } from "./tables.ts";

export type ProductRow = typeof products.$inferSelect;
export type VariantRow = typeof productVariants.$inferSelect;
export type BundleRow = typeof bundles.$inferSelect;
export type CompositeRow = typeof composites.$inferSelect;

/** The rows of several products from all tables. `toProduct` selects the rows of one product. */
export type ProductParts = Readonly<{
  variants: readonly VariantRow[];
  bundles: readonly BundleRow[];
  composites: readonly CompositeRow[];
}>;

/** The fields of a product that come from its own row. */
export function toProductFields(row: ProductRow) {
  const { businessId: _, archivedAt: __, importedColumns: ___, popularity: ____, ...fields } = row;
  return { ...fields, images: withImageIds(row) };
}

/**
 * The images of a product. An image without a stored id gets one from the product's id and the
 * image's position. The next write of the product stores this id.
 */
const withImageIds = ({
  id: productId,
  images,
}: Readonly<{ id: string; images: readonly StoredImage[] }>): readonly ProductImage[] =>
  images.map(({ id, url, isPrimary }, index) => ({
    id: id ?? `img_${productId.slice("prod_".length, -3)}${String(index).padStart(3, "0")}`,
    url,
    isPrimary,
  }));

export function toVariant(row: VariantRow): Variant {
  const { businessId: _, archivedAt: __, importedColumns: ___, position: ____, ...variant } = row;
  return variant;
}

export function toProduct(row: ProductRow, parts: ProductParts): Product {
  const isPart = ({ productId }: Readonly<{ productId: string }>) => productId === row.id;
  return {
    ...toProductFields(row),
    variants: parts.variants.filter(isPart).map(toVariant),
    bundle: withoutBusinessId(parts.bundles.find(isPart)),
    composite: withoutBusinessId(parts.composites.find(isPart)),
  };
}

function withoutBusinessId<R extends { businessId: string }>(
  row: R | undefined,
): Omit<R, "businessId"> | null {
  if (!row) return null;
  const { businessId: _, ...record } = row;
  return record;
}
