/** What deals take off, from the contract alone (completions.md 4, Deal, and 5). */
import { halfToEven, least, sum } from "./arithmetic.ts";
import type { Line } from "./cart-model.ts";
import type { Deal, Shop } from "./shop-model.ts";

/** What a deal takes off an order; never nothing. */
export type Discount = Readonly<{ dealId: string; amount: bigint }>;

export const dealOf = ({ deals }: Pick<Shop, "deals">, code: string | null): Deal | undefined =>
  code === null ? undefined : deals.find((deal) => deal.code === code);

const costOf = ({ unitPrice, quantity }: Line): bigint => unitPrice * BigInt(quantity);

export const subtotalOf = (lines: readonly Line[]): bigint => sum(lines.map(costOf));

export const eligibleLines = ({ productId }: Deal, lines: readonly Line[]) =>
  lines.filter(({ configuration }) => productId === null || configuration.productId === productId);

/** Whether a deal may be used on these lines, but for what a customer has had of it. */
const applies = (deal: Deal, lines: readonly Line[]) => {
  const { isActive, isEarly, isExpired, minimum, limit, usedBy } = deal;
  return (
    isActive &&
    !isEarly &&
    !isExpired &&
    subtotalOf(lines) >= minimum &&
    (limit === null || usedBy.length < limit)
  );
};

/**
 * The best deal of those that apply by themselves, of equals the one that was made first, and the
 * coupon on what that left. Which line bears the odd unit of the first is nobody's promise, and the
 * coupon may be for some lines alone: hence several ways.
 */
export function discountWays(
  { deals }: Shop,
  lines: readonly Line[],
  code: string | null,
): readonly (readonly Discount[])[] {
  const own = deals
    .filter((deal) => deal.code === null && applies(deal, lines))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((deal) => ({ deal, amount: amountOff(deal, subtotalOf(eligibleLines(deal, lines))) }))
    .reduce<Own | null>((best, one) => (one.amount > (best?.amount ?? 0n) ? one : best), null);
  const coupon = dealOf({ deals }, code);
  const first = own ? [{ dealId: own.deal.id, amount: own.amount }] : [];
  if (!coupon) return [first];
  const amounts = leftFor(coupon, lines, own).map((left) => amountOff(coupon, left));
  return [...new Set(amounts)].map((amount) =>
    amount === 0n ? first : [...first, { dealId: coupon.id, amount }],
  );
}

type Own = Readonly<{ deal: Deal; amount: bigint }>;

/** What the first deal may have left of what the coupon is for: each line bears its share, to the unit. */
function leftFor(coupon: Deal, lines: readonly Line[], own: Own | null): readonly bigint[] {
  const whole = subtotalOf(eligibleLines(coupon, lines));
  if (!own) return [whole];
  const covered = eligibleLines(own.deal, lines);
  const shared = eligibleLines(coupon, covered);
  if (shared.length === covered.length) return [whole - own.amount];
  const total = subtotalOf(covered);
  const least = sum(shared.map((line) => (own.amount * costOf(line)) / total));
  const uneven = shared.filter((line) => (own.amount * costOf(line)) % total !== 0n).length;
  return Array.from({ length: uneven + 1 }, (_, more) => whole - least - BigInt(more));
}

function amountOff(deal: Deal, eligible: bigint): bigint {
  const wanted =
    deal.type === "percentage" ? halfToEven(eligible * deal.value, 10_000n) : deal.value;
  return least(wanted, eligible, deal.maximum ?? eligible);
}
