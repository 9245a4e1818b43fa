import type { NewId, Patch } from "../../kernel/index.ts";
import { freeSlug, slugFrom } from "../products/slug.ts";
import type { Category } from "./category.ts";

/** A category as a merchant writes it; a slug left out is made from the name. */
export type NewCategory = Omit<Category, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CategoryPatch = Patch<NewCategory>;

/** As it was sent, or made of the name; another category may have it. */
export const wantedCategorySlug = ({ slug, name }: Pick<NewCategory, "slug" | "name">): string =>
  slug ?? slugFrom(name, "category");

/**
 * A slug that was made of the name is one that is free; a sent one stays, for the database to
 * refuse.
 */
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
