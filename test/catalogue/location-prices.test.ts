import fc from "fast-check";
import { expect, it } from "vitest";
import { withLocationPrices } from "../../shared/catalogue/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import {
  createConfiguration,
  createProduct,
  createProductSet,
  createVariant,
} from "../pricing/create-products.ts";

const amount = fc.integer({ min: 0, max: 1_000_000 });

it("prices a line with the location's overrides, and unchanged at other locations", () => {
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.option(amount),
      fc.option(amount),
      fc.option(amount),
      (defaultPriceMinor, priceAdjustmentMinor, own, ofVariant, base) => {
        const priced = (variantId: string | null, priceMinor: number | null) =>
          priceMinor === null ? [] : [{ locationId: "here", variantId, priceMinor }];
        const sold = createProduct({
          id: "p",
          defaultPriceMinor,
          variants: [createVariant("p", "v", { priceAdjustmentMinor, isDefault: true })],
          composite:
            base === null ? null : { id: "c", productId: "p", basePriceMinor: base, groups: [] },
          priceOverrides: [...priced(null, own), ...priced("v", ofVariant)],
        });
        const priceAt = (place: string | null) =>
          priceLine(createProductSet(withLocationPrices(sold, place)), createConfiguration("p"))
            .unitPriceMinor;
        const sum = (price: number) => Math.max(price + priceAdjustmentMinor, 0);
        const elsewhere = sum(base ?? defaultPriceMinor);
        expect(priceAt("there")).toBe(elsewhere);
        expect(priceAt(null)).toBe(elsewhere);
        expect(priceAt("here")).toBe(ofVariant ?? sum(own ?? base ?? defaultPriceMinor));
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});
