import { type Context, commit, nextUpdatedAt, retryOnConflict } from "../../database/index.ts";
import { notFound, type Refusal } from "../../kernel/index.ts";
import { productChange } from "./plan-product.ts";
import { type ProductStatusRow, productStatusRepo } from "./product-status-repo.ts";

/** Archived products leave the shop and the merchant's lists for good. */
export const productStatuses = ["active", "inactive", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** What became of one product. `refusal` says why its status was not changed. */
export type ProductStatusResult = Readonly<{
  productId: string;
  /** The status that the product has now; null for an unknown product. */
  status: ProductStatus | null;
  refusal: Refusal | null;
}>;

/**
 * Activates, deactivates or archives several products in one batch. The number of statements does not
 * grow with the products. An archived product is like an unknown one, except for archiving it again.
 */
export function changeProductStatuses(
  ctx: Context,
  productIds: readonly string[],
  status: ProductStatus,
): Promise<readonly ProductStatusResult[]> {
  return retryOnConflict(async () => {
    const rows = await productStatusRepo(ctx).listByIds(productIds);
    const known = rows.filter((row) => statusOf(row) !== "archived" || status === "archived");
    await commitStatus(
      ctx,
      known.filter((row) => statusOf(row) !== status),
      status,
    );
    const knownIds = new Set(known.map(({ id }) => id));
    return productIds.map((productId) =>
      knownIds.has(productId)
        ? { productId, status, refusal: null }
        : { productId, status: null, refusal: notFound("product") },
    );
  });
}

const statusOf = ({ isActive, archivedAt }: ProductStatusRow): ProductStatus =>
  archivedAt !== null ? "archived" : isActive ? "active" : "inactive";

/** @throws Refusal CONFLICT (retryable) when a product changed meanwhile; none is changed. */
async function commitStatus(
  ctx: Context,
  rows: readonly ProductStatusRow[],
  status: ProductStatus,
): Promise<void> {
  if (rows.length === 0) return;
  const changes = rows.map(({ id, updatedAt }) => ({
    id,
    previousUpdatedAt: updatedAt,
    updatedAt: nextUpdatedAt(ctx.now(), { updatedAt }),
  }));
  const isArchived = status === "archived";
  const isActive = status === "active";
  await commit(ctx, {
    ...productChange(ctx, [productStatusRepo(ctx).update(changes, { isActive, isArchived })]),
    audit: rows.map(({ id, name, slug, isActive: wasActive }) => ({
      action: isArchived ? "product.archived" : "product.updated",
      entity: id,
      before: isArchived ? { name, slug, isActive: wasActive } : { isActive: wasActive },
      after: isArchived ? null : { isActive },
    })),
  });
}
