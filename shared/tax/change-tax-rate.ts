import { raiseCatalogueVersion } from "../catalogue/index.ts";
import {
  archiveRecord,
  type ConstraintRefusals,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../database/index.ts";
import {
  applyTaxRatePatch,
  duplicateTaxRate,
  type NewTaxRate,
  type TaxRate,
  type TaxRatePatch,
  taxRateFromInput,
  tooManyTaxRates,
  unknownTaxClass,
} from "./tax-rate.ts";
import { taxRateRepo } from "./tax-rate-repo.ts";

// Carts cache rates by the catalogue version, so each write raises it.

/**
 * Creates a tax rate.
 *
 * @throws Refusal VALIDATION_ERROR for an unknown class; CONFLICT when another active rate has the
 * same class, name and place; TAX_RATE_LIMIT.
 */
export async function createTaxRate(ctx: Context, input: NewTaxRate): Promise<TaxRate> {
  const rate = taxRateFromInput(input, ctx.newId("txr"));
  await commit(ctx, {
    writes: [taxRateRepo(ctx).insert(rate, ctx.now()), raiseCatalogueVersion(ctx)],
    audit: [{ action: "tax_rate.created", entity: rate.id, after: rate }],
    refusals: taxRateRefusals,
  });
  return rate;
}

/**
 * Changes the fields that the patch contains.
 *
 * @throws Refusal NOT_FOUND, and those of `createTaxRate`.
 */
export function updateTaxRate(ctx: Context, id: string, patch: TaxRatePatch): Promise<TaxRate> {
  const repo = taxRateRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const after = applyTaxRatePatch(record.rate, patch);
    await commit(ctx, {
      writes: [
        repo.update(record, after, nextUpdatedAt(ctx.now(), record)),
        raiseCatalogueVersion(ctx),
      ],
      audit: [{ action: "tax_rate.updated", entity: id, before: record.rate, after }],
      refusals: taxRateRefusals,
    });
    return after;
  });
}

/** Archives a tax rate. Archiving it again changes nothing. @throws Refusal NOT_FOUND. */
export async function archiveTaxRate(ctx: Context, id: string): Promise<TaxRate> {
  const { rate } = await archiveRecord(ctx, id, {
    repo: taxRateRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "tax_rate.archived",
    before: (record) => record.rate,
    refusals: taxRateRefusals,
  });
  return rate;
}

const taxRateRefusals: ConstraintRefusals = {
  tax_rates_tax_class: unknownTaxClass,
  "tax_rates.name_key": duplicateTaxRate,
  tax_rates_per_place: tooManyTaxRates,
  ...staleWriteRefusal("tax_rates", "tax rate"),
};
