import { type Context, commit, retryOnConflict } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  planNewProduct,
  planProductArchive,
  planProductUpdate,
  productAuditEntry,
} from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import {
  buildCompositeGroups,
  type CompositePatch,
  type NewComposite,
  requireBasePrice,
} from "./composite.ts";
import { definitionRepo, definitionWriteRepo } from "./definition-repo.ts";

/**
 * Creates a composite and its product.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createComposite(
  ctx: Context,
  { groups: groupDrafts, basePriceMinor, ...input }: NewComposite,
): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const { productRows, componentProducts } = await definitionRepo(ctx, "composite").findForInsert(
      input,
      groupDrafts.flatMap(({ components }) => components),
    );
    const groups = buildCompositeGroups(groupDrafts, [], {
      products: componentProducts,
      newId: ctx.newId,
    });
    const defaultPriceMinor = input.defaultPriceMinor ?? requireBasePrice(basePriceMinor);
    const plan = planNewProduct(
      ctx,
      { ...input, productType: "composite", defaultPriceMinor },
      productRows,
    );
    const { product } = plan.record;
    const composite = {
      id: ctx.newId("comp"),
      productId: product.id,
      basePriceMinor: requireBasePrice(basePriceMinor),
      groups,
    };
    const record = { ...plan.record, product: { ...product, composite } };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, definitionWriteRepo(ctx).insertComposite(composite)],
      audit: [productAuditEntry("composite.created", composite.id, { ...plan, record })],
    });
    return record;
  });
}

/**
 * Changes a composite and its product. A group or component that matches a previous entry keeps the
 * previous id.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateComposite(
  ctx: Context,
  id: string,
  patch: CompositePatch,
): Promise<ProductRecord> {
  const { groups: groupDrafts, basePriceMinor, ...fields } = patch;
  return retryOnConflict(async () => {
    const { record, newCategory, componentProducts } = await definitionRepo(
      ctx,
      "composite",
    ).getForUpdate(id, {
      categoryId: fields.categoryId ?? null,
      components: groupDrafts?.flatMap(({ components }) => components) ?? [],
    });
    const before = record.product.composite;
    if (!before) throw notFound("composite");
    const composite = {
      ...before,
      basePriceMinor: requireBasePrice(basePriceMinor ?? before.basePriceMinor),
      groups: groupDrafts
        ? buildCompositeGroups(groupDrafts, before.groups, {
            products: componentProducts,
            newId: ctx.newId,
          })
        : before.groups,
    };
    const defaultPriceMinor = fields.defaultPriceMinor ?? basePriceMinor;
    const plan = planProductUpdate(ctx, record, {
      patch: { ...fields, defaultPriceMinor },
      newCategory,
    });
    const after = { ...plan.record, product: { ...plan.record.product, composite } };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, definitionWriteRepo(ctx).updateComposite(composite)],
      audit: [productAuditEntry("composite.updated", id, { ...plan, record: after })],
    });
    return after;
  });
}

/**
 * Archives a composite and its product permanently. Repeating the call changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveComposite(ctx: Context, id: string): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const record = await definitionRepo(ctx, "composite").getEvenArchived(id);
    if (record.isArchived) return record;
    const plan = planProductArchive(ctx, record);
    await commit(ctx, {
      ...plan.change,
      audit: [productAuditEntry("composite.archived", id, plan)],
    });
    return plan.record;
  });
}
