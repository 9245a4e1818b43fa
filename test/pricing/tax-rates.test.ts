import { describe, expect, it } from "vitest";
import {
  type AppliedTaxRate,
  calculateCartPrice,
  type TaxTreatment,
} from "../../shared/pricing/index.ts";
import { createTerms } from "./create-terms.ts";

const line = (unitPriceMinor: number, taxClass = "standard", quantity = 1) => ({
  productId: "a",
  groupIds: [],
  taxClass,
  unitPriceMinor,
  quantity,
});

const rate = (
  name: string,
  ratePercent: string,
  fields: Partial<AppliedTaxRate> = {},
): AppliedTaxRate => ({
  name,
  ratePercent,
  taxClass: "standard",
  appliesToDelivery: false,
  ...fields,
});

type TaxCase = Readonly<{
  what: string;
  lines: readonly ReturnType<typeof line>[];
  rates: readonly AppliedTaxRate[];
  deliveryMinor?: number;
  off?: string;
  tax?: Partial<TaxTreatment>;
  /** Name, taxable amount and tax of each rate. */
  taxLines: readonly (readonly [name: string, taxableMinor: number, amountMinor: number])[];
  /** The tax of each line, and of the delivery last. */
  shares: readonly number[];
  total: number;
}>;

const taxCases: readonly TaxCase[] = [
  {
    what: "two rates of one class add up without compounding",
    lines: [line(1_000), line(500)],
    rates: [rate("GST", "5"), rate("PST", "7")],
    taxLines: [
      ["GST", 1_500, 75],
      ["PST", 1_500, 105],
    ],
    shares: [120, 60, 0],
    total: 1_680,
  },
  {
    what: "two rates in one price are parts of the same net price",
    lines: [line(1_200)],
    rates: [rate("GST", "5"), rate("PST", "15")],
    tax: { isInclusive: true },
    taxLines: [
      ["GST", 1_000, 50],
      ["PST", 1_000, 150],
    ],
    shares: [200, 0],
    total: 1_200,
  },
  {
    what: "each class has its own rate, and one without a rate is free of tax",
    lines: [line(1_000), line(1_000, "books"), line(1_000, "food")],
    rates: [rate("VAT", "15"), rate("VAT", "5", { taxClass: "books" })],
    taxLines: [
      ["VAT", 1_000, 150],
      ["VAT", 1_000, 50],
    ],
    shares: [150, 50, 0, 0],
    total: 3_200,
  },
  {
    what: "a rate on delivery covers it also when no line has its class",
    lines: [line(1_000, "books")],
    rates: [rate("VAT", "15", { appliesToDelivery: true })],
    deliveryMinor: 200,
    taxLines: [["VAT", 200, 30]],
    shares: [0, 30],
    total: 1_230,
  },
  {
    what: "tax is rounded once per rate and spread by largest remainder",
    lines: [line(15), line(15), line(15)],
    rates: [rate("VAT", "10", { appliesToDelivery: true })],
    deliveryMinor: 9,
    taxLines: [["VAT", 54, 5]],
    shares: [2, 1, 1, 1],
    total: 59,
  },
  {
    what: "tax is on the discounted prices",
    lines: [line(1_000), line(1_000)],
    rates: [rate("VAT", "10")],
    off: "50",
    taxLines: [["VAT", 1_000, 100]],
    shares: [50, 50, 0],
    total: 1_100,
  },
  {
    what: "an exempt customer pays no tax on top",
    lines: [line(1_000)],
    rates: [rate("VAT", "10")],
    tax: { isExempt: true },
    taxLines: [],
    shares: [0, 0],
    total: 1_000,
  },
  {
    what: "an exempt customer does not pay the tax that prices contain",
    lines: [line(1_100)],
    rates: [rate("VAT", "10", { appliesToDelivery: true })],
    deliveryMinor: 220,
    tax: { isExempt: true, isInclusive: true },
    taxLines: [],
    shares: [0, 0],
    total: 1_200,
  },
];

describe("calculateCartPrice", () => {
  it.each(taxCases)("$what", ({ lines, rates, deliveryMinor, off, tax, ...expected }) => {
    const deal = createTerms({ discount: { type: "percentage", percent: off ?? "10" } });
    const price = calculateCartPrice({
      lines,
      deals: { automatic: off === undefined ? [] : [deal], coupons: [] },
      delivery: deliveryMinor === undefined ? null : { priceMinor: deliveryMinor },
      tax: { isInclusive: false, isExempt: false, ...tax, rates },
      now: 1_000,
    });
    const taxLines = price.taxLines.map(({ name, taxableMinor, amountMinor }) => [
      name,
      taxableMinor,
      amountMinor,
    ]);
    expect(taxLines).toEqual(expected.taxLines);
    expect([...price.lineTaxMinor, price.deliveryTaxMinor]).toEqual(expected.shares);
    expect(price.totalPriceMinor).toBe(expected.total);
  });
});
