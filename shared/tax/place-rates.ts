import { standardTaxClass } from "../catalogue/index.ts";
import { ratesOfTaxRule, type TaxRates, type TaxRule } from "../pricing/index.ts";
import type { TaxPlace } from "./tax-place.ts";
import { comparisonKeys, type TaxRate } from "./tax-rate.ts";

/**
 * The rates that apply at a place: of each class and name the most specific one. A longer postal
 * code prefix is more specific, then a region.
 */
export function mostSpecificRates<R extends TaxRate>(
  rates: readonly R[],
  place: TaxPlace,
): readonly R[] {
  const bySpecificity = rates
    .filter((rate) => rate.isActive && isAt(rate, place))
    .toSorted((a, b) => compareSpecificity(b, a));
  const chosen = new Map<string, R>();
  for (const rate of bySpecificity) {
    const key = `${rate.taxClass} ${comparisonKeys(rate).nameKey}`;
    if (!chosen.has(key)) chosen.set(key, rate);
  }
  return [...chosen.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function isAt(rate: TaxRate, place: TaxPlace): boolean {
  const { regionKey, postalKey } = comparisonKeys(rate);
  return (
    rate.country === place.country &&
    (regionKey === "" || regionKey === place.regionKey) &&
    place.postalKey.startsWith(postalKey)
  );
}

function compareSpecificity(a: TaxRate, b: TaxRate): number {
  const [left, right] = [comparisonKeys(a), comparisonKeys(b)];
  return (
    left.postalKey.length - right.postalKey.length ||
    Number(left.regionKey !== "") - Number(right.regionKey !== "")
  );
}

/** What a cart or an order knows of its tax. */
export type TaxTerms = Readonly<{ rates: readonly TaxRate[]; isExempt: boolean }>;

/**
 * The rates of a cart with the business's setting, which is the rate of the class `standard` when
 * the place has none. The setting does not tax the delivery.
 */
export function taxRatesFor({ rates, isExempt }: TaxTerms, setting: TaxRule): TaxRates {
  const isStandardTaxed = rates.some(({ taxClass }) => taxClass === standardTaxClass);
  const fallback = isStandardTaxed ? [] : ratesOfTaxRule(setting).rates;
  return {
    isInclusive: setting.isInclusive,
    isExempt,
    rates: [
      ...rates.map(({ name, ratePercent, taxClass, appliesToDelivery }) => ({
        ...{ name, ratePercent, taxClass, appliesToDelivery },
      })),
      ...fallback,
    ],
  };
}
