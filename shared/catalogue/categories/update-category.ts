import { type Context, commit } from "../../database/index.ts";
import { conflict, invalid, nextUpdate, ruleBroken } from "../../kernel/index.ts";
import { changedMeanwhile } from "../change-record.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import type { ListedCategory } from "./category.ts";
import { type CategoryPatch, patchedCategory } from "./category-draft.ts";
import { categoryRepo } from "./category-repo.ts";

/**
 * Changes the fields that are sent (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR for an unknown parent; CATEGORY_CYCLE for a parent that
 * is the category itself or stands below it; CONFLICT for a slug that is taken.
 */
export function updateCategory(
  ctx: Context,
  id: string,
  patch: CategoryPatch,
): Promise<ListedCategory> {
  const repo = categoryRepo(ctx);
  return retryRaces(async () => {
    const { record, hasParent } = await repo.getForUpdate(id, patch.parentId);
    if (patch.parentId && !hasParent) throw invalid("parent_id", "no such category");
    const { productCount, ...before } = record.category;
    const after = patchedCategory(before, patch);
    await commit(ctx, {
      writes: [repo.update(record, after, nextUpdate(ctx.now(), record)), raiseVersion(ctx)],
      audit: [{ action: "category.updated", entity: id, before, after }],
      refusals: {
        "categories.sort_order": () =>
          ruleBroken("CATEGORY_CYCLE", "A category cannot stand below itself.", {
            field: "parent_id",
          }),
        "categories.slug": () => conflict("Another category has this slug."),
        ...changedMeanwhile("categories", "category"),
      },
    });
    return { ...after, productCount };
  });
}
