import type { Context } from "../../database/index.ts";
import {
  invalidFields,
  notFound,
  omitUndefined,
  type Patch,
  Refusal,
  ruleViolation,
} from "../../kernel/index.ts";
import type { AddOnOption, Product, ProductImage, Variant } from "../product.ts";
import { imagesBeside } from "./build-images.ts";
import { updateProduct } from "./change-product.ts";
import type { ProductPatch } from "./product-draft.ts";

// One variant, add-on option or image of a product, changed through the product's own update. The
// patch is made from the stored product, so concurrent changes of two parts both take effect.

type Part = Readonly<{ id: string }>;
type PartPatch<T extends Part> = Patch<Omit<T, "id" | "productId">>;

export type VariantPatch = PartPatch<Variant>;
export type AddOnOptionPatch = PartPatch<AddOnOption>;
export type ProductImagePatch = PartPatch<ProductImage> &
  Readonly<{
    /** The image's place among the product's, from 1. Beyond the end it is the last. */
    position?: number | undefined;
  }>;

/** An option and the group that it belongs to. */
export type AddOnOptionPath = Readonly<{ groupId: string; optionId: string }>;

/** @throws Refusal NOT_FOUND. */
export const findVariantOf = ({ variants }: Product, id: string): Variant =>
  requirePart(variants, id, "variant");

/** @throws Refusal NOT_FOUND. */
export const findOptionOf = ({ addOns }: Product, path: AddOnOptionPath): AddOnOption =>
  requirePart(requirePart(addOns, path.groupId, "add-on group").options, path.optionId, "option");

/** @throws Refusal NOT_FOUND. */
export const findImageOf = ({ images }: Product, id: string): ProductImage =>
  requirePart(images, id, "image");

/**
 * Changes the named fields of a variant. A new default variant replaces the previous one.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; INVALID_STATE when the product
 *   would have no default variant.
 */
export async function updateVariant(
  ctx: Context,
  { productId, variantId }: Readonly<{ productId: string; variantId: string }>,
  patch: VariantPatch,
): Promise<Variant> {
  const product = await updatePart(ctx, productId, (before) => {
    if (findVariantOf(before, variantId).isDefault && patch.isDefault === false)
      throw ruleViolation("INVALID_STATE", "Make another variant the default instead.");
    const others = before.variants.map((variant) =>
      patch.isDefault ? { ...variant, isDefault: false } : variant,
    );
    return { variants: withPatchedPart(others, variantId, patch) };
  });
  return findVariantOf(product, variantId);
}

/**
 * Removes a variant. When it was the default, the first of the others becomes the default.
 *
 * @throws Refusal NOT_FOUND.
 */
export const removeVariant = (
  ctx: Context,
  { productId, variantId }: Readonly<{ productId: string; variantId: string }>,
): Promise<Variant> =>
  removePart(ctx, productId, (product) => ({
    removed: findVariantOf(product, variantId),
    patch: { variants: withoutPart(product.variants, variantId) },
  }));

/**
 * Changes the named fields of an add-on option.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field.
 */
export async function updateAddOnOption(
  ctx: Context,
  { productId, ...path }: AddOnOptionPath & Readonly<{ productId: string }>,
  patch: AddOnOptionPatch,
): Promise<AddOnOption> {
  const product = await updatePart(ctx, productId, (before) =>
    withOptions(before, path, (options) => withPatchedPart(options, path.optionId, patch)),
  );
  return findOptionOf(product, path);
}

/**
 * Removes an add-on option.
 *
 * @throws Refusal NOT_FOUND; INVALID_STATE for the only option of its group.
 */
export const removeAddOnOption = (
  ctx: Context,
  { productId, ...path }: AddOnOptionPath & Readonly<{ productId: string }>,
): Promise<AddOnOption> =>
  removePart(ctx, productId, (product) => ({
    removed: findOptionOf(product, path),
    patch: withOptions(product, path, (options) => {
      if (options.length > 1) return withoutPart(options, path.optionId);
      throw ruleViolation(
        "INVALID_STATE",
        "A group needs an option. Remove the group from the product's add_ons instead.",
      );
    }),
  }));

/**
 * Changes the named fields of an image. A new primary image replaces the previous one.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function updateProductImage(
  ctx: Context,
  { productId, imageId }: Readonly<{ productId: string; imageId: string }>,
  { position, ...patch }: ProductImagePatch,
): Promise<ProductImage> {
  const product = await updatePart(ctx, productId, (before) => {
    findImageOf(before, imageId);
    const images = withPatchedPart(imagesBeside(before.images, patch), imageId, patch);
    return { images: position === undefined ? images : withPartAt(images, imageId, position) };
  });
  return findImageOf(product, imageId);
}

/** Removes an image; its file stays an asset. @throws Refusal NOT_FOUND. */
export const removeProductImage = (
  ctx: Context,
  { productId, imageId }: Readonly<{ productId: string; imageId: string }>,
): Promise<ProductImage> =>
  removePart(ctx, productId, (product) => ({
    removed: findImageOf(product, imageId),
    patch: { images: withoutPart(product.images, imageId) },
  }));

async function updatePart(
  ctx: Context,
  productId: string,
  patchFor: (product: Product) => ProductPatch,
): Promise<Product> {
  try {
    return (await updateProduct(ctx, productId, patchFor)).product;
  } catch (error) {
    throw withFieldsOfPart(error);
  }
}

async function removePart<T extends Part>(
  ctx: Context,
  productId: string,
  removalFrom: (product: Product) => Readonly<{ removed: T; patch: ProductPatch }>,
): Promise<T> {
  const removals: T[] = [];
  await updatePart(ctx, productId, (product) => {
    const { removed, patch } = removalFrom(product);
    removals.push(removed);
    return patch;
  });
  const last = removals.at(-1);
  if (!last) throw notFound("product");
  return last;
}

function requirePart<T extends Part>(parts: readonly T[], id: string, noun: string): T {
  const part = parts.find((candidate) => candidate.id === id);
  if (!part) throw notFound(noun);
  return part;
}

const withPatchedPart = <T extends Part>(
  parts: readonly T[],
  id: string,
  patch: PartPatch<T>,
): readonly T[] =>
  parts.map((part) => (part.id === id ? { ...part, ...omitUndefined(patch) } : part));

/** The parts with one of them at another position, counted from 1. */
function withPartAt<T extends Part>(
  parts: readonly T[],
  id: string,
  position: number,
): readonly T[] {
  const moved = parts.filter((part) => part.id === id);
  return withoutPart(parts, id).toSpliced(position - 1, 0, ...moved);
}

const withoutPart = <T extends Part>(parts: readonly T[], id: string): readonly T[] =>
  parts.filter((part) => part.id !== id);

/** The product's add-ons with changed options in one group. @throws Refusal NOT_FOUND. */
function withOptions(
  product: Product,
  path: AddOnOptionPath,
  change: (options: readonly AddOnOption[]) => readonly AddOnOption[],
): ProductPatch {
  findOptionOf(product, path);
  return {
    addOns: product.addOns.map((group) =>
      group.id === path.groupId ? { ...group, options: change(group.options) } : group,
    ),
  };
}

const listPrefix = /^(?:variants|images|add_ons\.\d+\.options)\.\d+\./;

/** A refusal that names a field of the part, such as `price`, and not of the product's list. */
function withFieldsOfPart(error: unknown): unknown {
  const issues = error instanceof Refusal ? error.context?.issues : undefined;
  if (!issues) return error;
  return invalidFields(
    issues.map(({ field, message }) => ({ field: field.replace(listPrefix, ""), message })),
  );
}
