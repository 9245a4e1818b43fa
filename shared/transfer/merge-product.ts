import {
  buildImages,
  type InventoryType,
  type ProductImage,
  requiresShipping,
  type StoredProduct,
  standardTaxClass,
} from "../catalogue/index.ts";
import { nextUpdatedAt } from "../database/index.ts";
import { canonicalJson, invalid, type NewId } from "../kernel/index.ts";
import { optionNumbers, taxClassColumn } from "./csv/columns.ts";
import type { ImportedProduct } from "./csv/csv-product.ts";
import { toProductColumns } from "./kept-columns.ts";
import { mergeVariants } from "./merge-variants.ts";

/** A product of a file. `isPartial` is true when some of its rows could not be read. */
export type FileProduct = Readonly<{ product: ImportedProduct; isPartial: boolean }>;

type MergeContext = Readonly<{
  productId: string;
  /** The codes of the file that are tax classes of the business. */
  taxClasses: ReadonlySet<string>;
  now: number;
  newId: NewId;
}>;

/**
 * Applies the fields of the file to the stored product. Fields that a file does not have keep their
 * value. Returns `before` itself when nothing changes.
 *
 * @throws Refusal VALIDATION_ERROR for a stored product with more options than the format has, and
 * for an unknown tax class.
 */
export function mergeProduct(
  { product: file, isPartial }: FileProduct,
  before: StoredProduct | null,
  { productId, taxClasses, now, newId }: MergeContext,
): StoredProduct {
  if (before && before.variantAxes.length > optionNumbers.length) {
    throw invalid("Option1 Name", "the product has more options than a file has room for");
  }
  const variants = mergeVariants(file, before, { productId, newId, isPartial });
  const after: StoredProduct = {
    ...(before ?? { ...newProductFields, id: productId, slug: file.handle, createdAt: now }),
    ...variants,
    name: file.title,
    description: file.description,
    isActive: file.isPublished,
    taxClass: taxClassOf(file, before, taxClasses),
    tags: isSameTags(file, before) ? before.tags : file.tags,
    images: mergeImages(file, before?.images ?? [], newId),
    inventoryType: inventoryTypeOf(file, before, variants.variants.length > 0),
    ...mergeShipping(file, before),
    importedColumns: toProductColumns(file),
    updatedAt: before?.updatedAt ?? now,
  };
  if (!before) return after;
  if (canonicalJson(after) === canonicalJson(before)) return before;
  return { ...after, updatedAt: nextUpdatedAt(now, before) };
}

/** A file without the column, or with a blank cell, does not change the class. */
function taxClassOf(
  { taxClass }: ImportedProduct,
  before: StoredProduct | null,
  taxClasses: ReadonlySet<string>,
): string {
  const current = before?.taxClass ?? standardTaxClass;
  const wanted = taxClass ?? current;
  if (wanted === current || taxClasses.has(wanted)) return wanted;
  throw invalid(taxClassColumn, `no such tax class: ${wanted}`);
}

const newProductFields = {
  categoryId: null,
  taxonomyId: null,
  productType: "product",
  isFeatured: false,
  properties: {},
  addOns: [],
  priceOverrides: [],
  schedules: [],
  billingPlanIds: [],
} as const;

/**
 * Whether the tags are the same in written form. A stored tag that contains a comma reads as two
 * tags in a file, so lists of tags cannot be compared.
 */
const isSameTags = (
  { tags }: ImportedProduct,
  before: StoredProduct | null,
): before is StoredProduct =>
  before !== null && before.tags.join(",").replaceAll(/\s*,\s*/g, ",") === tags.join(",");

/**
 * The weight of a product without variants, and whether the product is shipped: whether any of its
 * rows says so. Cells that do not say it change nothing.
 */
function mergeShipping(
  { axes, variants }: ImportedProduct,
  before: StoredProduct | null,
): Pick<StoredProduct, "weightGrams" | "requiresShipping"> {
  const grams = axes.length === 0 ? (variants[0]?.grams ?? null) : null;
  const flags = variants.flatMap(({ requiresShipping: flag }) => flag ?? []);
  const isShipped = flags.length === 0 ? null : flags.includes(true);
  const isSame = isShipped === null || (before !== null && isShipped === requiresShipping(before));
  return {
    weightGrams: grams ?? before?.weightGrams ?? 0,
    requiresShipping: isSame ? (before?.requiresShipping ?? true) : isShipped,
  };
}

/**
 * The images of the file. The primary image stays primary if the file has it. Otherwise the first
 * image becomes primary.
 */
function mergeImages(
  { images }: ImportedProduct,
  before: readonly ProductImage[],
  newId: NewId,
): readonly ProductImage[] {
  const urls = images.map(({ url }) => url);
  if (canonicalJson(urls) === canonicalJson(before.map(({ url }) => url))) return before;
  const primaryUrl = before.find(({ url, isPrimary }) => isPrimary && urls.includes(url))?.url;
  const primaryIndex = Math.max(0, primaryUrl === undefined ? 0 : urls.indexOf(primaryUrl));
  const drafts = urls.map((url, index) => ({ url, isPrimary: index === primaryIndex }));
  return buildImages(drafts, before, newId);
}

/**
 * How stock is tracked after the import. An untracked product stays untracked, unless the file has
 * quantities or trackers. A product with variants that was tracked as a whole still is.
 */
function inventoryTypeOf(
  { variants }: ImportedProduct,
  before: StoredProduct | null,
  hasVariants: boolean,
): InventoryType {
  const wasTracked = before !== null && before.inventoryType !== "none";
  if (!wasTracked && !variants.some(({ tracksInventory }) => tracksInventory)) return "none";
  const isTrackedAsWhole = before?.inventoryType === "tracked" && before.variants.length > 0;
  return hasVariants && !isTrackedAsWhole ? "variant_level" : "tracked";
}
