import type { Patch } from "../../kernel/index.ts";
import type { AddOnGroup, AddOnOption, Product, ProductImage, Variant } from "../product.ts";
import type { ScheduleRule } from "../schedules/schedule.ts";

/** An entry of a list from a merchant. An id refers to an entry that already exists. */
type EntryDraft<T extends { id: string }> = Omit<T, "id"> & Readonly<{ id?: string | undefined }>;

/** A former price that is left out is none. */
type CompareAtDraft = Partial<Pick<Product, "compareAtPriceMinor">>;

/** A tax class that is left out is `standard`. */
type TaxClassDraft = Partial<Pick<Product, "taxClass">>;

/** Left out, a product weighs nothing and is shipped, and a variant weighs what its product does. */
type ShippingDraft = Partial<Pick<Product, "weightGrams" | "requiresShipping">>;

export type VariantDraft = EntryDraft<
  Omit<Variant, "productId" | "compareAtPriceMinor" | "weightGrams">
> &
  CompareAtDraft &
  Partial<Pick<Variant, "weightGrams">>;

export type AddOnOptionDraft = EntryDraft<AddOnOption>;

export type AddOnDraft = Omit<EntryDraft<AddOnGroup>, "options"> &
  Readonly<{ options: readonly AddOnOptionDraft[] }>;

export type ImageDraft = EntryDraft<ProductImage>;

export type ScheduleDraft = EntryDraft<ScheduleRule>;

/** A new product from a merchant. Without a slug, the slug is made from the name. */
export type NewProduct = Omit<
  Product,
  | "id"
  | "slug"
  | "compareAtPriceMinor"
  | "taxClass"
  | "weightGrams"
  | "requiresShipping"
  | "images"
  | "variants"
  | "addOns"
  | "schedules"
  | "bundle"
  | "composite"
  | "createdAt"
  | "updatedAt"
> &
  CompareAtDraft &
  TaxClassDraft &
  ShippingDraft &
  Readonly<{
    slug: string | null;
    images: readonly ImageDraft[];
    variants: readonly VariantDraft[];
    addOns: readonly AddOnDraft[];
    schedules: readonly ScheduleDraft[];
  }>;

/** A change of a product. A list in the patch replaces the whole list. */
export type ProductPatch = Patch<NewProduct> & ArchivedLocations;

export type ArchivedLocations = Readonly<{
  /**
   * The archived locations among those that the patch names. Entries for them may stay but not be
   * added.
   */
  archivedLocationIds?: readonly string[] | undefined;
}>;
