import { type Context, commit, retryOnConflict } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Bundle } from "../product.ts";
import {
  planNewProduct,
  planProductArchive,
  planProductUpdate,
  productAuditEntry,
} from "../products/plan-product.ts";
import type { ProductPatch } from "../products/product-draft.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import {
  type BundlePatch,
  buildBundleComponents,
  type NewBundle,
  requireFixedPrice,
  requireValidPricing,
} from "./bundle.ts";
import { assertNoOwnPrice, computedPrices, hasComputedPrice } from "./bundle-price.ts";
import { refreshBundlePrices } from "./bundle-price-repo.ts";
import { definitionRepo, definitionWriteRepo } from "./definition-repo.ts";

/**
 * Creates a bundle and its product. The price of a discounted bundle is computed from its
 * components, even when the input contains a price.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createBundle(
  ctx: Context,
  { components: drafts, pricing, ...input }: NewBundle,
): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const { productRows, componentProducts } = await definitionRepo(ctx, "bundle").findForInsert(
      input,
      drafts,
    );
    const components = buildBundleComponents(drafts, [], {
      products: componentProducts,
      newId: ctx.newId,
    });
    const definition = { components, pricing: requireValidPricing(pricing) };
    const prices = hasComputedPrice(definition)
      ? computedPrices(definition, componentProducts)
      : { defaultPriceMinor: requireFixedPrice(input.defaultPriceMinor) };
    const plan = planNewProduct(ctx, { ...input, productType: "bundle", ...prices }, productRows);
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
      audit: [productAuditEntry("bundle.created", bundle.id, { ...plan, record })],
    });
    return record;
  });
}

/**
 * Changes a bundle and its product. A component that matches a previous component keeps the
 * previous id. When the patch sets a discount, the price is computed and a price in the patch is
 * ignored.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateBundle(ctx: Context, id: string, patch: BundlePatch): Promise<ProductRecord> {
  const { components, pricing, defaultPriceMinor, ...otherFields } = patch;
  const fields = { ...otherFields, defaultPriceMinor: defaultPriceMinor ?? undefined };
  return retryOnConflict(async () => {
    const { record, newCategory, componentProducts } = await definitionRepo(
      ctx,
      "bundle",
    ).getForUpdate(id, { categoryId: fields.categoryId ?? null, components: components ?? [] });
    const before = record.product.bundle;
    if (!before) throw notFound("bundle");
    const bundle: Bundle = {
      ...before,
      components: components
        ? buildBundleComponents(components, before.components, {
            products: componentProducts,
            newId: ctx.newId,
          })
        : before.components,
      pricing: pricing ? requireValidPricing(pricing) : before.pricing,
    };
    if (!pricing) assertNoOwnPrice(bundle, fields, record.product);
    const prices = hasComputedPrice(bundle)
      ? computedPrices(bundle, componentProducts)
      : fixedPrices(before, fields);
    const plan = planProductUpdate(ctx, record, { patch: { ...fields, ...prices }, newCategory });
    const after = { ...plan.record, product: { ...plan.record.product, bundle } };
    await commit(ctx, {
      ...plan.change,
      writes: [definitionWriteRepo(ctx).updateBundle(bundle), ...plan.change.writes],
      audit: [productAuditEntry("bundle.updated", id, { ...plan, record: after })],
    });
    return after;
  });
}

/**
 * When a computed price becomes fixed, the default price is kept and the computed overrides are
 * removed.
 */
const fixedPrices = (before: Bundle, { priceOverrides }: BundlePatch): ProductPatch =>
  hasComputedPrice(before) ? { priceOverrides: priceOverrides ?? [] } : {};

/**
 * Archives a bundle and its product permanently. Repeating the call changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveBundle(ctx: Context, id: string): Promise<ProductRecord> {
  return retryOnConflict(async () => {
    const record = await definitionRepo(ctx, "bundle").getEvenArchived(id);
    if (record.isArchived) return record;
    const plan = planProductArchive(ctx, record);
    await commit(ctx, { ...plan.change, audit: [productAuditEntry("bundle.archived", id, plan)] });
    return plan.record;
  });
}
