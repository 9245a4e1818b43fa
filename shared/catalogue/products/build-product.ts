import { nextUpdatedAt } from "../../database/index.ts";
import { freeSlug, invalid, type NewId, omitUndefined, slugOrDefault } from "../../kernel/index.ts";
import { type Product, type ProductType, standardTaxClass } from "../product.ts";
import { buildAddOns } from "./build-add-ons.ts";
import { buildImages } from "./build-images.ts";
import { assertDistinctAxes, assertValidAxisValues, buildVariants } from "./build-variants.ts";
import {
  assertNoNewArchivedLocation,
  buildSchedules,
  requireValidPriceOverrides,
  withoutRemovedVariants,
} from "./location-entries.ts";
import type { NewProduct, ProductPatch } from "./product-draft.ts";

/**
 * A new product from a merchant's input.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildProduct(
  input: NewProduct,
  {
    id,
    now,
    newId,
    takenSlugs,
  }: Readonly<{ id: string; now: number; newId: NewId; takenSlugs: readonly string[] }>,
): Product {
  const { variants, addOns, schedules, slug, variantAxes, images, ...fields } = input;
  assertDistinctAxes(variantAxes);
  return requireValidPrice({
    ...fields,
    compareAtPriceMinor: fields.compareAtPriceMinor ?? null,
    taxClass: fields.taxClass ?? standardTaxClass,
    weightGrams: fields.weightGrams ?? 0,
    requiresShipping: fields.requiresShipping ?? true,
    // An override cannot name a variant here, because the new variants have no ids yet.
    priceOverrides: requireValidPriceOverrides(fields.priceOverrides, []),
    id,
    slug: slug ?? freeSlug(slugOrDefault(input, "product"), takenSlugs, id),
    tags: [...new Set(fields.tags)],
    images: buildImages(images, [], newId),
    variantAxes,
    variants: buildVariants(variants, { productId: id, axes: variantAxes, previous: [] }, newId),
    addOns: buildAddOns(addOns, [], newId),
    schedules: buildSchedules(schedules, [], newId),
    bundle: null,
    composite: null,
    createdAt: now,
    updatedAt: now,
  });
}

/**
 * The product with the patch applied. A list in the patch replaces the whole list. An entry that
 * matches a previous entry keeps the previous id.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function applyProductPatch(
  product: Product,
  {
    variants: variantDrafts,
    images,
    addOns,
    slug,
    tags,
    priceOverrides,
    schedules,
    archivedLocationIds = [],
    ...fields
  }: ProductPatch,
  { now, newId }: Readonly<{ now: number; newId: NewId }>,
): Product {
  const axes = fields.variantAxes ?? product.variantAxes;
  assertDistinctAxes(axes);
  assertCompatibleType(product.productType, fields.productType ?? product.productType);
  const { id: productId, variants: previous } = product;
  const variants = variantDrafts
    ? buildVariants(variantDrafts, { productId, axes, previous }, newId)
    : previous;
  const after: Product = {
    ...product,
    ...omitUndefined(fields),
    slug: slug ?? product.slug,
    tags: tags ? [...new Set(tags)] : product.tags,
    images: images ? buildImages(images, product.images, newId) : product.images,
    variants,
    priceOverrides: priceOverrides
      ? requireValidPriceOverrides(priceOverrides, variants)
      : withoutRemovedVariants(product.priceOverrides, variants),
    addOns: addOns ? buildAddOns(addOns, product.addOns, newId) : product.addOns,
    schedules: schedules ? buildSchedules(schedules, product.schedules, newId) : product.schedules,
    updatedAt: nextUpdatedAt(now, product),
  };
  assertNoNewArchivedLocation(product, after, archivedLocationIds);
  if (!variantDrafts && fields.variantAxes) assertValidAxisValues(after.variants, axes);
  return requireValidPrice(after);
}

function requireValidPrice(product: Product): Product {
  if (product.defaultPriceMinor < 0) throw invalid("default_price", "must not be negative");
  if (product.compareAtPriceMinor !== null && product.compareAtPriceMinor < 0)
    throw invalid("compare_at_price", "must not be negative");
  return product;
}

const interchangeableTypes: readonly ProductType[] = ["product", "digital"];

/**
 * Rejects a change from or to services, bundles and composites, because these types have rows in
 * other tables.
 */
function assertCompatibleType(before: ProductType, after: ProductType): void {
  const areInterchangeable = [before, after].every((type) => interchangeableTypes.includes(type));
  if (before === after || areInterchangeable) return;
  throw invalid("product_type", `cannot change from ${before} to ${after}`);
}
