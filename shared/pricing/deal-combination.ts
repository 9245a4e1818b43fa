import {
  type AvailableDeals,
  type DealTerms,
  lineAmount,
  linesRejection,
  type PricedLine,
} from "./deal-terms.ts";
import {
  type Discount,
  dealOnLines,
  discountOn,
  type RemainingPrices,
  withDiscountTaken,
} from "./discounts.ts";

/** What deals are applied to. */
export type DiscountedPrices = Readonly<{
  lines: readonly PricedLine[];
  /** The price of the chosen delivery; null while none is chosen. */
  delivery: DeliveryPrice | null;
  now: number;
}>;

export type DeliveryPrice = Readonly<{ priceMinor: number }>;

/**
 * Calculates the discounts on these lines: first the best automatic deal, then the coupon on what
 * remains. Deals that do not apply, or that deduct nothing, are left out.
 */
export function calculateDiscounts(
  { lines, delivery, now }: DiscountedPrices,
  { automatic, coupons }: AvailableDeals,
): readonly Discount[] {
  const prices = { lineMinor: lines.map(lineAmount), deliveryMinor: delivery?.priceMinor ?? 0 };
  const applicable = (deals: readonly DealTerms[]) =>
    deals.filter((deal) => linesRejection(deal, { lines, now }) === null);
  const best = largestDiscount(applicable(automatic), lines, prices);
  const remaining = best ? withDiscountTaken(prices, best) : prices;
  const coupon = largestDiscount(applicable(coupons), lines, remaining);
  return [best, coupon].flatMap((discount) => (discount ? [discount] : []));
}

/** The largest discount. Among equal discounts, the deal that was created first wins. */
const largestDiscount = (
  deals: readonly DealTerms[],
  lines: readonly PricedLine[],
  prices: RemainingPrices,
): Discount | null =>
  deals
    .flatMap((deal) => discountOn(dealOnLines(deal, lines), prices) ?? [])
    .reduce<Discount | null>(
      (best, discount) =>
        best === null ||
        discount.amountMinor > best.amountMinor ||
        (discount.amountMinor === best.amountMinor && discount.dealId < best.dealId)
          ? discount
          : best,
      null,
    );
