import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type CatalogueReader, catalogueVersionQuery } from "../catalogue/index.ts";
import { isRowOfBusiness } from "../database/index.ts";
import { prefixesOf } from "../kernel/index.ts";
import type { PlaceRate, TaxTerms } from "./place-rates.ts";
import { taxRates } from "./tables.ts";
import type { TaxPlace } from "./tax-place.ts";
import { toTaxRate } from "./tax-rate-repo.ts";

/** No prefix of a rate has more characters, so longer ones need not be looked up. */
const maxPostalKey = 60;

/** The condition that a rate may apply at the place. Each prefix is a search in the index. */
const isRateOfPlace = (business: { id: string }, place: TaxPlace): SQL | undefined =>
  and(
    eq(taxRates.businessId, business.id),
    eq(taxRates.country, place.country),
    sql`${taxRates.regionKey} in ('', ${place.regionKey})`,
    sql`${taxRates.postalKey} in (select value from json_each(${JSON.stringify(prefixesOf(place.postalKey, maxPostalKey))}))`,
    sql`${taxRates.isActive} = 1`,
    isNull(taxRates.archivedAt),
  );

/**
 * Selects the rates that may apply at a place, for a batch. They are not sorted, because SQLite
 * would then read all rates of the business in their order.
 */
export const placeRatesQuery = ({ db, business }: CatalogueReader, place: TaxPlace) =>
  db.select().from(taxRates).where(isRateOfPlace(business, place));

export const toPlaceRate = (row: typeof taxRates.$inferSelect): PlaceRate => ({
  ...toTaxRate(row),
  updatedAt: row.updatedAt,
});

/** Reads the rates of a place with the catalogue version, in one round trip. */
export async function findPlaceRates(
  reader: CatalogueReader,
  place: TaxPlace,
): Promise<Readonly<{ version: number; rates: readonly PlaceRate[] }>> {
  const [versions, rows] = await reader.db.batch([
    catalogueVersionQuery(reader.db, reader.business.id),
    placeRatesQuery(reader, place),
  ]);
  return { version: versions[0]?.version ?? 0, rates: rows.map(toPlaceRate) };
}

/**
 * The condition that the same rates may apply at a place as when they were read, all unchanged. A
 * rate that was created since fails it.
 */
export function ratesUnchanged(
  business: { id: string },
  { place, rates }: Pick<TaxTerms, "place" | "rates">,
): SQL {
  const expected = rates.map(({ id, updatedAt }) => [id, updatedAt]);
  return sql`(select count(*) from ${taxRates} where ${isRateOfPlace(business, place)}) = ${expected.length}
    and (select count(*) from json_each(${JSON.stringify(expected)}) as expected
      cross join ${taxRates} on ${taxRates.id} = expected.value ->> 0
      where ${isRowOfBusiness(taxRates.businessId, business)} and ${taxRates.isActive} = 1
        and ${taxRates.archivedAt} is null
        and ${taxRates.updatedAt} = expected.value ->> 1) = ${expected.length}`;
}
