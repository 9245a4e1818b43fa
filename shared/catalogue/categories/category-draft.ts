import type { NewId } from "../../kernel/index.ts";
import type { Patch } from "../products/product-draft.ts";
import { freeSlug, slugFrom } from "../products/slug.ts";
import type { Category } from "./category.ts";

/** A category as a merchant writes it; a slug left out is made from the name. */
export type NewCategory = Omit<Category, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CategoryPatch = Patch<NewCategory>;

export const wantedCategorySlug = ({ slug, name }: Pick<NewCategory, "slug" | "name">): string =>
  slug ?? slugFrom(name, "category");

export const categoryFrom = (
  input: NewCategory,
  { newId, takenSlugs }: { newId: NewId; takenSlugs: readonly string[] },
): Category => {
  const id = newId("cat");
  return {
    ...input,
    id,
    slug: input.slug ?? freeSlug(wantedCategorySlug(input), takenSlugs, id),
  };
};

export const patchedCategory = (category: Category, patch: CategoryPatch): Category => ({
  id: category.id,
  name: patch.name ?? category.name,
  slug: patch.slug ?? category.slug,
  description: patch.description ?? category.description,
  parentId: patch.parentId === undefined ? category.parentId : patch.parentId,
  imageUrl: patch.imageUrl === undefined ? category.imageUrl : patch.imageUrl,
  sortOrder: patch.sortOrder ?? category.sortOrder,
  metadata: patch.metadata ?? category.metadata,
});
