/**
 * A model of a session's activity, from the contract alone (docs/contract/storefront.md#activity).
 */
import { type Cart, pricingOf } from "./cart-model.ts";
import { availableAt, availableQuantity } from "./cart-rules.ts";
import type { Shop } from "./shop-model.ts";

type ProductView = Readonly<{ productId: string; categoryId: string | null; at: number }>;

export type Activity = Readonly<{
  /** The time of the last addition to the cart; null for never. */
  addedAt: number | null;
  /**
   * The time at which a line's quantity last rose; the contract does not say whether that is an
   * addition.
   */
  raisedAt: number | null;
  views: readonly ProductView[];
  dismissed: readonly string[];
}>;

export const noActivity: Activity = { addedAt: null, raisedAt: null, views: [], dismissed: [] };

const halfHourMs = 30 * 60_000;
/** Within this distance of the half hour both intents are accepted. */
const toleranceMs = 2_000;

/** Below this subtotal a message says how much is missing; in minor units. */
export const freeDeliveryFrom = 5_000n;
/** Stock below this quantity is low. */
export const lowStockThreshold = 2;

/**
 * The accepted intents: "considering", or "ready_to_buy" with a filled cart; two near the half
 * hour.
 */
export function intentsOf(activity: Activity, { lines }: Cart, now: number): readonly string[] {
  const considering = lines.length > 0 ? "ready_to_buy" : "considering";
  if (isConsidering({ ...activity, raisedAt: null }, now - halfHourMs + toleranceMs))
    return [considering];
  if (isConsidering(activity, now - halfHourMs - toleranceMs)) return [considering, "baseline"];
  return ["baseline"];
}

/** A product viewed twice, three products of a category, or an addition since then. */
function isConsidering({ addedAt, raisedAt, views }: Activity, since: number): boolean {
  const recent = views.filter(({ at }) => at >= since);
  const ids = recent.map(({ productId }) => productId);
  const isThird = recent.some(({ categoryId }) => {
    const same = recent.filter((view) => categoryId !== null && view.categoryId === categoryId);
    return new Set(same.map(({ productId }) => productId)).size >= 3;
  });
  const isAdded = Math.max(addedAt ?? 0, raisedAt ?? 0) >= since;
  return isAdded || isThird || new Set(ids).size < ids.length;
}

type ActivityContext = Readonly<{ shop: Shop; cart: Cart; activity: Activity }>;

/** The first message that is missing or should not be there; null when all are right. */
export function findWrongMessage(
  context: ActivityContext,
  codes: readonly string[],
): string | null {
  const { activity } = context;
  const viewed = [...new Set(activity.views.map(({ productId }) => productId))];
  const demands = [
    { code: "free_delivery_threshold", isDue: isBelowFreeDelivery(context) },
    ...viewed.map((id) => ({ code: `low_stock:${id}`, isDue: isScarce(context, id) })),
    ...viewed.map((id) => ({ code: `back_again:${id}`, isDue: isBack(activity, id) })),
  ].map(({ code, isDue }) => ({
    code,
    isDue: activity.dismissed.includes(code) ? false : isDue,
  }));
  const wrong = demands.find(({ code, isDue }) => isDue !== null && isDue !== codes.includes(code));
  const stray = codes.find((code) => !demands.some((one) => one.code === code));
  return wrong?.code ?? stray ?? null;
}

/** Whether a message is expected; null where the contract leaves it open. */
type Expectation = boolean | null;

/** The contract does not say which amount counts: expected only if all amounts agree. */
function isBelowFreeDelivery({ shop, cart }: ActivityContext): Expectation {
  if (cart.lines.length === 0) return false;
  const { subtotal, total_price } = pricingOf(shop, cart);
  const net = minor(subtotal) - minor(pricingOf(shop, cart).discount_total);
  return unanimous([minor(subtotal), net, minor(total_price)].map((one) => one < freeDeliveryFrom));
}

const minor = (amount: string): bigint => BigInt(amount.replace(".", ""));

/** At or below the threshold at every location and in total. */
function isScarce({ shop }: ActivityContext, productId: string): Expectation {
  const product = shop.products.find(({ id }) => id === productId);
  if (product?.stockTracking === "nowhere") return false;
  if (!product?.isActive || product.stockTracking === "by variant") return null;
  const there = shop.locations.map((location) => availableAt(shop, productId, location));
  return unanimous(
    [availableQuantity(shop, productId), ...there].map((pieces) => pieces <= lowStockThreshold),
  );
}

/** Viewed again after half an hour or more; views older than a day may be forgotten. */
function isBack({ views }: Activity, productId: string): Expectation {
  const times = views.filter((view) => view.productId === productId).map(({ at }) => at);
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? at));
  const first = times[0] ?? 0;
  if (Date.now() - first > 24 * 3_600_000) return null;
  if (gaps.some((gap) => gap >= halfHourMs)) return true;
  return times.some((at) => at - first >= halfHourMs) ? null : false;
}

const unanimous = (votes: readonly boolean[]): Expectation =>
  votes.every((vote) => vote === votes[0]) ? (votes[0] ?? null) : null;
