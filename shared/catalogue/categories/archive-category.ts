import { type Context, commit } from "../../database/index.ts";
import { nextUpdate } from "../../kernel/index.ts";
import { changedMeanwhile } from "../change-record.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import type { ListedCategory } from "./category.ts";
import { categoryRepo } from "./category-repo.ts";

/**
 * Takes a category out of the catalogue for good; its subcategories and products move up to its
 * parent. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveCategory(ctx: Context, id: string): Promise<ListedCategory> {
  const repo = categoryRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.isArchived) return record.category;
    const { productCount: _, ...before } = record.category;
    await commit(ctx, {
      writes: [...repo.archive(record, nextUpdate(ctx.now(), record)), raiseVersion(ctx)],
      audit: [{ action: "category.archived", entity: id, before }],
      refusals: changedMeanwhile("categories", "category"),
    });
    return { ...record.category, productCount: 0 };
  });
}
