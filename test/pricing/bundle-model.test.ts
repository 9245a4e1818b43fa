import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BundleComponent, BundlePricing } from "../../shared/catalogue/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import {
  createConfiguration,
  createProduct,
  createProductSet,
  createSelection,
  createVariant,
  sumExactly,
} from "./create-products.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const bundleOf = (pricing: BundlePricing, components: readonly BundleComponent[]) =>
  createProduct({
    id: "bundle",
    defaultPriceMinor: 3_900,
    bundle: { id: "bun_any", productId: "bundle", components, pricing },
  });

describe("bundle prices", () => {
  const anyComponent = fc.record({
    priceMinor: fc.integer({ min: 0, max: 10_000_000 }),
    adjustments: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 3 }),
    standard: fc.nat(),
    chosen: fc.option(fc.nat()),
    quantity: fc.integer({ min: 1, max: 9 }),
  });
  const anyPricing = fc.oneof(
    fc.constant({ type: "fixed", off: 0n } as const),
    fc
      .integer({ min: 0, max: 100_000_000 })
      .map((off) => ({ type: "amount_off", off: BigInt(off) }) as const),
    fc
      .integer({ min: 0, max: 1_000 })
      .map((off) => ({ type: "percent_off", off: BigInt(off) }) as const),
  );
  type AnyPricing = typeof anyPricing extends fc.Arbitrary<infer T> ? T : never;

  const pricingOf = ({ type, off }: AnyPricing): BundlePricing => {
    if (type === "fixed") return { type };
    if (type === "amount_off") return { type, amountMinor: Number(off) };
    return { type, percent: `${off / 10n}.${off % 10n}` };
  };

  /** Tenths of a percent of an amount, rounded half to even by the last three digits. */
  const tenthsOfPercent = (amount: bigint, tenths: bigint): bigint => {
    const [floor, rest] = [(amount * tenths) / 1_000n, (amount * tenths) % 1_000n];
    const isUp = rest > 500n || (rest === 500n && floor % 2n === 1n);
    return isUp ? floor + 1n : floor;
  };

  it("match an independent calculation for any order of selections", () => {
    fc.assert(
      fc.property(
        fc.array(anyComponent, { minLength: 1, maxLength: 5 }),
        anyPricing,
        (drafts, pricing) => {
          const components = drafts.map((draft, at) => {
            const standard = draft.standard % draft.adjustments.length;
            const chosen = draft.chosen === null ? null : draft.chosen % draft.adjustments.length;
            return {
              ...draft,
              at,
              standard,
              chosen,
              taken: draft.adjustments[chosen ?? standard] ?? -1,
            };
          });
          const products = createProductSet(
            bundleOf(
              pricingOf(pricing),
              components.map(({ at, standard, quantity }) => ({
                componentId: `c${at}`,
                name: `c${at}`,
                productId: `p${at}`,
                defaultVariantId: `p${at}v${standard}`,
                quantity,
                isSwappable: true,
              })),
            ),
            ...components.map(({ at, priceMinor, adjustments }) =>
              createProduct({
                id: `p${at}`,
                defaultPriceMinor: priceMinor,
                variants: adjustments.map((priceAdjustmentMinor, index) =>
                  createVariant(`p${at}`, `p${at}v${index}`, { priceAdjustmentMinor }),
                ),
              }),
            ),
          );
          const chosen = components.flatMap(({ at, chosen: index, quantity }) =>
            index === null
              ? []
              : [createSelection(`c${at}`, { variantId: `p${at}v${index}`, quantity })],
          );

          const price = priceLine(
            products,
            createConfiguration("bundle", { bundleSelections: chosen }),
          );

          const full = sumExactly(
            components.map(
              ({ quantity, priceMinor, taken }) =>
                BigInt(quantity) * sumExactly([priceMinor, taken]),
            ),
          );
          const swaps = sumExactly(
            components.map(
              ({ quantity, taken, adjustments, standard }) =>
                BigInt(quantity) * sumExactly([taken, -(adjustments[standard] ?? 0)]),
            ),
          );
          const exact = {
            fixed: 3_900n + swaps,
            amount_off: full - pricing.off,
            percent_off: full - tenthsOfPercent(full, pricing.off),
          }[pricing.type];
          expect(BigInt(price.unitPriceMinor)).toBe(exact < 0n ? 0n : exact);
          expect(sumExactly(price.parts.map(({ amountMinor }) => amountMinor))).toBe(
            BigInt(price.unitPriceMinor),
          );
          expect(
            priceLine(
              products,
              createConfiguration("bundle", { bundleSelections: chosen.toReversed() }),
            ),
          ).toEqual(price);
        },
      ),
    );
  });
});
