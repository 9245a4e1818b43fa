import { requireChargeable } from "../kernel/index.ts";
import { calculateDiscounts, type DeliveryPrice } from "./discounts/deal-combination.ts";
import { type AvailableDeals, lineAmount, type PricedLine } from "./discounts/deal-terms.ts";
import { type Discount, totalDiscount } from "./discounts/discount.ts";
import { calculateTax, type TaxLine, type TaxTreatment } from "./tax.ts";

export type CartTotals = Readonly<{
  subtotalMinor: number;
  discountTotalMinor: number;
  taxTotalMinor: number;
  totalPriceMinor: number;
}>;

/** The totals without the amounts that make them up. */
export const totalsOf = ({
  subtotalMinor,
  discountTotalMinor,
  taxTotalMinor,
  totalPriceMinor,
}: CartTotals): CartTotals => ({
  subtotalMinor,
  discountTotalMinor,
  taxTotalMinor,
  totalPriceMinor,
});

/** Everything that a cart, an order or a renewal costs. */
export type CartPrice = CartTotals &
  Readonly<{
    /** The price of the delivery before discounts; zero without one. */
    deliveryTotalMinor: number;
    discounts: readonly Discount[];
    taxLines: readonly TaxLine[];
    lineDiscountMinor: readonly number[];
    lineTaxMinor: readonly number[];
    deliveryTaxMinor: number;
    /** The tax that prices include and an exempt customer does not pay; not in `taxTotalMinor`. */
    exemptedTaxMinor: number;
    /** The part of `exemptedTaxMinor` in each line. */
    lineExemptedTaxMinor: readonly number[];
  }>;

type PricedCart<L> = Readonly<{
  lines: readonly L[];
  delivery: DeliveryPrice | null;
  tax: TaxTreatment;
}>;

type DiscountedLine = Pick<PricedLine, "taxClass" | "unitPriceMinor" | "quantity">;

/**
 * Calculates the discounts, the taxes and the total of a cart.
 *
 * @throws Refusal VALIDATION_ERROR for amounts too large to charge.
 */
export const calculateCartPrice = ({
  deals,
  now,
  ...cart
}: PricedCart<PricedLine> & Readonly<{ deals: AvailableDeals; now: number }>): CartPrice =>
  priceWithDiscounts({ ...cart, discounts: calculateDiscounts({ ...cart, now }, deals) });

/**
 * As `calculateCartPrice`, with discounts that were calculated before.
 *
 * @throws Refusal VALIDATION_ERROR for amounts too large to charge.
 */
export function priceWithDiscounts({
  lines,
  delivery,
  tax,
  discounts,
}: PricedCart<DiscountedLine> & Readonly<{ discounts: readonly Discount[] }>): CartPrice {
  const subtotalMinor = lines.reduce(
    (sum, line) => requireChargeable(sum + lineAmount(line), "quantity"),
    0,
  );
  const deliveryTotalMinor = delivery?.priceMinor ?? 0;
  const discountTotalMinor = totalDiscount(discounts);
  const lineDiscountMinor = lines.map((_, index) =>
    discounts.reduce((sum, { shares }) => sum + (shares[index] ?? 0), 0),
  );
  const deliveryDiscountMinor = discounts.reduce(
    (sum, { deliveryShareMinor = 0 }) => sum + deliveryShareMinor,
    0,
  );
  const { exemptedTaxMinor, lineExemptedMinor, ...cartTax } = calculateTax(
    {
      lines: lines.map((line, index) => ({
        taxClass: line.taxClass,
        amountMinor: lineAmount(line) - (lineDiscountMinor[index] ?? 0),
      })),
      deliveryMinor: deliveryTotalMinor - deliveryDiscountMinor,
    },
    tax,
  );
  const addedTaxMinor = tax.isInclusive ? -exemptedTaxMinor : cartTax.taxTotalMinor;
  return {
    subtotalMinor,
    discounts,
    discountTotalMinor,
    lineDiscountMinor,
    deliveryTotalMinor,
    ...cartTax,
    exemptedTaxMinor: exemptedTaxMinor,
    lineExemptedTaxMinor: lineExemptedMinor,
    totalPriceMinor: subtotalMinor - discountTotalMinor + deliveryTotalMinor + addedTaxMinor,
  };
}
