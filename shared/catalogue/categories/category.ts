import type { NewId, Patch } from "../../kernel/index.ts";
import { freeSlug, slugOrDefault } from "../slug.ts";

export type Category = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  parentId: string | null;
  imageUrl: string | null;
  sortOrder: number;
  metadata: Readonly<Record<string, unknown>>;
}>;

/** A category with the number of active products that are in it, not counting its subcategories. */
export type ListedCategory = Category & Readonly<{ productCount: number }>;

export type CategoryName = Pick<Category, "id" | "name" | "slug">;

/** A category as a merchant writes it; without a slug it gets one made from its name. */
export type NewCategory = Omit<Category, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CategoryPatch = Patch<NewCategory>;

/**
 * A slug made from the name avoids taken ones; a slug from the input is left to the unique index.
 */
export const buildCategory = (
  input: NewCategory,
  { newId, takenSlugs }: { newId: NewId; takenSlugs: readonly string[] },
): Category => {
  const id = newId("cat");
  const slug = input.slug ?? freeSlug(slugOrDefault(input, "category"), takenSlugs, id);
  return { ...input, id, slug };
};

export const applyCategoryPatch = (category: Category, patch: CategoryPatch): Category => ({
  id: category.id,
  name: patch.name ?? category.name,
  slug: patch.slug ?? category.slug,
  description: patch.description ?? category.description,
  parentId: patch.parentId === undefined ? category.parentId : patch.parentId,
  imageUrl: patch.imageUrl === undefined ? category.imageUrl : patch.imageUrl,
  sortOrder: patch.sortOrder ?? category.sortOrder,
  metadata: patch.metadata ?? category.metadata,
});
