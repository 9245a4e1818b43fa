import { bestOf, bySaving, type DealCandidate, searchCombinations } from "./combination-search.ts";
import { linesRejection } from "./deal-rejection.ts";
import { type AvailableDeals, areCombinable, lineAmount, type PricedLine } from "./deal-terms.ts";
import {
  amountOn,
  type DealOnLines,
  type Discount,
  dealOnLines,
  discountsInOrder,
  type RemainingPrices,
} from "./discount.ts";

export type DeliveryPrice = Readonly<{ priceMinor: number }>;

/** What deals are applied to. */
type DiscountedPrices = Readonly<{
  lines: readonly PricedLine[];
  /** The price of the chosen delivery; null while none is chosen. */
  delivery: DeliveryPrice | null;
  now: number;
}>;

/**
 * Calculates the discounts on these lines: those of the deals that may be combined and together
 * save most. Of equal sets the one with the older deals wins. Deals that do not apply, or that
 * deduct nothing, are left out. The order of the deals does not matter.
 */
export function calculateDiscounts(
  { lines, delivery, now }: DiscountedPrices,
  { automatic, coupons }: AvailableDeals,
): readonly Discount[] {
  const prices = { lineMinor: lines.map(lineAmount), deliveryMinor: delivery?.priceMinor ?? 0 };
  const candidates = [...automatic, ...coupons]
    .filter((deal) => linesRejection(deal, { lines, now }) === null)
    .map((deal) => toCandidate(dealOnLines(deal, lines), prices))
    .filter(({ aloneMinor }) => aloneMinor > 0);
  const usual = usualCombination(candidates, prices);
  return searchCombinations(candidates.filter(isCombinableIn(candidates)), { prices, usual });
}

const toCandidate = (offered: DealOnLines, prices: RemainingPrices): DealCandidate => ({
  ...offered,
  aloneMinor: amountOn(offered, prices),
});

/** The best automatic deal of those that name no classes, and one of their codes on what it leaves. */
function usualCombination(
  candidates: readonly DealCandidate[],
  prices: RemainingPrices,
): readonly Discount[] {
  const unclassified = candidates.filter(({ deal }) => !deal.combinesWith);
  const automatic = unclassified.filter(({ deal }) => deal.code === null).toSorted(bySaving);
  const best = automatic.slice(0, 1);
  const coupons = unclassified.filter(({ deal }) => deal.code !== null);
  return coupons
    .map((coupon) => discountsInOrder([...best, coupon], prices))
    .reduce(bestOf, discountsInOrder(best, prices));
}

/** Whether a deal names classes itself or can be combined with one that does. */
function isCombinableIn(
  candidates: readonly DealCandidate[],
): (candidate: DealCandidate) => boolean {
  const classified = candidates.flatMap(({ deal }) => (deal.combinesWith ? [deal] : []));
  return ({ deal }) =>
    Boolean(deal.combinesWith) || classified.some((other) => areCombinable(deal, other));
}
