import type { Patch } from "../../kernel/index.ts";
import type { AddOnGroup, AddOnOption, Product, Variant } from "../product.ts";
import type { ScheduleRule } from "../schedules/schedule.ts";

/** A list entry as a merchant writes it; the id names an entry that already exists. */
type EntryDraft<T extends { id: string }> = Omit<T, "id"> & Readonly<{ id?: string | undefined }>;

export type VariantDraft = EntryDraft<Omit<Variant, "productId">>;

export type AddOnOptionDraft = EntryDraft<AddOnOption>;

export type AddOnDraft = Omit<EntryDraft<AddOnGroup>, "options"> &
  Readonly<{ options: readonly AddOnOptionDraft[] }>;

export type ScheduleDraft = EntryDraft<ScheduleRule>;

/** A product as a merchant writes it; without a slug it gets one made from its name. */
export type NewProduct = Omit<
  Product,
  | "id"
  | "slug"
  | "variants"
  | "addOns"
  | "schedules"
  | "bundle"
  | "composite"
  | "createdAt"
  | "updatedAt"
> &
  Readonly<{
    slug: string | null;
    variants: readonly VariantDraft[];
    addOns: readonly AddOnDraft[];
    schedules: readonly ScheduleDraft[];
  }>;

/** A list in a patch replaces the whole list. */
export type ProductPatch = Patch<NewProduct> & ArchivedLocations;

export type ArchivedLocations = Readonly<{
  /**
   * Archived locations that the patch names. They may stay in a list but cannot be added to one.
   */
  archivedLocationIds?: readonly string[] | undefined;
}>;
