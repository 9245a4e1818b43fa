import type { Patch } from "../../kernel/index.ts";
import type { AddOnGroup, AddOnOption, Product, Variant } from "../product.ts";
import type { ScheduleRule } from "../schedules/schedule-rule.ts";

/** An entry as a merchant writes it: the id only of one that stands already. */
type Draft<T extends { id: string }> = Omit<T, "id"> & Readonly<{ id?: string | undefined }>;

export type VariantDraft = Draft<Omit<Variant, "productId">>;

export type AddOnOptionDraft = Draft<AddOnOption>;

export type AddOnDraft = Omit<Draft<AddOnGroup>, "options"> &
  Readonly<{ options: readonly AddOnOptionDraft[] }>;

export type ScheduleDraft = Draft<ScheduleRule>;

/** A product as a merchant writes it; a slug left out is made from the name. */
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

/** The lists of a patch are whole: what is not in them leaves. */
export type ProductPatch = Patch<NewProduct> & NamedPlaces;

export type NamedPlaces = Readonly<{
  /** Those of the locations it names that are archived: they may stay, and come nowhere new. */
  archivedLocationIds?: readonly string[] | undefined;
}>;
