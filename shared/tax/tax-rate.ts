import {
  comparableText,
  conflict,
  invalid,
  omitUndefined,
  type Patch,
  ruleViolation,
} from "../kernel/index.ts";

/** A tax on the products of a class in a country, one of its regions or some postal codes. */
export type TaxRate = Readonly<{
  id: string;
  /** The code of the class. */
  taxClass: string;
  name: string;
  /** An ISO 3166 code in upper case. */
  country: string;
  /** Null for the whole country. */
  region: string | null;
  /** The first characters of the postal codes; null for all. */
  postalCodePrefix: string | null;
  /** A decimal without superfluous zeros. */
  ratePercent: string;
  appliesToDelivery: boolean;
  isActive: boolean;
}>;

export type NewTaxRate = Omit<TaxRate, "id">;
export type TaxRatePatch = Patch<NewTaxRate>;

/** The keys under which a rate is stored. */
export const comparisonKeys = (
  rate: Pick<TaxRate, "name" | "region" | "postalCodePrefix">,
): Readonly<{ nameKey: string; regionKey: string; postalKey: string }> => ({
  nameKey: comparableText(rate.name),
  regionKey: comparableText(rate.region),
  postalKey: comparableText(rate.postalCodePrefix),
});

/** A new tax rate. Rates that are the same number get the same text. */
export const taxRateFromInput = (input: NewTaxRate, id: string): TaxRate => ({
  ...input,
  id,
  ratePercent: plainPercent(input.ratePercent),
});

export const applyTaxRatePatch = (rate: TaxRate, patch: TaxRatePatch): TaxRate =>
  taxRateFromInput({ ...rate, ...omitUndefined(patch) }, rate.id);

/** `15.50` as `15.5`. A percentage has at most four decimals, so the number is exact. */
const plainPercent = (percent: string): string => String(Number(percent));

export const unknownTaxClass = () => invalid("tax_class", "no such tax class");

export const duplicateTaxRate = () =>
  conflict("Another active rate of this tax class has this name and place.");

/** How many active rates may have the same country, region and prefix; a trigger counts them. */
const maxRatesOfPlace = 50;

export const tooManyTaxRates = () =>
  ruleViolation("TAX_RATE_LIMIT", `A place has at most ${maxRatesOfPlace} active tax rates.`);
