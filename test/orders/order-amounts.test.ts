import { expect, it } from "vitest";
import { lineTotals, taxLinesOfTotals, withLineTaxes } from "../../shared/orders/index.ts";

type AmountsOfOrder = Parameters<typeof taxLinesOfTotals>[0];

const discountOf = (shares: readonly number[], deliveryShareMinor = 0) => ({
  dealId: "deal_1",
  name: "Deal",
  code: null,
  amountMinor: shares.reduce((sum, share) => sum + share, deliveryShareMinor),
  shares,
  deliveryShareMinor,
});

/** Lines of 10.00 and 20.00 with 2.00 off the second. */
const lines = [
  { unitPriceMinor: 1_000, quantity: 1 },
  { unitPriceMinor: 1_000, quantity: 2 },
];

const order = (fields: Partial<AmountsOfOrder> = {}): AmountsOfOrder => ({
  subtotalMinor: 3_000,
  discountTotalMinor: 200,
  deliveryTotalMinor: 0,
  taxTotalMinor: 280,
  totalPriceMinor: 3_080,
  discounts: [discountOf([0, 200])],
  tax: { ratePercent: "10", isInclusive: false },
  ...fields,
});

const included = { ratePercent: "10", isInclusive: true };

it.each([
  { what: "with an added tax", fields: {}, taxes: [100, 180], totals: [1_100, 1_980] },
  { what: "with a tax on one line", fields: {}, taxes: [0, 280], totals: [1_000, 2_080] },
  {
    what: "with a contained tax",
    fields: { tax: included, taxTotalMinor: 255, totalPriceMinor: 2_800 },
    taxes: [91, 164],
    totals: [1_000, 1_800],
  },
  {
    what: "with a discounted and taxed delivery",
    fields: {
      deliveryTotalMinor: 500,
      discountTotalMinor: 300,
      discounts: [discountOf([0, 200], 100)],
      taxTotalMinor: 320,
      totalPriceMinor: 3_520,
    },
    taxes: [100, 180],
    totals: [1_100, 1_980],
  },
  {
    what: "without the tax that prices contain",
    fields: { tax: included, taxTotalMinor: 0, totalPriceMinor: 2_545 },
    taxes: [0, 0],
    exempted: [91, 164],
    totals: [909, 1_636],
  },
  {
    what: "without the contained tax of one line",
    fields: { tax: included, taxTotalMinor: 0, totalPriceMinor: 2_636 },
    taxes: [0, 0],
    exempted: [0, 164],
    totals: [1_000, 1_636],
  },
])("divides the total of an order $what", ({ fields, taxes, exempted = [], totals }) => {
  const taxed = lines.map((line, index) => ({
    ...line,
    taxMinor: taxes[index] ?? 0,
    exemptedTaxMinor: exempted[index] ?? 0,
  }));
  expect(lineTotals({ ...order(fields), lines: taxed })).toEqual(totals);
});

it.each([
  { what: "the rate of its time", fields: {}, ratePercent: "10" },
  { what: "the rate that its amounts make", fields: { tax: null }, ratePercent: "10" },
])("gives an order from before taxes were stored $what", ({ fields, ratePercent }) => {
  expect(taxLinesOfTotals(order(fields))).toEqual([
    { name: "Tax", ratePercent, taxableMinor: 2_800, amountMinor: 280 },
  ]);
  expect(taxLinesOfTotals(order({ ...fields, taxTotalMinor: 0 }))).toEqual([]);
  const untaxed = lines.map((line) => ({ ...line, taxMinor: null }));
  expect(withLineTaxes(untaxed, order()).map(({ taxMinor }) => taxMinor)).toEqual([100, 180]);
});
