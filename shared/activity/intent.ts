import type { Incentive, Intent, Settings } from "../businesses/index.ts";
import { minute } from "../kernel/index.ts";
import type { RecordedEvent } from "./session-activity.ts";

/** Events older than this do not count when the intent is computed. */
export const intentWindowMs = 30 * minute;

const minViewsOfProduct = 2;
const minProductsOfCategory = 3;

/**
 * How ready a shopper is to buy. Two views of a product, views of three products of a category, or
 * an add to the cart within the window make a shopper `considering`; a non-empty cart then makes
 * `ready_to_buy`.
 */
export function intentOf(
  events: readonly RecordedEvent[],
  { isCartEmpty, now }: Readonly<{ isCartEmpty: boolean; now: number }>,
): Intent {
  const recent = events.filter(({ at }) => now - at <= intentWindowMs);
  if (!isConsidering(recent)) return "baseline";
  return isCartEmpty ? "considering" : "ready_to_buy";
}

function isConsidering(recent: readonly RecordedEvent[]): boolean {
  const views = new Map<string, number>();
  const products = new Map<string, Set<string>>();
  for (const event of recent) {
    if (event.type === "cart_add") return true;
    if (event.type !== "product_view") continue;
    const { productId, categoryId } = event;
    views.set(productId, (views.get(productId) ?? 0) + 1);
    if (categoryId === null) continue;
    const seen = products.get(categoryId) ?? new Set();
    products.set(categoryId, seen.add(productId));
  }
  return (
    [...views.values()].some((count) => count >= minViewsOfProduct) ||
    [...products.values()].some(({ size }) => size >= minProductsOfCategory)
  );
}

/** The incentive that the business offers for an intent; null when it offers none. */
export const incentiveFor = (
  { incentives }: Pick<Settings, "incentives">,
  intent: Intent,
): Incentive | null => incentives.find((incentive) => incentive.intent === intent) ?? null;
