import { type Context, commit } from "../../database/index.ts";
import { audited, planInsert } from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { wantedSlug } from "../products/write-product.ts";
import { bundleComponentsFrom, demandPricing, type NewBundle, shownPriceMinor } from "./bundle.ts";
import { definitionRecordRepo, definitionWriteRepo } from "./definition-record-repo.ts";

/**
 * Puts a bundle into the catalogue: its product and its definition (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createBundle(
  ctx: Context,
  { components: drafts, pricing, ...input }: NewBundle,
): Promise<ProductRecord> {
  return retryRaces(async () => {
    const wanted = { slug: wantedSlug(input), categoryId: input.categoryId };
    const { surroundings, parts } = await definitionRecordRepo(ctx, "bundle").surroundings(
      wanted,
      drafts,
    );
    const components = bundleComponentsFrom(drafts, [], { parts, newId: ctx.newId });
    const definition = { components, pricing: demandPricing(pricing) };
    const defaultPriceMinor = input.defaultPriceMinor ?? shownPriceMinor(definition, parts);
    const plan = planInsert(
      ctx,
      { ...input, productType: "bundle", defaultPriceMinor },
      surroundings,
    );
    const { product } = plan.record;
    const bundle = { ...definition, id: ctx.newId("bun"), productId: product.id };
    const record = { ...plan.record, product: { ...product, bundle } };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, definitionWriteRepo(ctx).insertBundle(bundle)],
      audit: [audited("bundle.created", bundle.id, { ...plan, record })],
    });
    return record;
  });
}
