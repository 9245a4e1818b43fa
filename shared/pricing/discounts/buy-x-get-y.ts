import { type BuyXGetYDiscount, covers, type DealTerms, type PricedLine } from "./deal-terms.ts";

type BuyXGetYDeal = Pick<DealTerms, "coverage" | "buyCoverage"> &
  Readonly<{ discount: BuyXGetYDiscount }>;

/**
 * The number of discounted units of each line: the cheapest ones of the deal's coverage that leave
 * enough others to count as bought. A unit is either bought or discounted.
 */
export function buyXGetYUnits(
  { discount, coverage, buyCoverage }: BuyXGetYDeal,
  lines: readonly PricedLine[],
): readonly number[] {
  const coveredLines = lines.map((line, index) => ({
    ...line,
    index,
    isGot: covers(coverage, line),
    isBought: covers(buyCoverage ?? coverage, line),
  }));
  const units = (included: (line: CoveredLine) => boolean) =>
    coveredLines.filter(included).reduce((sum, { quantity }) => sum + quantity, 0);
  const boughtUnits = units(({ isBought }) => isBought);
  const uses = maxUses(discount, {
    boughtUnits,
    gotUnits: units(({ isGot }) => isGot),
    allUnits: units(({ isBought, isGot }) => isBought || isGot),
  });
  return pickCheapest(coveredLines, {
    units: uses * discount.getQuantity,
    sharedUnits: boughtUnits - uses * discount.buyQuantity,
  });
}

type CoveredLine = PricedLine & Readonly<{ index: number; isGot: boolean; isBought: boolean }>;

/** How often the deal fits into the cart when no unit counts twice. */
const maxUses = (
  { buyQuantity, getQuantity, maxUsesPerOrder }: BuyXGetYDiscount,
  {
    boughtUnits,
    gotUnits,
    allUnits,
  }: Readonly<{ boughtUnits: number; gotUnits: number; allUnits: number }>,
): number =>
  Math.min(
    maxUsesPerOrder,
    Math.floor(boughtUnits / buyQuantity),
    Math.floor(gotUnits / getQuantity),
    Math.floor(allUnits / (buyQuantity + getQuantity)),
  );

/**
 * Takes the cheapest units, of equal prices those of the earlier line. At most `sharedUnits` are
 * of lines whose units could count as bought.
 */
function pickCheapest(
  lines: readonly CoveredLine[],
  limits: Readonly<{ units: number; sharedUnits: number }>,
): number[] {
  const picked = lines.map(() => 0);
  let { units, sharedUnits } = limits;
  const cheapestFirst = lines
    .filter(({ isGot }) => isGot)
    .toSorted((a, b) => a.unitPriceMinor - b.unitPriceMinor || a.index - b.index);
  for (const { index, quantity, isBought } of cheapestFirst) {
    const count = Math.min(quantity, units, isBought ? sharedUnits : units);
    picked[index] = count;
    units -= count;
    if (isBought) sharedUnits -= count;
  }
  return picked;
}
