import { type Context, commit } from "../../database/index.ts";
import { demandNoOwnPrice } from "../definitions/bundle-price.ts";
import { audited, planUpdate } from "./plan-product.ts";
import type { ProductPatch } from "./product-draft.ts";
import { type ProductRecord, productRecordRepo } from "./product-record-repo.ts";
import { retryRaces } from "./retry-races.ts";

/**
 * Changes the fields that are sent; lists are replaced whole, their entries keep their ids
 * (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateProduct(
  ctx: Context,
  id: string,
  patch: ProductPatch,
): Promise<ProductRecord> {
  return retryRaces(async () => {
    const { record, found } = await productRecordRepo(ctx).getForUpdate(
      id,
      patch.categoryId ?? null,
    );
    const { bundle } = record.product;
    if (bundle) demandNoOwnPrice(bundle, patch, record.product);
    const plan = planUpdate(ctx, record, { patch, found });
    await commit(ctx, { ...plan.change, audit: [audited("product.updated", id, plan)] });
    return plan.record;
  });
}
