import { allocate, percentOf } from "../kernel/index.ts";
import { type CoveredLine, covers, linesReason } from "./coupon-reason.ts";
import type { DealDiscount, DealsOnOffer, DealTerms } from "./deal-terms.ts";

/** What one deal takes off an order, by name. */
export type Discount = Readonly<{
  dealId: string;
  name: string;
  code: string | null;
  amountMinor: number;
  /** What of it falls on each line, in their order; they sum to `amountMinor`. */
  shares: readonly number[];
}>;

/**
 * What the deals take off these lines: the best automatic one, then the coupon on what that left
 * (completions.md 5). Deals that do not apply now, or take nothing, are left out.
 */
export function discountsOn(
  lines: readonly CoveredLine[],
  { automatic, coupon }: DealsOnOffer,
  now: number,
): readonly Discount[] {
  const applies = (deal: DealTerms) => linesReason(deal, { lines, now }) === null;
  const best = bestOf(automatic.filter(applies).map((deal) => discountOf(deal, lines)));
  const left = best ? withoutShares(lines, best) : lines;
  const onTop = coupon && applies(coupon) ? discountOf(coupon, left) : null;
  return [best, onTop].flatMap((discount) =>
    discount && discount.amountMinor > 0 ? [discount] : [],
  );
}

/** What a deal takes off an amount that it covers: rounded once, at most its maximum and the amount. */
export function amountOff(
  { discount, maxDiscountMinor }: Pick<DealTerms, "discount" | "maxDiscountMinor">,
  eligibleMinor: number,
): number {
  return Math.min(
    rawAmount(discount, eligibleMinor),
    maxDiscountMinor ?? eligibleMinor,
    eligibleMinor,
  );
}

export const discountTotal = (discounts: readonly Discount[]): number =>
  discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

function rawAmount(discount: DealDiscount, eligibleMinor: number): number {
  switch (discount.type) {
    case "percentage":
      return percentOf(eligibleMinor, discount.percent);
    case "fixed_amount":
      return discount.amountMinor;
  }
}

function discountOf(deal: DealTerms, lines: readonly CoveredLine[]): Discount {
  const weights = lines.map((line) => (covers(deal.coverage, line) ? line.amountMinor : 0));
  const amountMinor = amountOff(
    deal,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const { id: dealId, name, code } = deal;
  return { dealId, name, code, amountMinor, shares: allocate(amountMinor, weights) };
}

/** The one that takes the most; of equals the one that was made first. */
const bestOf = (discounts: readonly Discount[]): Discount | null =>
  discounts.reduce<Discount | null>(
    (best, one) =>
      best === null ||
      one.amountMinor > best.amountMinor ||
      (one.amountMinor === best.amountMinor && one.dealId < best.dealId)
        ? one
        : best,
    null,
  );

const withoutShares = (
  lines: readonly CoveredLine[],
  { shares }: Discount,
): readonly CoveredLine[] =>
  lines.map((line, index) => ({ ...line, amountMinor: line.amountMinor - (shares[index] ?? 0) }));
