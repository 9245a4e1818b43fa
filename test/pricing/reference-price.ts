import type { DealTerms, PricedLine, TaxTreatment } from "../../shared/pricing/index.ts";
import {
  type Fraction,
  floorOf,
  fraction,
  nearest,
  percentage,
  split,
  sumOf,
  times,
} from "./fraction.ts";

/** A cart with all deals that apply to it. */
export type ReferenceCart = Readonly<{
  lines: readonly PricedLine[];
  deals: readonly DealTerms[];
  deliveryMinor: number | null;
  tax: TaxTreatment;
}>;

type ReferenceDiscount = Readonly<{ dealId: string; shares: readonly bigint[]; delivery: bigint }>;

export type ReferencePrice = Readonly<{
  discounts: readonly ReferenceDiscount[];
  lineTax: readonly bigint[];
  deliveryTax: bigint;
  taxLines: readonly Readonly<{ name: string; taxable: bigint; amount: bigint }>[];
  total: bigint;
}>;

/** Prices a cart by trying every set of deals, in exact fractions. */
export function referencePrice({
  lines,
  deals,
  deliveryMinor,
  tax,
}: ReferenceCart): ReferencePrice {
  const prices = lines.map(fullPrice);
  const delivery = BigInt(deliveryMinor ?? 0);
  const discounts = bestSet(lines, deals, delivery);
  const due = prices.map((price, index) => price - sharesAt(discounts, index));
  const deliveryDue = delivery - discounts.reduce((sum, each) => sum + each.delivery, 0n);
  const dues = sum(due) + deliveryDue;
  const taxes = referenceTax(lines, { due, deliveryDue }, tax);
  const taxTotal = sum(taxes.lineTax) + taxes.deliveryTax;
  if (tax.isExempt) {
    const total = dues - (tax.isInclusive ? taxTotal : 0n);
    return { discounts, lineTax: due.map(() => 0n), deliveryTax: 0n, taxLines: [], total };
  }
  return { discounts, ...taxes, total: dues + (tax.isInclusive ? 0n : taxTotal) };
}

const fullPrice = ({ unitPriceMinor, quantity }: PricedLine): bigint =>
  BigInt(unitPriceMinor) * BigInt(quantity);

const sum = (all: readonly bigint[]): bigint => all.reduce((a, b) => a + b, 0n);

const sharesAt = (discounts: readonly ReferenceDiscount[], index: number): bigint =>
  sum(discounts.map(({ shares }) => shares[index] ?? 0n));

const savingOf = (discounts: readonly ReferenceDiscount[]): bigint =>
  sum(discounts.map(({ shares, delivery }) => sum(shares) + delivery));

function bestSet(
  lines: readonly PricedLine[],
  deals: readonly DealTerms[],
  delivery: bigint,
): readonly ReferenceDiscount[] {
  const alone = (deal: DealTerms) => savingOf(applySet([deal], lines, delivery));
  const useful = deals.filter((deal) => alone(deal) > 0n);
  const best = useful
    .filter(({ code, combinesWith }) => code === null && !combinesWith)
    .sort((a, b) => (alone(a) === alone(b) ? (a.id < b.id ? -1 : 1) : alone(a) > alone(b) ? -1 : 1))
    .at(0);
  const sets = Array.from({ length: 2 ** useful.length }, (_, bits) =>
    useful.filter((_, index) => (bits >> index) % 2 === 1),
  )
    .filter((set) => isAllowed(set, best))
    .map((set) => ({ set, discounts: applySet(set, lines, delivery) }))
    .filter(({ set, discounts }) => isUsual(set) || discounts.length === set.length)
    .map(({ discounts }) => discounts);
  return sets.reduce((a, b) => (isPreferred(b, a) ? b : a), []);
}

const isUsual = (set: readonly DealTerms[]): boolean =>
  set.every(({ combinesWith }) => !combinesWith);

/** Deals without classes combine among each other as the best automatic deal and one code. */
function isAllowed(set: readonly DealTerms[], best: DealTerms | undefined): boolean {
  if (isUsual(set)) {
    const [automatic, codes] = [
      set.filter(({ code }) => code === null),
      set.filter(({ code }) => code !== null),
    ];
    return codes.length <= 1 && automatic.length === (best ? 1 : 0) && automatic[0] === best;
  }
  return set.every((a) => set.every((b) => a === b || accepts(a, b)));
}

function accepts({ combinesWith, code }: DealTerms, other: DealTerms): boolean {
  if (!combinesWith) return (code === null) !== (other.code === null);
  return combinesWith.some((name) => name === className(other));
}

const className = ({ discount, coverage }: DealTerms) =>
  discount.type === "free_delivery" ? "delivery" : coverage.type === "order" ? "order" : "product";

function isPreferred(a: readonly ReferenceDiscount[], b: readonly ReferenceDiscount[]): boolean {
  if (savingOf(a) !== savingOf(b)) return savingOf(a) > savingOf(b);
  const ids = (set: readonly ReferenceDiscount[]) =>
    set
      .map(({ dealId }) => dealId)
      .sort()
      .join(" ");
  return ids(a) < ids(b);
}

function applySet(
  set: readonly DealTerms[],
  lines: readonly PricedLine[],
  delivery: bigint,
): readonly ReferenceDiscount[] {
  const rank = (deal: DealTerms) => {
    const byClass = set.some(({ combinesWith }) => combinesWith);
    const position = byClass ? ["product", "order", "delivery"].indexOf(className(deal)) : 0;
    return `${position} ${deal.code === null ? 0 : 1} ${deal.id}`;
  };
  const ordered = set.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  let left = lines.map(fullPrice);
  let deliveryLeft = delivery;
  const discounts: ReferenceDiscount[] = [];
  for (const deal of ordered) {
    const discount = discountOf(deal, { lines, left, deliveryLeft });
    if (sum(discount.shares) + discount.delivery === 0n) continue;
    discounts.push(discount);
    left = left.map((price, index) => price - (discount.shares[index] ?? 0n));
    deliveryLeft -= discount.delivery;
  }
  return discounts;
}

type Left = Readonly<{
  lines: readonly PricedLine[];
  left: readonly bigint[];
  deliveryLeft: bigint;
}>;

function discountOf(deal: DealTerms, { lines, left, deliveryLeft }: Left): ReferenceDiscount {
  const { id: dealId, discount, maxDiscountMinor } = deal;
  const capped = (amount: bigint) =>
    maxDiscountMinor !== null && amount > BigInt(maxDiscountMinor)
      ? BigInt(maxDiscountMinor)
      : amount;
  if (discount.type === "free_delivery") {
    return { dealId, shares: lines.map(() => 0n), delivery: capped(deliveryLeft) };
  }
  const units = discountedUnits(deal, lines);
  const eligible = lines.map(({ quantity }, index) =>
    floorOf(fraction((left[index] ?? 0n) * BigInt(units[index] ?? 0), quantity)),
  );
  const rates = lines.map((line) => rateFor(deal, line, lines));
  const weights = eligible.map((price, index) =>
    times(fraction(price), rates[index] ?? fraction(0)),
  );
  const wanted =
    discount.type === "fixed_amount" ? BigInt(discount.amountMinor) : nearest(sumOf(weights));
  const amount = wanted > sum(eligible) ? sum(eligible) : wanted;
  return { dealId, shares: split(capped(amount), weights, eligible), delivery: 0n };
}

/** The percentage by which the deal lowers the line, as a fraction of one. */
function rateFor(
  { discount, coverage }: DealTerms,
  line: PricedLine,
  lines: readonly PricedLine[],
): Fraction {
  switch (discount.type) {
    case "percentage":
    case "buy_x_get_y":
      return percentage(discount.percent);
    case "tiered": {
      const units = lines
        .filter(({ productId }) => productId === line.productId)
        .reduce((count, { quantity }) => count + quantity, 0);
      const reached = discount.tiers.filter(({ minQuantity }) => minQuantity <= units);
      const highest = Math.max(...reached.map(({ minQuantity }) => minQuantity));
      const tier = reached.find(({ minQuantity }) => minQuantity === highest);
      return tier && isCovered(coverage, line) ? percentage(tier.percent) : fraction(0);
    }
    default:
      return fraction(1);
  }
}

/** Tries the highest number of uses first, with every unit by itself. */
function discountedUnits(deal: DealTerms, lines: readonly PricedLine[]): readonly number[] {
  const { discount, coverage, buyCoverage = coverage } = deal;
  if (discount.type !== "buy_x_get_y") {
    return lines.map((line) => (isCovered(coverage, line) ? line.quantity : 0));
  }
  const units = lines
    .flatMap((line, index) => Array.from({ length: line.quantity }, () => ({ line, index })))
    .toSorted((a, b) => a.line.unitPriceMinor - b.line.unitPriceMinor || a.index - b.index);
  for (let uses = discount.maxUsesPerOrder; uses > 0; uses -= 1) {
    const got = new Set<number>();
    const boughtLeft = () =>
      units.filter(({ line }, unit) => isCovered(buyCoverage, line) && !got.has(unit)).length;
    for (const [unit, { line }] of units.entries()) {
      if (got.size === uses * discount.getQuantity || !isCovered(coverage, line)) continue;
      got.add(unit);
      if (boughtLeft() < uses * discount.buyQuantity) got.delete(unit);
    }
    const isEnough =
      got.size === uses * discount.getQuantity && boughtLeft() >= uses * discount.buyQuantity;
    if (isEnough) {
      return lines.map((_, line) => [...got].filter((unit) => units[unit]?.index === line).length);
    }
  }
  return lines.map(() => 0);
}

const isCovered = (coverage: DealTerms["coverage"], line: PricedLine): boolean =>
  coverage.type === "order" ||
  [...coverage.ids].some((id) =>
    coverage.type === "products" ? id === line.productId : line.groupIds.includes(id),
  );

function referenceTax(
  lines: readonly PricedLine[],
  { due, deliveryDue }: Readonly<{ due: readonly bigint[]; deliveryDue: bigint }>,
  { rates, isInclusive }: TaxTreatment,
): Pick<ReferencePrice, "lineTax" | "deliveryTax" | "taxLines"> {
  const one = fraction(1);
  const part = (rate: string, all: readonly string[]) => {
    const base = isInclusive ? sumOf([one, ...all.map(percentage)]) : one;
    return fraction(percentage(rate).n * base.d, percentage(rate).d * base.n);
  };
  const ofClass = (name: string) =>
    rates.filter(({ taxClass }) => taxClass === name).map(({ ratePercent }) => ratePercent);
  const ofDelivery = rates
    .filter(({ appliesToDelivery }) => appliesToDelivery)
    .map(({ ratePercent }) => ratePercent);
  const spread = rates.map(({ ratePercent, taxClass, appliesToDelivery }) => {
    const exact = [
      ...lines.map((line, index) =>
        line.taxClass === taxClass
          ? times(fraction(due[index] ?? 0n), part(ratePercent, ofClass(taxClass)))
          : fraction(0),
      ),
      appliesToDelivery ? times(fraction(deliveryDue), part(ratePercent, ofDelivery)) : fraction(0),
    ];
    return split(nearest(sumOf(exact)), exact);
  });
  const lineTax = lines.map((_, index) => sum(spread.map((shares) => shares[index] ?? 0n)));
  const deliveryTax = sum(spread.map((shares) => shares.at(-1) ?? 0n));
  const net = (gross: bigint, tax: bigint) => (isInclusive ? gross - tax : gross);
  const taxLines = rates.flatMap(({ name, taxClass, appliesToDelivery }, rate) => {
    const covered = lines.flatMap((line, index) => (line.taxClass === taxClass ? [index] : []));
    const coversDelivery = appliesToDelivery && deliveryDue > 0n;
    if (covered.length === 0 && !coversDelivery) return [];
    const taxable =
      sum(covered.map((index) => net(due[index] ?? 0n, lineTax[index] ?? 0n))) +
      (coversDelivery ? net(deliveryDue, deliveryTax) : 0n);
    return [{ name, taxable, amount: sum(spread[rate] ?? []) }];
  });
  return { lineTax, deliveryTax, taxLines };
}
