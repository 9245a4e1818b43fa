import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponentOf, formatMoney } from "../../shared/kernel/index.ts";
import {
  type CartPrice,
  calculateCartPrice,
  type DealTerms,
  dealClasses,
  type TaxTreatment,
} from "../../shared/pricing/index.ts";
import { createTerms } from "./create-terms.ts";
import { referencePrice } from "./reference-price.ts";

const now = 1_000;

const percent = fc.integer({ min: 1, max: 1_000_000 }).map((units) => String(units / 10_000));

const coverage: fc.Arbitrary<DealTerms["coverage"]> = fc.oneof(
  fc.constant({ type: "order" as const }),
  fc.record({
    type: fc.constant("products" as const),
    ids: fc.subarray(["a", "b", "c"], { minLength: 1 }).map((ids) => new Set(ids)),
  }),
  fc.record({
    type: fc.constant("groups" as const),
    ids: fc.subarray(["x", "y"], { minLength: 1 }).map((ids) => new Set(ids)),
  }),
);

const smallCount = fc.integer({ min: 1, max: 3 });

const discount: fc.Arbitrary<DealTerms["discount"]> = fc.oneof(
  fc.record({ type: fc.constant("percentage" as const), percent }),
  fc.record({
    type: fc.constant("fixed_amount" as const),
    amountMinor: fc.integer({ min: 1, max: 3_000 }),
  }),
  fc.constant({ type: "free_delivery" as const }),
  fc.record({
    type: fc.constant("buy_x_get_y" as const),
    buyQuantity: smallCount,
    getQuantity: smallCount,
    percent: fc.oneof(percent, fc.constant("100")),
    maxUsesPerOrder: smallCount,
  }),
  fc.record({
    type: fc.constant("tiered" as const),
    tiers: fc
      .array(fc.record({ minQuantity: fc.integer({ min: 1, max: 8 }), percent }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((tiers) => [...new Map(tiers.map((tier) => [tier.minQuantity, tier])).values()]),
  }),
);

const deals = fc
  .array(
    fc.record({
      discount,
      coverage,
      buyCoverage: fc.option(coverage, { nil: undefined }),
      combinesWith: fc.option(fc.subarray([...dealClasses]), { freq: 2 }),
      maxDiscountMinor: fc.option(fc.integer({ min: 0, max: 2_000 }), { freq: 1 }),
      isCoupon: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .chain((all) =>
    fc
      .shuffledSubarray(
        all.map((_, index) => index),
        { minLength: all.length },
      )
      .map((ages) =>
        all.map(({ isCoupon, buyCoverage, ...fields }, index) =>
          createTerms({
            ...fields,
            id: `deal_${ages[index]}`,
            code: isCoupon ? `CODE${index}` : null,
            ...(fields.discount.type === "buy_x_get_y" && buyCoverage && { buyCoverage }),
            ...(fields.discount.type === "free_delivery" && { coverage: { type: "order" } }),
          }),
        ),
      ),
  );

const tax: fc.Arbitrary<TaxTreatment> = fc.record({
  isInclusive: fc.boolean(),
  isExempt: fc.boolean().chain((first) => fc.boolean().map((second) => first && second)),
  rates: fc.array(
    fc.record({
      name: fc.constantFrom("VAT", "GST", "PST"),
      ratePercent: fc.oneof(percent, fc.constantFrom("0", "5", "7.5", "10", "15")),
      taxClass: fc.constantFrom("standard", "reduced"),
      appliesToDelivery: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

const products = [
  { productId: "a", groupIds: ["x"] },
  { productId: "b", groupIds: ["x", "y"] },
  { productId: "c", groupIds: [] },
] as const;

const carts = fc.record({
  currency: fc.constantFrom("XOF", "GHS", "KWD"),
  lines: fc.array(
    fc
      .record({
        product: fc.constantFrom(...products),
        taxClass: fc.constantFrom("standard", "standard", "reduced", "books"),
        unitPriceMinor: fc.oneof(
          fc.integer({ min: 0, max: 60 }),
          fc.integer({ min: 0, max: 9_999_999 }),
        ),
        quantity: fc.integer({ min: 1, max: 6 }),
      })
      .map(({ product, ...line }) => ({ ...line, ...product })),
    { minLength: 1, maxLength: 5 },
  ),
  deals,
  delivery: fc.option(fc.record({ priceMinor: fc.integer({ min: 0, max: 5_000 }) })),
  tax,
});

type GeneratedCart = typeof carts extends fc.Arbitrary<infer C> ? C : never;

const priceOf = ({ lines, deals: all, delivery, tax: rates }: Omit<GeneratedCart, "currency">) =>
  calculateCartPrice({
    lines,
    deals: {
      automatic: all.filter(({ code }) => code === null),
      coupons: all.filter(({ code }) => code !== null),
    },
    delivery,
    tax: rates,
    now,
  });

/** The price in the form of the reference. */
const comparable = ({
  discounts,
  taxLines,
  lineTaxMinor,
  deliveryTaxMinor,
  totalPriceMinor,
}: CartPrice) => ({
  discounts: discounts.map(({ dealId, shares, deliveryShareMinor = 0 }) => ({
    dealId,
    shares: shares.map(BigInt),
    delivery: BigInt(deliveryShareMinor),
  })),
  lineTax: lineTaxMinor.map(BigInt),
  deliveryTax: BigInt(deliveryTaxMinor),
  taxLines: taxLines.map(({ name, taxableMinor, amountMinor }) => ({
    name,
    taxable: BigInt(taxableMinor),
    amount: BigInt(amountMinor),
  })),
  total: BigInt(totalPriceMinor),
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe("calculateCartPrice", () => {
  it("agrees with the exhaustive reference on generated carts", () => {
    fc.assert(
      fc.property(carts, (cart) => {
        const reference = referencePrice({
          ...cart,
          deliveryMinor: cart.delivery?.priceMinor ?? null,
        });
        expect(comparable(priceOf(cart))).toEqual(reference);
      }),
      { seed: 22, numRuns: 1_500 },
    );
  });

  it("adds up exactly in every currency and for any order of the deals", () => {
    fc.assert(
      fc.property(carts, ({ currency, ...cart }) => {
        const price = priceOf(cart);
        expect(priceOf({ ...cart, deals: cart.deals.toReversed() })).toEqual(price);
        expect(sum(price.taxLines.map(({ amountMinor }) => amountMinor))).toBe(price.taxTotalMinor);
        expect(sum(price.lineTaxMinor) + price.deliveryTaxMinor).toBe(price.taxTotalMinor);
        expect(sum(price.discounts.map(({ amountMinor }) => amountMinor))).toBe(
          price.discountTotalMinor,
        );
        for (const { amountMinor, shares, deliveryShareMinor = 0 } of price.discounts) {
          expect(sum(shares) + deliveryShareMinor).toBe(amountMinor);
        }
        cart.lines.forEach(({ unitPriceMinor, quantity }, index) => {
          const left = unitPriceMinor * quantity - (price.lineDiscountMinor[index] ?? 0);
          expect(left).toBeGreaterThanOrEqual(0);
        });
        const text = (minor: number) => formatMoney(minor, currency).replace(".", "");
        const added = cart.tax.isInclusive ? -price.exemptedTaxMinor : price.taxTotalMinor;
        expect(exponentOf(currency)).toBe(formatMoney(0, currency).replace(/^0\.?/, "").length);
        expect(BigInt(text(price.totalPriceMinor))).toBe(
          BigInt(text(price.subtotalMinor)) -
            BigInt(text(price.discountTotalMinor)) +
            BigInt(text(price.deliveryTotalMinor)) +
            BigInt(added),
        );
      }),
      { seed: 23, numRuns: 1_500 },
    );
  });
});
