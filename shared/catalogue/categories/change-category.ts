import {
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { conflict, invalid, ruleViolation, slugOrDefault } from "../../kernel/index.ts";
import { raiseCatalogueVersion } from "../catalogue-version-repo.ts";
import {
  applyCategoryPatch,
  buildCategory,
  type CategoryPatch,
  type ListedCategory,
  type NewCategory,
} from "./category.ts";
import { categoryRepo, categoryWriteRepo } from "./category-repo.ts";

/**
 * Creates a category.
 * @throws Refusal VALIDATION_ERROR for an unknown parent; CONFLICT for a slug that is taken.
 */
export function createCategory(ctx: Context, input: NewCategory): Promise<ListedCategory> {
  return retryOnConflict(async () => {
    const { takenSlugs, parentExists } = await categoryRepo(ctx).findForInsert(
      slugOrDefault(input, "category"),
      input.parentId,
    );
    if (input.parentId !== null && !parentExists) throw invalid("parent_id", "no such category");
    const category = buildCategory(input, { newId: ctx.newId, takenSlugs });
    await commit(ctx, {
      writes: [categoryWriteRepo(ctx).insert(category, ctx.now()), raiseCatalogueVersion(ctx)],
      audit: [{ action: "category.created", entity: category.id, after: category }],
      refusals: {
        "categories.slug": () =>
          conflict("Another category has this slug.", { retryable: input.slug === null }),
      },
    });
    return { ...category, productCount: 0 };
  });
}

/**
 * Changes the fields that the patch contains.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR for an unknown parent; CATEGORY_CYCLE for a parent
 * that is the category itself or below it; CONFLICT for a slug that is taken.
 */
export function updateCategory(
  ctx: Context,
  id: string,
  patch: CategoryPatch,
): Promise<ListedCategory> {
  return retryOnConflict(async () => {
    const { record, parentExists } = await categoryRepo(ctx).getForUpdate(id, patch.parentId);
    if (patch.parentId && !parentExists) throw invalid("parent_id", "no such category");
    const { productCount, ...before } = record.category;
    const after = applyCategoryPatch(before, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [categoryWriteRepo(ctx).update(record, after, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "category.updated", entity: id, before, after }],
      refusals: {
        "categories.sort_order": () =>
          ruleViolation("CATEGORY_CYCLE", "A category cannot be below itself.", {
            field: "parent_id",
          }),
        "categories.slug": () => conflict("Another category has this slug."),
        ...staleWriteRefusal("categories", "category"),
      },
    });
    return { ...after, productCount };
  });
}

/**
 * Archives a category. Its subcategories and products move to its parent. Repeating the call
 * changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveCategory(ctx: Context, id: string): Promise<ListedCategory> {
  return retryOnConflict(async () => {
    const record = await categoryRepo(ctx).getEvenArchived(id);
    if (record.isArchived) return record.category;
    const { productCount: _, ...before } = record.category;
    const archivedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [...categoryWriteRepo(ctx).archive(record, archivedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "category.archived", entity: id, before }],
      refusals: staleWriteRefusal("categories", "category"),
    });
    return { ...record.category, productCount: 0 };
  });
}
