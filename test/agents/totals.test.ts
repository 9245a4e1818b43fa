import fc from "fast-check";
import { expect, it } from "vitest";
import { viewDiscounts } from "../../functions/agents/views/discounts.ts";
import { viewLineTotals, viewTotals } from "../../functions/agents/views/totals.ts";
import { emptyCart } from "../../shared/cart/index.ts";
import { type Discount, priceWithDiscounts } from "../../shared/pricing/index.ts";

const pricedLine = fc.record({
  unitPriceMinor: fc.integer({ min: 0, max: 100_000_000 }),
  quantity: fc.integer({ min: 1, max: 100 }),
  /** The part of the line that is discounted, in thousandths. */
  discounted: fc.integer({ min: 0, max: 1_000 }),
});

const rate = fc.record({
  name: fc.constantFrom("VAT", "Levy"),
  ratePercent: fc.constantFrom("0", "2.5", "15", "19.975"),
  taxClass: fc.constant("standard"),
  appliesToDelivery: fc.boolean(),
});

const priced = fc.record({
  lines: fc.array(pricedLine, { minLength: 1, maxLength: 5 }),
  delivery: fc.option(
    fc.record({
      priceMinor: fc.integer({ min: 0, max: 100_000 }),
      discounted: fc.integer({ min: 0, max: 1_000 }),
    }),
  ),
  rates: fc.array(rate, { maxLength: 2 }),
  isInclusive: fc.boolean(),
  isExempt: fc.boolean(),
});

it("shows totals of which all entries add up, and discounts whose allocations do", () => {
  fc.assert(
    fc.property(priced, ({ lines, delivery, rates, isInclusive, isExempt }) => {
      const share = (minor: number, thousandths: number) =>
        Math.floor((minor * thousandths) / 1_000);
      const shares = lines.map((line) =>
        share(line.unitPriceMinor * line.quantity, line.discounted),
      );
      const deliveryShareMinor = delivery ? share(delivery.priceMinor, delivery.discounted) : 0;
      const amountMinor = shares.reduce((sum, minor) => sum + minor, deliveryShareMinor);
      const discount = { dealId: "deal_1", name: "Sale", code: null, amountMinor, shares };
      const discounts: Discount[] = amountMinor > 0 ? [{ ...discount, deliveryShareMinor }] : [];
      const price = priceWithDiscounts({
        lines: lines.map((line) => ({ ...line, taxClass: "standard" })),
        delivery,
        discounts,
        tax: { isInclusive, isExempt, rates },
      });
      const cart = {
        ...emptyCart("cart_1", 0),
        lines: lines.map(({ unitPriceMinor, quantity }, index) => ({
          id: `ci_${index}`,
          configuration: {
            ...{ productId: "prod_1", variantId: null, addOnOptionIds: [] },
            ...{ bundleSelections: [], compositeSelections: [], specialInstructions: null },
            ...{ locationId: null, billingPlanId: null },
          },
          quantity,
          snapshot: {
            ...{ name: "Tea", variantId: null, variantName: null, unitPriceMinor },
            ...{ parts: [], lock: null },
          },
        })),
        delivery: delivery && {
          ...{ optionId: "dm_1", type: "delivery" as const, name: "Courier", locationId: "loc_1" },
          ...{ minDays: null, maxDays: null, paymentMethods: null, address: null },
          priceMinor: delivery.priceMinor,
        },
      };
      const totals = viewTotals({ cart, price });
      const last = totals.at(-1);
      expect(last).toMatchObject({ type: "total", amount: price.totalPriceMinor });
      expect(amountsOf(totals.slice(0, -1))).toBe(price.totalPriceMinor);
      for (const { type, amount } of totals) {
        if (["subtotal", "fulfillment", "tax"].includes(type))
          expect(amount).toBeGreaterThanOrEqual(0);
        if (type.endsWith("discount")) expect(amount).toBeLessThan(0);
      }
      for (const index of lines.keys()) {
        const lineTotals = viewLineTotals({ cart, price }, index);
        expect(amountsOf(lineTotals.slice(0, -1))).toBe(lineTotals.at(-1)?.amount);
      }
      for (const applied of viewDiscounts({ coupons: [], price }).applied)
        expect(amountsOf(applied.allocations)).toBe(applied.amount);
    }),
  );
});

const amountsOf = (entries: readonly Readonly<{ amount: number }>[]): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0);
