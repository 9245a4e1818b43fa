import { hundredPercent, parsePercent } from "../../kernel/index.ts";
import { buyXGetYUnits } from "./buy-x-get-y.ts";
import { covers, type DealDiscount, type DealTerms, type PricedLine } from "./deal-terms.ts";

/** The units of a line that a deal discounts, and by how much. */
export type DiscountedPart = Readonly<{
  /** The position of the line in the cart. */
  index: number;
  units: number;
  quantity: number;
  /** In ten-thousandths of a percent. */
  percent: bigint;
}>;

/** What a deal discounts of each line, without the lines that it leaves as they are. */
export function discountedParts(deal: DealTerms, lines: readonly PricedLine[]): DiscountedPart[] {
  const percents = percentPerLine(deal, lines);
  const units = unitsPerLine(deal, lines);
  return lines.flatMap(({ quantity }, index) => {
    const part = { index, quantity, units: units[index] ?? 0, percent: percents[index] ?? 0n };
    return part.units > 0 && part.percent > 0n ? [part] : [];
  });
}

function unitsPerLine(deal: DealTerms, lines: readonly PricedLine[]): readonly number[] {
  const { discount, coverage } = deal;
  if (discount.type === "buy_x_get_y") return buyXGetYUnits({ ...deal, discount }, lines);
  return lines.map((line) => (covers(coverage, line) ? line.quantity : 0));
}

/** In ten-thousandths of a percent. */
function percentPerLine(
  { discount, coverage }: DealTerms,
  lines: readonly PricedLine[],
): readonly bigint[] {
  switch (discount.type) {
    case "percentage":
    case "buy_x_get_y": {
      const percent = parsePercent(discount.percent);
      return lines.map(() => percent);
    }
    case "tiered": {
      const covered = lines.filter((line) => covers(coverage, line));
      const percents = tierPercents(discount, covered);
      return lines.map(({ productId }) => percents.get(productId) ?? 0n);
    }
    case "fixed_amount":
      return lines.map(() => hundredPercent);
    case "free_delivery":
      return [];
  }
}

/** The percentage of each product, by the number of its units in all lines. */
function tierPercents(
  { tiers }: Extract<DealDiscount, { type: "tiered" }>,
  lines: readonly PricedLine[],
): ReadonlyMap<string, bigint> {
  const quantities = new Map<string, number>();
  for (const { productId, quantity } of lines) {
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  }
  const highestFirst = tiers.toSorted((a, b) => b.minQuantity - a.minQuantity);
  return new Map(
    [...quantities].map(([productId, quantity]) => {
      const tier = highestFirst.find(({ minQuantity }) => quantity >= minQuantity);
      return [productId, tier ? parsePercent(tier.percent) : 0n];
    }),
  );
}
