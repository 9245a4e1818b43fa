import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { taxRates } from "./tables.ts";
import { comparisonKeys, type TaxRate } from "./tax-rate.ts";

type TaxRateRow = typeof taxRates.$inferSelect;

/** A tax rate with the times that are compared to detect concurrent changes. */
export type TaxRateRecord = Readonly<{
  rate: TaxRate;
  updatedAt: number;
  archivedAt: number | null;
}>;

/**
 * Reads and writes the tax rates of one business; each read is one round trip. A write fails on
 * `tax_rates_tax_class` for an unknown class, on `tax_rates.name_key` when another active rate
 * has the same class, name and place, and on `tax_rates_per_place` when the place has too many.
 */
export function taxRateRepo({ db, business }: Pick<Context, "db" | "business">) {
  const ofBusiness = eq(taxRates.businessId, business.id);
  const isLive = and(ofBusiness, isNull(taxRates.archivedAt));

  async function getOne(condition: SQL | undefined): Promise<TaxRateRecord> {
    const [row] = await db.select().from(taxRates).where(condition);
    if (!row) throw notFound("tax rate");
    return { rate: toTaxRate(row), updatedAt: row.updatedAt, archivedAt: row.archivedAt };
  }

  return {
    get: (id: string) => getOne(and(isLive, eq(taxRates.id, id))),

    getEvenArchived: (id: string) => getOne(and(ofBusiness, eq(taxRates.id, id))),

    /** Lists rates in the order of creation. `after` is the last id of the previous page. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<TaxRate[]> {
      const rows = await db
        .select()
        .from(taxRates)
        .where(and(isLive, after === null ? undefined : gt(taxRates.id, after)))
        .orderBy(asc(taxRates.id))
        .limit(limit);
      return rows.map(toTaxRate);
    },

    insert: (rate: TaxRate, now: number): Write =>
      db.insert(taxRates).values({
        ...rate,
        ...comparisonKeys(rate),
        businessId: business.id,
        createdAt: now,
        updatedAt: now,
      }),

    /** Also fails on `tax_rates.updated_at` when the row has changed since it was read. */
    update: (before: TaxRateRecord, { id, ...fields }: TaxRate, updatedAt: number): Write =>
      db
        .update(taxRates)
        .set({
          ...fields,
          ...comparisonKeys(fields),
          updatedAt: updatedAtUnlessChanged(taxRates, before, { updatedAt }),
        })
        .where(and(ofBusiness, eq(taxRates.id, id))),

    archive: (before: TaxRateRecord, archivedAt: number): Write =>
      db
        .update(taxRates)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(taxRates, before, { updatedAt: archivedAt }),
        })
        .where(and(ofBusiness, eq(taxRates.id, before.rate.id))),
  };
}

export const toTaxRate = ({
  id,
  taxClass,
  name,
  country,
  region,
  postalCodePrefix,
  ratePercent,
  appliesToDelivery,
  isActive,
}: TaxRateRow): TaxRate => ({
  ...{ id, taxClass, name, country, region, postalCodePrefix },
  ...{ ratePercent, appliesToDelivery, isActive },
});
