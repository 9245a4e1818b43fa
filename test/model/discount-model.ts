/** What deals take off, from the contract alone (completions.md 4, Deal, and 5). */
import { halfToEven, least, sum } from "./arithmetic.ts";
import type { Line } from "./cart-model.ts";
import { type Deal, productOf, type Shop } from "./shop-model.ts";

/** What a deal takes off an order; never nothing. */
export type Discount = Readonly<{ dealId: string; amount: bigint }>;

export const dealOf = ({ deals }: Pick<Shop, "deals">, code: string | null): Deal | undefined =>
  code === null ? undefined : deals.find((deal) => deal.code === code);

const costOf = ({ unitPrice, quantity }: Line): bigint => unitPrice * BigInt(quantity);

export const subtotalOf = (lines: readonly Line[]): bigint => sum(lines.map(costOf));

export const eligibleLines = (shop: Covering, deal: Deal, lines: readonly Line[]) =>
  lines.filter(({ configuration }) => covers(shop, deal, configuration.productId));

type Covering = Pick<Shop, "products" | "isGoneCovered">;

function covers(shop: Covering, { appliesTo: { scope, ids } }: Deal, productId: string): boolean {
  if (scope === "order") return true;
  if (scope === "product") return ids.includes(productId);
  const product = productOf(shop, productId);
  if (!product || (!product.isActive && !shop.isGoneCovered)) return false;
  const isIn = (id: string) => ids.includes(id);
  return scope === "category"
    ? product.categoryId !== null && isIn(product.categoryId)
    : product.collectionIds.some(isIn);
}

export const isEarly = ({ startsAt }: Deal, now: number): boolean =>
  startsAt !== null && now < startsAt;

export const isOver = ({ endsAt }: Deal, now: number): boolean => endsAt !== null && now >= endsAt;

/** Whether a deal may be used on these lines, but for what a customer has had of it. */
const applies = (deal: Deal, lines: readonly Line[], now: number) =>
  deal.isActive &&
  !isEarly(deal, now) &&
  !isOver(deal, now) &&
  subtotalOf(lines) >= deal.minimum &&
  (deal.limit === null || deal.usedBy.length < deal.limit);

/**
 * The best deal of those that apply by themselves, of equals the one that was made first, and the
 * coupon on what that left. Which line bears the odd unit of the first is nobody's promise, and the
 * coupon may be for some lines alone: hence several ways.
 */
export function discountWays(
  shop: Shop,
  lines: readonly Line[],
  { code, now }: Readonly<{ code: string | null; now: number }>,
): readonly (readonly Discount[])[] {
  const offOf = (deal: Deal) => amountOff(deal, subtotalOf(eligibleLines(shop, deal, lines)));
  const own = shop.deals
    .filter((deal) => deal.code === null && applies(deal, lines, now))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((deal) => ({ deal, amount: offOf(deal) }))
    .reduce<Own | null>((best, one) => (one.amount > (best?.amount ?? 0n) ? one : best), null);
  const coupon = dealOf(shop, code);
  const first = own ? [{ dealId: own.deal.id, amount: own.amount }] : [];
  if (!coupon) return [first];
  const amounts = leftFor(shop, { coupon, own }, lines).map((left) => amountOff(coupon, left));
  return [...new Set(amounts)].map((amount) =>
    amount === 0n ? first : [...first, { dealId: coupon.id, amount }],
  );
}

type Own = Readonly<{ deal: Deal; amount: bigint }>;

/** What the first deal may have left of what the coupon is for: each line bears its share, to the unit. */
function leftFor(
  shop: Shop,
  { coupon, own }: Readonly<{ coupon: Deal; own: Own | null }>,
  lines: readonly Line[],
): readonly bigint[] {
  const whole = subtotalOf(eligibleLines(shop, coupon, lines));
  if (!own) return [whole];
  const covered = eligibleLines(shop, own.deal, lines);
  const shared = eligibleLines(shop, coupon, covered);
  if (shared.length === covered.length) return [whole - own.amount];
  const total = subtotalOf(covered);
  const least = sum(shared.map((line) => (own.amount * costOf(line)) / total));
  const uneven = shared.filter((line) => (own.amount * costOf(line)) % total !== 0n).length;
  return Array.from({ length: uneven + 1 }, (_, more) => whole - least - BigInt(more));
}

export function amountOff(deal: Deal, eligible: bigint): bigint {
  const wanted =
    deal.type === "percentage" ? halfToEven(eligible * deal.value, 10_000n) : deal.value;
  return least(wanted, eligible, deal.maximum ?? eligible);
}
