import { type Context, commit } from "../../database/index.ts";
import { conflict, invalid } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import type { ListedCategory } from "./category.ts";
import { categoryFrom, type NewCategory, wantedCategorySlug } from "./category-draft.ts";
import { categoryRepo } from "./category-repo.ts";

/**
 * Puts a category into the catalogue (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR for an unknown parent; CONFLICT for a slug that is taken.
 */
export function createCategory(ctx: Context, input: NewCategory): Promise<ListedCategory> {
  const repo = categoryRepo(ctx);
  return retryRaces(async () => {
    const { takenSlugs, hasParent } = await repo.surroundings(
      wantedCategorySlug(input),
      input.parentId,
    );
    if (input.parentId !== null && !hasParent) throw invalid("parent_id", "no such category");
    const category = categoryFrom(input, { newId: ctx.newId, takenSlugs });
    await commit(ctx, {
      writes: [repo.insert(category, ctx.now()), raiseVersion(ctx)],
      audit: [{ action: "category.created", entity: category.id, after: category }],
      refusals: {
        "categories.slug": () =>
          conflict("Another category has this slug.", { retryable: input.slug === null }),
      },
    });
    return { ...category, productCount: 0 };
  });
}
