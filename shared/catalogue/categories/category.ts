import { freeSlug, type NewId, type Patch, slugOrDefault } from "../../kernel/index.ts";

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

/** A category with the number of active products in it and in its subcategories. */
export type ListedCategory = Category & Readonly<{ productCount: number }>;

export type CategoryName = Pick<Category, "id" | "name" | "slug">;

/** A new category from the merchant. Without a slug, the slug is made from the name. */
export type NewCategory = Omit<Category, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CategoryPatch = Patch<NewCategory>;

/**
 * Builds a category. A slug made from the name avoids taken slugs. For a slug from the input, the
 * unique index decides.
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
