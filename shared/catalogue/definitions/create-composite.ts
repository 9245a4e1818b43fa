import { type Context, commit } from "../../database/index.ts";
import { audited, planInsert } from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { wantedSlug } from "../products/write-product.ts";
import { compositeGroupsFrom, demandBasePrice, type NewComposite } from "./composite.ts";
import { definitionRecordRepo, definitionWriteRepo } from "./definition-record-repo.ts";

/**
 * Puts a composite into the catalogue: its product and its definition (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createComposite(ctx: Context, composed: NewComposite): Promise<ProductRecord> {
  const { groups: drafts, basePriceMinor, ...input } = composed;
  return retryRaces(async () => {
    const wanted = { slug: wantedSlug(input), categoryId: input.categoryId };
    const pieces = drafts.flatMap(({ components }) => components);
    const { surroundings, parts } = await definitionRecordRepo(ctx, "composite").surroundings(
      wanted,
      pieces,
    );
    const groups = compositeGroupsFrom(drafts, [], { parts, newId: ctx.newId });
    const defaultPriceMinor = input.defaultPriceMinor ?? demandBasePrice(basePriceMinor);
    const plan = planInsert(
      ctx,
      { ...input, productType: "composite", defaultPriceMinor },
      surroundings,
    );
    const { product } = plan.record;
    const id = ctx.newId("comp");
    const composite = {
      id,
      productId: product.id,
      basePriceMinor: demandBasePrice(basePriceMinor),
      groups,
    };
    const record = { ...plan.record, product: { ...product, composite } };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, definitionWriteRepo(ctx).insertComposite(composite)],
      audit: [audited("composite.created", id, { ...plan, record })],
    });
    return record;
  });
}
