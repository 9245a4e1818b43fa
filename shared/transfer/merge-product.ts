import {
  type ImportedProduct,
  type InventoryType,
  optionNumbers,
  type ProductImage,
  type StoredProduct,
} from "../catalogue/index.ts";
import { canonicalJson, invalid, type NewId, nextUpdate } from "../kernel/index.ts";
import { columnsOfProduct } from "./imported-columns.ts";
import { mergedVariants } from "./merge-variants.ts";

/** A product of a file; partial where some of its rows could not be read. */
export type Draft = Readonly<{ product: ImportedProduct; isPartial: boolean }>;

type Merging = Readonly<{ productId: string; now: number; newId: NewId; currency: string }>;

/**
 * The product as the file has it; what the file does not tell of stays. `before` itself when
 * nothing differs.
 *
 * @throws Refusal VALIDATION_ERROR for a product with more options than a file has room for.
 */
export function mergedProduct(
  { product: file, isPartial }: Draft,
  before: StoredProduct | null,
  { productId, now, newId, currency }: Merging,
): StoredProduct {
  if (before && before.variantAxes.length > optionNumbers.length) {
    throw invalid("Option1 Name", "the product has more options than a file has room for");
  }
  const variants = mergedVariants(file, before, { productId, newId, currency, isPartial });
  const after: StoredProduct = {
    ...(before ?? { ...blank, id: productId, slug: file.handle, createdAt: now }),
    ...variants,
    name: file.title,
    description: file.description,
    isActive: file.isPublished,
    tags: sameTags(file, before) ?? file.tags,
    images: mergedImages(file, before?.images ?? []),
    inventoryType: inventoryTypeOf(file, before, variants.variants.length > 0),
    importedColumns: columnsOfProduct(file, currency),
    updatedAt: before?.updatedAt ?? now,
  };
  if (!before) return after;
  if (canonicalJson(after) === canonicalJson(before)) return before;
  return { ...after, updatedAt: nextUpdate(now, before) };
}

const blank = {
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

/** A comma in a tag of ours reads as two tags: they are compared as they would be written. */
const sameTags = ({ tags }: ImportedProduct, before: StoredProduct | null) =>
  before && before.tags.join(",").replaceAll(/\s*,\s*/g, ",") === tags.join(",")
    ? before.tags
    : null;

/** The primary image stays the primary one while it is there; else it is the first. */
function mergedImages(
  { images }: ImportedProduct,
  before: readonly ProductImage[],
): readonly ProductImage[] {
  const urls = images.map(({ url }) => url);
  if (canonicalJson(urls) === canonicalJson(before.map(({ url }) => url))) return before;
  const primary = before.find(({ url, isPrimary }) => isPrimary && urls.includes(url))?.url;
  const primaryAt = Math.max(0, primary === undefined ? 0 : urls.indexOf(primary));
  return urls.map((url, index) => ({ url, isPrimary: index === primaryAt }));
}

/** Without a quantity or tracker nothing is counted, unless it was; a product counted whole stays so. */
function inventoryTypeOf(
  { variants }: ImportedProduct,
  before: StoredProduct | null,
  hasVariants: boolean,
): InventoryType {
  const wasCounted = before !== null && before.inventoryType !== "none";
  if (!wasCounted && !variants.some(({ tracksInventory }) => tracksInventory)) return "none";
  const isCountedWhole = before?.inventoryType === "tracked" && before.variants.length > 0;
  return hasVariants && !isCountedWhole ? "variant_level" : "tracked";
}
