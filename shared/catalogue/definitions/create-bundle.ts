import { type Context, commit } from "../../database/index.ts";
import { audited, planInsert } from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { wantedSlug } from "../products/write-product.ts";
import { bundleComponentsFrom, demandFixedPrice, demandPricing, type NewBundle } from "./bundle.ts";
import { isComputed, shownPrices } from "./bundle-price.ts";
import { refreshBundlePrices } from "./bundle-price-repo.ts";
import { definitionRecordRepo, definitionWriteRepo } from "./definition-record-repo.ts";

/**
 * Puts a bundle into the catalogue: its product and its definition (business-surface.md, Catalogue).
 * Where its pricing takes something off its parts, that decides, whatever price came with it.
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
    const shown = isComputed(definition)
      ? shownPrices(definition, parts)
      : { defaultPriceMinor: demandFixedPrice(input.defaultPriceMinor) };
    const plan = planInsert(ctx, { ...input, productType: "bundle", ...shown }, surroundings);
    const { product } = plan.record;
    const bundle = { ...definition, id: ctx.newId("bun"), productId: product.id };
    const record = { ...plan.record, product: { ...product, bundle } };
    await commit(ctx, {
      ...plan.change,
      writes: [
        ...plan.change.writes,
        definitionWriteRepo(ctx).insertBundle(bundle),
        refreshBundlePrices(ctx, [product.id]),
      ],
      audit: [audited("bundle.created", bundle.id, { ...plan, record })],
    });
    return record;
  });
}
