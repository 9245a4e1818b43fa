import { type Context, commit, retryOnConflict } from "../../database/index.ts";
import { assertNoOwnPrice } from "../definitions/bundle-price.ts";
import type { Product } from "../product.ts";
import {
  planNewProduct,
  planProductArchive,
  planProductUpdate,
  productAuditEntry,
} from "./plan-product.ts";
import type { NewProduct, ProductPatch } from "./product-draft.ts";
import { newProductQueries, type ProductRecord, productRecordRepo } from "./product-record-repo.ts";

/**
 * Creates a product.
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createProduct(ctx: Context, input: NewProduct): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const plan = planNewProduct(ctx, input, await ctx.db.batch(newProductQueries(ctx, input)));
    await commit(ctx, {
      ...plan.change,
      audit: [productAuditEntry("product.created", plan.record.product.id, plan)],
    });
    return plan.record;
  });
}

/**
 * Changes the fields that the patch contains. A list in the patch replaces the whole list. An entry
 * that matches a previous entry keeps the previous id.
 *
 * @param change the patch, or a function that makes it from the product as it is stored.
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateProduct(
  ctx: Context,
  id: string,
  change: ProductPatch | ((product: Product) => Omit<ProductPatch, "categoryId">),
): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const categoryId = typeof change === "function" ? null : (change.categoryId ?? null);
    const { record, newCategory } = await productRecordRepo(ctx).getForUpdate(id, categoryId);
    const patch = typeof change === "function" ? change(record.product) : change;
    const { bundle } = record.product;
    if (bundle) assertNoOwnPrice(bundle, patch, record.product);
    const plan = planProductUpdate(ctx, record, { patch, newCategory });
    await commit(ctx, { ...plan.change, audit: [productAuditEntry("product.updated", id, plan)] });
    return plan.record;
  });
}

/**
 * Archives a product permanently. Repeating the call changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveProduct(ctx: Context, id: string): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const record = await productRecordRepo(ctx).getEvenArchived(id);
    if (record.isArchived) return record;
    const plan = planProductArchive(ctx, record);
    await commit(ctx, { ...plan.change, audit: [productAuditEntry("product.archived", id, plan)] });
    return plan.record;
  });
}
