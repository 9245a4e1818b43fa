import type { Incentive, Intent, Settings } from "../businesses/index.ts";
import { minute } from "../kernel/index.ts";
import type { RecordedEvent } from "./event.ts";

/** How far back an intent looks. */
export const intentWindowMs = 30 * minute;

const viewsOfProduct = 2;
const productsOfCategory = 3;

/**
 * How ready a shopper is to buy (completions.md 11): considering after two views of a product, views
 * of three products of a category, or an add to the cart, all within the last 30 minutes; ready to
 * buy while, beyond that, something is in the cart.
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
    [...views.values()].some((count) => count >= viewsOfProduct) ||
    [...products.values()].some(({ size }) => size >= productsOfCategory)
  );
}

/** What the business offers to a shopper of that intent; null where it offers nothing. */
export const incentiveFor = (
  { incentives }: Pick<Settings, "incentives">,
  intent: Intent,
): Incentive | null => incentives.find((incentive) => incentive.intent === intent) ?? null;
