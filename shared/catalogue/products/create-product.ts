import { type Context, commit } from "../../database/index.ts";
import { audited, planInsert } from "./plan-product.ts";
import type { NewProduct } from "./product-draft.ts";
import type { ProductRecord } from "./product-record-repo.ts";
import { newProductQueries } from "./product-write-repo.ts";
import { retryRaces } from "./retry-races.ts";
import { wantedSlug } from "./write-product.ts";

/**
 * Puts a product into the catalogue (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createProduct(ctx: Context, input: NewProduct): Promise<ProductRecord> {
  return retryRaces(async () => {
    const wanted = { slug: wantedSlug(input), categoryId: input.categoryId };
    const plan = planInsert(ctx, input, await ctx.db.batch(newProductQueries(ctx, wanted)));
    await commit(ctx, {
      ...plan.change,
      audit: [audited("product.created", plan.record.product.id, plan)],
    });
    return plan.record;
  });
}
