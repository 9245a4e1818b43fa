import { areCombinable, dealClasses, dealClassOf } from "./deal-terms.ts";
import {
  amountOn,
  type DealOnLines,
  type Discount,
  discountOn,
  discountsInOrder,
  type RemainingPrices,
  totalDiscount,
  withDiscountTaken,
} from "./discount.ts";

/**
 * How many prices of lines the search compares at most before it ends with the best set so far.
 * Eight deals that all combine on a cart of 20 lines take a twentieth of it.
 */
const maxComparedPrices = 500_000;

/** A deal that deducts something from the full prices, and how much without other deals. */
export type DealCandidate = DealOnLines & Readonly<{ aloneMinor: number }>;

type SearchInput = Readonly<{
  prices: RemainingPrices;
  /** The discounts of the deals that name no classes, which the search has to surpass. */
  usual: readonly Discount[];
}>;

/** The discounts that were applied so far, and the deals that may follow. */
type Combination = Readonly<{
  discounts: readonly Discount[];
  savedMinor: number;
  remaining: RemainingPrices;
  following: readonly DealCandidate[];
  /** Whether a deal that names classes is among them. */
  isClassified: boolean;
}>;

/**
 * Returns the discounts of the combinable deals that save most, in the order in which they are
 * applied. A set is not extended when the deals that could follow cannot make it the best one.
 */
export function searchCombinations(
  candidates: readonly DealCandidate[],
  { prices, usual }: SearchInput,
): readonly Discount[] {
  if (candidates.length === 0) return usual;
  const lineCount = prices.lineMinor.length;
  let best = bestOf(usual, greedyCombination(candidates, prices));
  let bestMinor = totalDiscount(best);
  let comparedPrices = 0;

  const extend = ({ discounts, savedMinor, remaining, following, isClassified }: Combination) => {
    comparedPrices += following.length * lineCount;
    const amounts = new Map(following.map((offered) => [offered, amountOn(offered, remaining)]));
    const possible = (offered: readonly DealCandidate[]) =>
      offered.reduce((sum, each) => sum + (amounts.get(each) ?? 0), savedMinor);
    for (const [position, offered] of following.entries()) {
      if (comparedPrices > maxComparedPrices) return;
      const combinable = following
        .slice(position + 1)
        .filter(({ deal }) => areCombinable(deal, offered.deal));
      if (possible([offered, ...combinable]) < bestMinor) continue;
      comparedPrices += lineCount;
      const discount = discountOn(offered, remaining);
      if (discount === null) continue;
      const extended = {
        discounts: [...discounts, discount],
        savedMinor: savedMinor + discount.amountMinor,
        remaining: withDiscountTaken(remaining, discount),
        following: combinable,
        isClassified: isClassified || Boolean(offered.deal.combinesWith),
      };
      if (extended.isClassified && extended.savedMinor >= bestMinor) {
        best = bestOf(best, extended.discounts);
        bestMinor = extended.savedMinor;
      }
      if (combinable.length > 0) extend(extended);
    }
  };

  extend({
    discounts: [],
    savedMinor: 0,
    remaining: prices,
    following: candidates.toSorted(byApplication),
    isClassified: false,
  });
  return best;
}

/** A good set to begin with: the deals that save most alone, as far as they combine. */
function greedyCombination(
  candidates: readonly DealCandidate[],
  prices: RemainingPrices,
): readonly Discount[] {
  const chosen: DealCandidate[] = [];
  for (const next of candidates.toSorted(bySaving)) {
    if (chosen.every(({ deal }) => areCombinable(deal, next.deal))) chosen.push(next);
  }
  const discounts = discountsInOrder(chosen.toSorted(byApplication), prices);
  const isClassified = chosen.some(
    ({ deal }) => deal.combinesWith && discounts.some(({ dealId }) => dealId === deal.id),
  );
  return isClassified ? discounts : [];
}

/** By class; within a class automatic deals and older ones first. */
const byApplication = ({ deal: a }: DealOnLines, { deal: b }: DealOnLines): number =>
  dealClasses.indexOf(dealClassOf(a)) - dealClasses.indexOf(dealClassOf(b)) ||
  Number(a.code !== null) - Number(b.code !== null) ||
  (a.id < b.id ? -1 : 1);

/** The largest saving first; of equal savings, that of the older deal. */
export const bySaving = (a: DealCandidate, b: DealCandidate): number =>
  b.aloneMinor - a.aloneMinor || (a.deal.id < b.deal.id ? -1 : 1);

/** The discounts that save more; of equal savings, those of the older deals. */
export function bestOf(a: readonly Discount[], b: readonly Discount[]): readonly Discount[] {
  const difference = totalDiscount(a) - totalDiscount(b);
  if (difference !== 0) return difference > 0 ? a : b;
  const [ids, otherIds] = [sortedIds(a), sortedIds(b)];
  for (const [position, id] of ids.entries()) {
    const otherId = otherIds[position];
    if (otherId === undefined || otherId < id) return b;
    if (id < otherId) return a;
  }
  return a;
}

const sortedIds = (discounts: readonly Discount[]): string[] =>
  discounts.map(({ dealId }) => dealId).toSorted();
