import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standardTaxClass } from "../../shared/catalogue/index.ts";
import { formatMoney, maxAmountMinor } from "../../shared/kernel/index.ts";
import {
  calculateCartPrice,
  ratesOfTaxRule,
  type TaxRule,
  totalsOf,
} from "../../shared/pricing/index.ts";
import { createTerms } from "./create-terms.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const exclusive = (ratePercent: string) => ({ ratePercent, isInclusive: false });
const inclusive = (ratePercent: string) => ({ ratePercent, isInclusive: true });
const calculateCartTotals = ({
  lines,
  discountMinor,
  tax,
}: {
  lines: readonly Readonly<{ unitPriceMinor: number; quantity: number }>[];
  discountMinor: number;
  tax: TaxRule;
}) => {
  const deal = createTerms({ discount: { type: "fixed_amount", amountMinor: discountMinor } });
  const price = calculateCartPrice({
    lines: lines.map((line) => ({
      ...line,
      productId: "a",
      groupIds: [],
      taxClass: standardTaxClass,
    })),
    deals: { automatic: [deal], coupons: [] },
    delivery: null,
    tax: ratesOfTaxRule(tax),
    now: 1_000,
  });
  return totalsOf(price);
};
const one = (unitPriceMinor: number) => [{ unitPriceMinor, quantity: 1 }];

describe("calculateCartPrice", () => {
  it("adds exclusive tax to the discounted subtotal", () => {
    const lines = [
      { unitPriceMinor: 1_999, quantity: 3 },
      { unitPriceMinor: 250, quantity: 2 },
    ];
    expect(calculateCartTotals({ lines, discountMinor: 497, tax: exclusive("12.5") })).toEqual({
      subtotalMinor: 6_497,
      discountTotalMinor: 497,
      taxTotalMinor: 750,
      totalPriceMinor: 6_750,
    });
  });

  it("extracts inclusive tax and keeps the total", () => {
    expect(
      calculateCartTotals({ lines: one(12_000), discountMinor: 500, tax: inclusive("15") }),
    ).toEqual({
      subtotalMinor: 12_000,
      discountTotalMinor: 500,
      taxTotalMinor: 1_500,
      totalPriceMinor: 11_500,
    });
  });

  it("rounds tax once, not per line", () => {
    const lines = Array.from({ length: 10 }, () => ({ unitPriceMinor: 4, quantity: 1 }));
    expect(
      calculateCartTotals({ lines, discountMinor: 0, tax: exclusive("10") }).taxTotalMinor,
    ).toBe(4);
  });

  it.each([
    [5, "10", 0],
    [15, "10", 2],
    [25, "10", 2],
    [35, "10", 4],
    [20, "2.5", 0],
    [60, "2.5", 2],
    [100, "2.5", 2],
  ])("rounds half to even: %i at %s percent has a tax of %i", (subtotal, rate, tax) => {
    expect(
      calculateCartTotals({ lines: one(subtotal), discountMinor: 0, tax: exclusive(rate) })
        .taxTotalMinor,
    ).toBe(tax);
  });

  it.each([
    ["XOF", "0"],
    ["GHS", "0.00"],
    ["KWD", "0.000"],
  ])("returns only zeros for an empty cart in %s: %s", (currency, zero) => {
    for (const tax of [exclusive("15"), inclusive("15")]) {
      const totals = Object.values(calculateCartTotals({ lines: [], discountMinor: 500, tax }));
      expect(totals.map((minor) => formatMoney(minor, currency))).toEqual([zero, zero, zero, zero]);
    }
  });

  it("limits the discount to the subtotal", () => {
    expect(
      calculateCartTotals({ lines: one(100), discountMinor: 101, tax: exclusive("15") }),
    ).toEqual({
      subtotalMinor: 100,
      discountTotalMinor: 100,
      taxTotalMinor: 0,
      totalPriceMinor: 0,
    });
  });

  it("rejects a subtotal that is too large", () => {
    expect(
      calculateCartTotals({ lines: one(maxAmountMinor), discountMinor: 0, tax: exclusive("0") })
        .totalPriceMinor,
    ).toBe(maxAmountMinor);
    const lines = Array.from({ length: 200 }, () => ({
      unitPriceMinor: maxAmountMinor,
      quantity: 100,
    }));
    expect(() => calculateCartTotals({ lines, discountMinor: 0, tax: exclusive("0") })).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    );
  });

  it("matches exact fractions for any order of lines and is never negative", () => {
    const anyLine = fc.record({
      unitPriceMinor: fc.integer({ min: 0, max: 100_000_000 }),
      quantity: fc.integer({ min: 1, max: 100 }),
    });
    const anyCart = fc.record({
      lines: fc.array(anyLine, { maxLength: 20 }),
      discountMinor: fc.integer({ min: -10, max: 2_000_000_000 }),
      rate: fc.integer({ min: 0, max: 9_999 }),
      isInclusive: fc.boolean(),
      seed: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(anyCart, ({ lines, discountMinor, rate, isInclusive, seed }) => {
        const tax = {
          ratePercent: `${Math.floor(rate / 100)}.${String(rate % 100).padStart(2, "0")}`,
          isInclusive,
        };

        const totals = calculateCartTotals({ lines, discountMinor, tax });

        const subtotal = lines.reduce(
          (sum, line) => sum + BigInt(line.unitPriceMinor) * BigInt(line.quantity),
          0n,
        );
        const requestedDiscount = discountMinor < 0 ? 0n : BigInt(discountMinor);
        const discount = requestedDiscount > subtotal ? subtotal : requestedDiscount;
        const due = subtotal - discount;
        const base = 10_000n + (isInclusive ? BigInt(rate) : 0n);
        const taxTotal = nearest(due * BigInt(rate), base);
        expect(Object.values(totals).map(BigInt)).toEqual([
          subtotal,
          discount,
          taxTotal,
          isInclusive ? due : due + taxTotal,
        ]);
        expect(Object.values(totals).every((minor) => minor >= 0)).toBe(true);
        const shuffled = lines
          .map((line) => ({ line, at: seed.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ line }) => line);
        expect(calculateCartTotals({ lines: shuffled, discountMinor, tax })).toEqual(totals);
      }),
    );
  });
});

/** n/d to the nearest integer, half to even, by trying the two integers around it. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  const below = numerator / denominator;
  const [fromBelow, fromAbove] = [
    numerator - below * denominator,
    (below + 1n) * denominator - numerator,
  ];
  if (fromBelow === fromAbove) return below % 2n === 0n ? below : below + 1n;
  return fromBelow < fromAbove ? below : below + 1n;
}
