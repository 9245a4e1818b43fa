import { type Context, commit } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Bundle } from "../product.ts";
import { audited, planUpdate } from "../products/plan-product.ts";
import type { ProductPatch } from "../products/product-draft.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type BundlePatch, bundleComponentsFrom, demandPricing } from "./bundle.ts";
import { demandNoOwnPrice, isComputed, shownPrices } from "./bundle-price.ts";
import { definitionRecordRepo, definitionWriteRepo } from "./definition-record-repo.ts";

/**
 * Changes a bundle's product and its definition; components that stay keep their ids.
 * Pricing that is sent decides on the price, whatever price came with it.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateBundle(ctx: Context, id: string, patch: BundlePatch): Promise<ProductRecord> {
  const { components, pricing, defaultPriceMinor: price, ...rest } = patch;
  const fields = { ...rest, defaultPriceMinor: price ?? undefined };
  return retryRaces(async () => {
    const read = { categoryId: fields.categoryId ?? null, parts: components ?? [] };
    const { record, found, parts } = await definitionRecordRepo(ctx, "bundle").getForUpdate(
      id,
      read,
    );
    const before = record.product.bundle;
    if (!before) throw notFound("bundle");
    const bundle: Bundle = {
      ...before,
      components: components
        ? bundleComponentsFrom(components, before.components, { parts, newId: ctx.newId })
        : before.components,
      pricing: pricing ? demandPricing(pricing) : before.pricing,
    };
    if (!pricing) demandNoOwnPrice(bundle, fields, record.product);
    const prices = isComputed(bundle) ? shownPrices(bundle, parts) : fixedPrices(before, fields);
    const plan = planUpdate(ctx, record, { patch: { ...fields, ...prices }, found });
    const after = { ...plan.record, product: { ...plan.record.product, bundle } };
    await commit(ctx, {
      ...plan.change,
      writes: [definitionWriteRepo(ctx).updateBundle(bundle), ...plan.change.writes],
      audit: [audited("bundle.updated", id, { ...plan, record: after })],
    });
    return after;
  });
}

/** A fixed price stays as it is until another is sent; what followed from the parts somewhere goes. */
const fixedPrices = (before: Bundle, { priceOverrides }: BundlePatch): ProductPatch =>
  isComputed(before) ? { priceOverrides: priceOverrides ?? [] } : {};
