import { standardTaxClass } from "../catalogue/index.ts";
import { ratesOfTaxRule, type TaxRule, type TaxTreatment } from "../pricing/index.ts";
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

/** A rate that may apply at a place, as it was read. */
export type PlaceRate = TaxRate & Readonly<{ updatedAt: number }>;

/** What decides the taxes of a cart or an order. */
export type TaxTerms = Readonly<{
  place: TaxPlace;
  /** All rates that may apply at the place, also less specific ones. */
  rates: readonly PlaceRate[];
  /** The logged-in customer; null for a guest. */
  customerId: string | null;
  isExempt: boolean;
}>;

/**
 * The rates of a cart with the business's setting, which is the rate of the class `standard` when
 * the place has none. The setting does not tax the delivery.
 *
 * @param terms null for a cart from before terms were stored.
 */
export function taxTreatmentOf(terms: TaxTerms | null, setting: TaxRule): TaxTreatment {
  const rates = terms ? mostSpecificRates(terms.rates, terms.place) : [];
  const isStandardTaxed = rates.some(({ taxClass }) => taxClass === standardTaxClass);
  return {
    isInclusive: setting.isInclusive,
    isExempt: terms?.isExempt ?? false,
    rates: [
      ...rates.map(({ name, ratePercent, taxClass, appliesToDelivery }) => ({
        ...{ name, ratePercent, taxClass, appliesToDelivery },
      })),
      ...(isStandardTaxed ? [] : ratesOfTaxRule(setting).rates),
    ],
  };
}
