import { defaultLocation, type ShopContext } from "../businesses/index.ts";
import {
  compareAtPriceOf,
  type ProductCursor,
  requiresShipping,
  type StoredProduct,
  storedProductRepo,
  weightOf,
} from "../catalogue/index.ts";
import { levelsAtLocationQuery } from "../inventory/index.ts";
import { defaultOption, exportColumns, taxClassColumn } from "./csv/columns.ts";
import type { CsvProduct, CsvVariant } from "./csv/csv-product.ts";
import { writeProducts } from "./csv/write-products.ts";
import { fromOnlyVariantColumns, fromProductColumns, fromVariantColumns } from "./kept-columns.ts";
import { fileCompareAtPrice } from "./merge-variants.ts";

const pageSize = 200;

/**
 * Exports all products, also inactive ones, as a CSV stream in the order of creation. Importing the
 * same file again changes nothing. Quantities are those of the default location.
 */
export async function exportProducts(ctx: ShopContext): Promise<AsyncIterable<string>> {
  const { importedColumns, hasTaxClasses } = await storedProductRepo(ctx).findUsedColumns();
  const columns = exportColumns([...importedColumns, ...(hasTaxClasses ? [taxClassColumn] : [])]);
  return writeProducts(readAllProducts(ctx), { currency: ctx.business.currency, columns });
}

async function* readAllProducts(ctx: ShopContext): AsyncGenerator<CsvProduct> {
  let after: ProductCursor | null = null;
  do {
    const page = await findPage(ctx, after);
    yield* page.products;
    after = page.nextCursor;
  } while (after !== null);
}

/** Reads a page in one round trip. `nextCursor` is null on the last page. */
async function findPage(
  ctx: ShopContext,
  after: ProductCursor | null,
): Promise<{ products: readonly CsvProduct[]; nextCursor: ProductCursor | null }> {
  const repo = storedProductRepo(ctx);
  const productIds = repo.idsOfPage({ limit: pageSize, after });
  const locationId = defaultLocation(ctx.business).id;
  const [rows, variantRows, levels] = await ctx.db.batch([
    ...repo.queries(productIds),
    levelsAtLocationQuery(ctx, { productIds, locationId }),
  ]);
  const onHand = new Map(levels.map(({ itemId, quantityOnHand }) => [itemId, quantityOnHand]));
  return {
    products: repo.fromRows(rows, variantRows).map((product) => toCsvProduct(product, { onHand })),
    nextCursor: rows.length < pageSize ? null : (rows.at(-1) ?? null),
  };
}

type ExportContext = Readonly<{
  /** The quantity at the default location, by stock item id. */
  onHand: ReadonlyMap<string, number>;
}>;

function toCsvProduct(product: StoredProduct, context: ExportContext): CsvProduct {
  const { unmappedColumns, altTextOf } = fromProductColumns(product.importedColumns);
  return {
    handle: product.slug,
    title: product.name,
    description: product.description,
    tags: product.tags,
    isPublished: product.isActive,
    taxClass: product.taxClass,
    images: product.images.map(({ url }, index) => ({
      url,
      position: index + 1,
      alt: altTextOf(url),
    })),
    axes: product.variantAxes,
    defaultPriceMinor: product.defaultPriceMinor,
    variants:
      product.variants.length > 0
        ? toCsvVariants(product, context)
        : [toOnlyVariant(product, context)],
    unmappedColumns,
  };
}

/**
 * The variants as CSV rows. If stock is tracked for the product as a whole, its quantity is in the
 * first row.
 */
function toCsvVariants(product: StoredProduct, { onHand }: ExportContext): CsvVariant[] {
  const { inventoryType } = product;
  return product.variants.map((variant, index) => {
    const itemId = inventoryType === "variant_level" ? variant.id : index === 0 ? product.id : "";
    return {
      axisValues: variant.axisValues,
      name: variant.name,
      sku: variant.sku,
      priceAdjustmentMinor: variant.priceAdjustmentMinor,
      compareAtMinor: fileCompareAtPrice(compareAtPriceOf(product, variant)),
      quantity: inventoryType === "none" ? null : (onHand.get(itemId) ?? null),
      tracksInventory: inventoryType !== "none",
      grams: weightOf(product, variant),
      requiresShipping: requiresShipping(product),
      ...fromVariantColumns(variant.importedColumns),
    };
  });
}

/** The only row of a product without variants, as a variant. */
const toOnlyVariant = (product: StoredProduct, { onHand }: ExportContext): CsvVariant => ({
  axisValues: {},
  name: defaultOption.value,
  priceAdjustmentMinor: 0,
  compareAtMinor: fileCompareAtPrice(product.compareAtPriceMinor),
  quantity: product.inventoryType === "none" ? null : (onHand.get(product.id) ?? null),
  tracksInventory: product.inventoryType !== "none",
  grams: product.weightGrams,
  requiresShipping: requiresShipping(product),
  ...fromOnlyVariantColumns(product.importedColumns),
});
