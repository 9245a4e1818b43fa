/** What a session's activity comes to, from the contract alone (interface.md, Activity; completions.md 11). */
import { type Cart, pricingOf } from "./cart-model.ts";
import { availableAt, availableOf } from "./cart-rules.ts";
import type { Shop } from "./shop-model.ts";

type View = Readonly<{ productId: string; categoryId: string | null; at: number }>;

export type Activity = Readonly<{
  /** When something was last added to the cart; null for never. */
  addedAt: number | null;
  /** When a line last got more pieces: whether that is an add is not said. */
  raisedAt: number | null;
  views: readonly View[];
  dismissed: readonly string[];
}>;

export const noActivity: Activity = { addedAt: null, raisedAt: null, views: [], dismissed: [] };

const halfAnHour = 30 * 60_000;
/** So close to the half hour, either side of it is right. */
const moment = 2_000;

/** An order below this is told what is missing; by the currency's minor units. */
export const freeDeliveryFrom = 5_000n;
/** Fewer pieces than this are few. */
export const fewPieces = 2;

/** Considering, and with a cart that is not empty ready to buy; two where it is a matter of a moment. */
export function intentsOf(activity: Activity, { lines }: Cart, now: number): readonly string[] {
  const considering = lines.length > 0 ? "ready_to_buy" : "considering";
  if (isConsidering({ ...activity, raisedAt: null }, now - halfAnHour + moment))
    return [considering];
  if (isConsidering(activity, now - halfAnHour - moment)) return [considering, "baseline"];
  return ["baseline"];
}

/** A product seen twice, three of a category, or something added, since then. */
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

type Told = Readonly<{ shop: Shop; cart: Cart; activity: Activity }>;

/** The first code that should be there and is not, or the reverse; null when all is as it should be. */
export function misfit(told: Told, codes: readonly string[]): string | null {
  const { activity } = told;
  const viewed = [...new Set(activity.views.map(({ productId }) => productId))];
  const demands = [
    { code: "free_delivery_threshold", isDue: isBelowFree(told) },
    ...viewed.map((id) => ({ code: `low_stock:${id}`, isDue: isScarce(told, id) })),
    ...viewed.map((id) => ({ code: `back_again:${id}`, isDue: isBack(activity, id) })),
  ].map(({ code, isDue }) => ({
    code,
    isDue: activity.dismissed.includes(code) ? false : isDue,
  }));
  const wrong = demands.find(({ code, isDue }) => isDue !== null && isDue !== codes.includes(code));
  const stray = codes.find((code) => !demands.some((one) => one.code === code));
  return wrong?.code ?? stray ?? null;
}

/** Whether a message is due; null where the contract leaves it open. */
type Due = boolean | null;

/** Below by every figure of the cart, or by none. */
function isBelowFree({ shop, cart }: Told): Due {
  if (cart.lines.length === 0) return false;
  const { subtotal, total_price } = pricingOf(shop, cart);
  const net = minor(subtotal) - minor(pricingOf(shop, cart).discount_total);
  return unanimous([minor(subtotal), net, minor(total_price)].map((one) => one < freeDeliveryFrom));
}

const minor = (amount: string): bigint => BigInt(amount.replace(".", ""));

/** At or below its threshold, at every location and altogether. */
function isScarce({ shop }: Told, productId: string): Due {
  const product = shop.products.find(({ id }) => id === productId);
  if (product?.counted === "nowhere") return false;
  if (!product?.isActive || product.counted === "by variant") return null;
  const there = shop.locations.map((location) => availableAt(shop, productId, location));
  return unanimous([availableOf(shop, productId), ...there].map((pieces) => pieces <= fewPieces));
}

/** Seen again half an hour later or more; of what lies a day back it may know nothing any more. */
function isBack({ views }: Activity, productId: string): Due {
  const times = views.filter((view) => view.productId === productId).map(({ at }) => at);
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? at));
  const first = times[0] ?? 0;
  if (Date.now() - first > 24 * 3_600_000) return null;
  if (gaps.some((gap) => gap >= halfAnHour)) return true;
  return times.some((at) => at - first >= halfAnHour) ? null : false;
}

const unanimous = (votes: readonly boolean[]): Due =>
  votes.every((vote) => vote === votes[0]) ? (votes[0] ?? null) : null;
