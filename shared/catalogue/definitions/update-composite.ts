import { type Context, commit } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { audited, planUpdate } from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type CompositePatch, compositeGroupsFrom, demandBasePrice } from "./composite.ts";
import { definitionRecordRepo, definitionWriteRepo } from "./definition-record-repo.ts";

/**
 * Changes a composite's product and its definition; groups and components that stay keep their ids.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateComposite(
  ctx: Context,
  id: string,
  patch: CompositePatch,
): Promise<ProductRecord> {
  const { groups: drafts, basePriceMinor, defaultPriceMinor: price, ...fields } = patch;
  return retryRaces(async () => {
    const pieces = drafts?.flatMap(({ components }) => components) ?? [];
    const read = { categoryId: fields.categoryId ?? null, parts: pieces };
    const { record, found, parts } = await definitionRecordRepo(ctx, "composite").getForUpdate(
      id,
      read,
    );
    const before = record.product.composite;
    if (!before) throw notFound("composite");
    const composite = {
      ...before,
      basePriceMinor: demandBasePrice(basePriceMinor ?? before.basePriceMinor),
      groups: drafts
        ? compositeGroupsFrom(drafts, before.groups, { parts, newId: ctx.newId })
        : before.groups,
    };
    const defaultPriceMinor = price ?? basePriceMinor;
    const plan = planUpdate(ctx, record, { patch: { ...fields, defaultPriceMinor }, found });
    const after = { ...plan.record, product: { ...plan.record.product, composite } };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, definitionWriteRepo(ctx).updateComposite(composite)],
      audit: [audited("composite.updated", id, { ...plan, record: after })],
    });
    return after;
  });
}
