/** A model of discounts, from the contract alone (docs/contract/storefront.md#discounts). */
import { halfToEven, least, sum } from "./arithmetic.ts";
import type { Line } from "./cart-model.ts";
import { type Deal, productOf, type Shop } from "./shop-model.ts";

/** The amount that a deal takes off an order; always positive. */
export type Discount = Readonly<{ dealId: string; amount: bigint }>;

export const dealOf = ({ deals }: Pick<Shop, "deals">, code: string | null): Deal | undefined =>
  code === null ? undefined : deals.find((deal) => deal.code === code);

const lineTotal = ({ unitPrice, quantity }: Line): bigint => unitPrice * BigInt(quantity);

export const subtotalOf = (lines: readonly Line[]): bigint => sum(lines.map(lineTotal));

export const eligibleLines = (shop: CatalogueForDeals, deal: Deal, lines: readonly Line[]) =>
  lines.filter(({ configuration }) => coversProduct(shop, deal, configuration.productId));

type CatalogueForDeals = Pick<Shop, "products" | "isGoneCovered">;

function coversProduct(
  shop: CatalogueForDeals,
  { appliesTo: { scope, ids } }: Deal,
  productId: string,
): boolean {
  if (scope === "order") return true;
  if (scope === "product") return ids.includes(productId);
  const product = productOf(shop, productId);
  if (!product || (!product.isActive && !shop.isGoneCovered)) return false;
  const isIn = (id: string) => ids.includes(id);
  return scope === "category"
    ? product.categoryId !== null && isIn(product.categoryId)
    : product.collectionIds.some(isIn);
}

export const isNotStarted = ({ startsAt }: Deal, now: number): boolean =>
  startsAt !== null && now < startsAt;

export const hasEnded = ({ endsAt }: Deal, now: number): boolean =>
  endsAt !== null && now >= endsAt;

/** Whether a deal applies to these lines, apart from the limit per customer. */
const isApplicable = (deal: Deal, lines: readonly Line[], now: number) =>
  deal.isActive &&
  !isNotStarted(deal, now) &&
  !hasEnded(deal, now) &&
  subtotalOf(lines) >= deal.minimum &&
  (deal.limit === null || deal.usedBy.length < deal.limit);

/**
 * The best automatic deal (of equals the oldest), and the coupon on the rest. The contract does not
 * say which line bears a rounding unit, and the coupon may apply to some lines only, so there are several
 * results.
 */
export function discountWays(
  shop: Shop,
  lines: readonly Line[],
  { code, now }: Readonly<{ code: string | null; now: number }>,
): readonly (readonly Discount[])[] {
  const offOf = (deal: Deal) => amountOff(deal, subtotalOf(eligibleLines(shop, deal, lines)));
  const own = shop.deals
    .filter((deal) => deal.code === null && isApplicable(deal, lines, now))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((deal) => ({ deal, amount: offOf(deal) }))
    .reduce<AutomaticDiscount | null>(
      (best, one) => (one.amount > (best?.amount ?? 0n) ? one : best),
      null,
    );
  const coupon = dealOf(shop, code);
  const first = own ? [{ dealId: own.deal.id, amount: own.amount }] : [];
  if (!coupon) return [first];
  const amounts = remainingForCoupon(shop, { coupon, own }, lines).map((left) =>
    amountOff(coupon, left),
  );
  return [...new Set(amounts)].map((amount) =>
    amount === 0n ? first : [...first, { dealId: coupon.id, amount }],
  );
}

type AutomaticDiscount = Readonly<{ deal: Deal; amount: bigint }>;

/**
 * The amounts that the automatic deal may leave for the coupon: each line bears its share, rounded
 * either way.
 */
function remainingForCoupon(
  shop: Shop,
  { coupon, own }: Readonly<{ coupon: Deal; own: AutomaticDiscount | null }>,
  lines: readonly Line[],
): readonly bigint[] {
  const whole = subtotalOf(eligibleLines(shop, coupon, lines));
  if (!own) return [whole];
  const covered = eligibleLines(shop, own.deal, lines);
  const shared = eligibleLines(shop, coupon, covered);
  if (shared.length === covered.length) return [whole - own.amount];
  const total = subtotalOf(covered);
  const least = sum(shared.map((line) => (own.amount * lineTotal(line)) / total));
  const uneven = shared.filter((line) => (own.amount * lineTotal(line)) % total !== 0n).length;
  return Array.from({ length: uneven + 1 }, (_, more) => whole - least - BigInt(more));
}

export function amountOff(deal: Deal, eligible: bigint): bigint {
  const wanted =
    deal.type === "percentage" ? halfToEven(eligible * deal.value, 10_000n) : deal.value;
  return least(wanted, eligible, deal.maximum ?? eligible);
}
