import { standardTaxClass } from "../catalogue/index.ts";
import { allocate, hundredPercent, parsePercent, roundHalfEven } from "../kernel/index.ts";

/** The tax of a business without rates of its own. */
export type TaxRule = Readonly<{
  /** The rate as a decimal string with at most four decimals. */
  ratePercent: string;
  /** True when prices include the tax. */
  isInclusive: boolean;
}>;

export type AppliedTaxRate = Readonly<{
  name: string;
  /** The rate as a decimal string with at most four decimals. */
  ratePercent: string;
  /** The class of the products that the rate applies to. */
  taxClass: string;
  appliesToDelivery: boolean;
}>;

/** The rates of one place for one customer. */
export type TaxTreatment = Readonly<{
  /** True when prices include the tax. */
  isInclusive: boolean;
  /** Whether the customer pays no tax. A tax that prices include is then taken off. */
  isExempt: boolean;
  rates: readonly AppliedTaxRate[];
}>;

/** What one rate amounts to. */
export type TaxLine = Readonly<{
  name: string;
  ratePercent: string;
  /** What the rate applies to, without any tax. */
  taxableMinor: number;
  amountMinor: number;
}>;

/** The name of the tax of a business without rates of its own. */
export const defaultTaxName = "Tax";

/** The rates of a business that has only its `tax` setting. A rate of zero is no tax. */
export const ratesOfTaxRule = ({ ratePercent, isInclusive }: TaxRule): TaxTreatment => ({
  isInclusive,
  isExempt: false,
  rates:
    parsePercent(ratePercent) === 0n
      ? []
      : [
          {
            name: defaultTaxName,
            ratePercent,
            taxClass: standardTaxClass,
            appliesToDelivery: false,
          },
        ],
});

/** Amounts after discounts that tax is calculated on. */
type TaxedAmounts = Readonly<{
  lines: readonly Readonly<{ taxClass: string; amountMinor: number }>[];
  deliveryMinor: number;
}>;

export type CartTax = Readonly<{
  taxLines: readonly TaxLine[];
  lineTaxMinor: readonly number[];
  deliveryTaxMinor: number;
  taxTotalMinor: number;
  /** The tax that prices include and an exempt customer does not pay. */
  exemptedTaxMinor: number;
  /** The part of `exemptedTaxMinor` in each line. */
  lineExemptedMinor: readonly number[];
}>;

/**
 * Calculates the tax once per rate on everything that the rate applies to, rounded half to even.
 * Each amount is spread over the lines and the delivery by largest remainder.
 */
export function calculateTax(
  amounts: TaxedAmounts,
  { isInclusive, isExempt, rates }: TaxTreatment,
): CartTax {
  const noTaxes = amounts.lines.map(() => 0);
  const none = {
    taxLines: [],
    lineTaxMinor: noTaxes,
    deliveryTaxMinor: 0,
    taxTotalMinor: 0,
    exemptedTaxMinor: 0,
    lineExemptedMinor: noTaxes,
  };
  if (isExempt && !isInclusive) return none;
  const tax = taxPerRate(amounts, { isInclusive, rates });
  if (!isExempt) return { ...tax, exemptedTaxMinor: 0, lineExemptedMinor: noTaxes };
  return { ...none, exemptedTaxMinor: tax.taxTotalMinor, lineExemptedMinor: tax.lineTaxMinor };
}

function taxPerRate(
  { lines, deliveryMinor }: TaxedAmounts,
  { isInclusive, rates }: Omit<TaxTreatment, "isExempt">,
): Omit<CartTax, "exemptedTaxMinor" | "lineExemptedMinor"> {
  const used = rates.filter(
    ({ taxClass, appliesToDelivery }) =>
      lines.some((line) => line.taxClass === taxClass) || (appliesToDelivery && deliveryMinor > 0),
  );
  const shares = used.map((rate) =>
    sharesOfRate(rate, { lines, deliveryMinor }, { isInclusive, rates }),
  );
  const lineTaxMinor = lines.map((_, index) =>
    sum(shares.map(({ perLine }) => perLine[index] ?? 0)),
  );
  const deliveryTaxMinor = sum(shares.map(({ delivery }) => delivery));
  const included = (taxMinor: number) => (isInclusive ? taxMinor : 0);
  const taxLines = used.map(({ name, ratePercent, taxClass, appliesToDelivery }, index) => ({
    name,
    ratePercent,
    taxableMinor:
      sum(
        lines.map((line, position) =>
          line.taxClass === taxClass ? line.amountMinor - included(lineTaxMinor[position] ?? 0) : 0,
        ),
      ) + (appliesToDelivery ? deliveryMinor - included(deliveryTaxMinor) : 0),
    amountMinor: shares[index]?.amountMinor ?? 0,
  }));
  return {
    taxLines,
    lineTaxMinor,
    deliveryTaxMinor,
    taxTotalMinor: sum(taxLines.map(({ amountMinor }) => amountMinor)),
  };
}

type RateShares = Readonly<{ amountMinor: number; perLine: readonly number[]; delivery: number }>;

/** The tax of one rate, and what each line and the delivery pay of it. */
function sharesOfRate(
  rate: AppliedTaxRate,
  { lines, deliveryMinor }: TaxedAmounts,
  { isInclusive, rates }: Omit<TaxTreatment, "isExempt">,
): RateShares {
  const base = (applies: (other: AppliedTaxRate) => boolean) =>
    hundredPercent + (isInclusive ? sumOfPercents(rates.filter(applies)) : 0n);
  const lineBase = base(({ taxClass }) => taxClass === rate.taxClass);
  const deliveryBase = base(({ appliesToDelivery }) => appliesToDelivery);
  // Amounts over different bases become comparable when each is multiplied by the other base.
  const weights = [
    ...lines.map(({ taxClass, amountMinor }) =>
      taxClass === rate.taxClass ? BigInt(amountMinor) * deliveryBase : 0n,
    ),
    rate.appliesToDelivery ? BigInt(deliveryMinor) * lineBase : 0n,
  ];
  const amountMinor = roundHalfEven(
    weights.reduce((total, weight) => total + weight, 0n) * parsePercent(rate.ratePercent),
    lineBase * deliveryBase,
  );
  const shares = allocate(amountMinor, weights);
  return { amountMinor, perLine: shares.slice(0, -1), delivery: shares.at(-1) ?? 0 };
}

const sumOfPercents = (rates: readonly AppliedTaxRate[]): bigint =>
  rates.reduce((total, { ratePercent }) => total + parsePercent(ratePercent), 0n);

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);
