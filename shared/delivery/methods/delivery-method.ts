import type { PaymentMethod } from "../../businesses/index.ts";
import { invalid, type Patch } from "../../kernel/index.ts";

/** From a subtotal on, delivery costs this much. */
export type SubtotalTier = Readonly<{ minSubtotalMinor: number; amountMinor: number }>;

/** Up to a weight, delivery costs this much. */
export type WeightTier = Readonly<{ maxGrams: number; amountMinor: number }>;

/** How a method's price follows from the cart. The tiers are in ascending order. */
export type DeliveryPriceRule =
  | Readonly<{ type: "flat"; amountMinor: number }>
  | Readonly<{ type: "by_subtotal"; tiers: readonly SubtotalTier[] }>
  | Readonly<{ type: "by_weight"; tiers: readonly WeightTier[] }>;

/** A way to deliver to a zone. */
export type DeliveryMethod = Readonly<{
  id: string;
  zoneId: string;
  name: string;
  description: string;
  price: DeliveryPriceRule;
  /** Delivery is free from this discounted subtotal on; null for never. */
  freeOverMinor: number | null;
  minDays: number | null;
  maxDays: number | null;
  /** The payment methods that the method can be paid with; null for all. */
  paymentMethods: readonly PaymentMethod[] | null;
  sortOrder: number;
  isActive: boolean;
}>;

export type NewDeliveryMethod = Omit<DeliveryMethod, "id">;
export type DeliveryMethodPatch = Patch<NewDeliveryMethod>;

/** The method with the patch applied. @throws Refusal VALIDATION_ERROR naming the field. */
export function applyMethodPatch(
  method: DeliveryMethod,
  patch: DeliveryMethodPatch,
): DeliveryMethod {
  const changes = Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  );
  return requireConsistentMethod({ ...method, ...changes });
}

/**
 * Returns the method, with its tiers in ascending order, when its fields are consistent.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function requireConsistentMethod(method: DeliveryMethod): DeliveryMethod {
  const { minDays, maxDays } = method;
  if (minDays !== null && maxDays !== null && maxDays < minDays) {
    throw invalid("max_days", "must not be below min_days.");
  }
  return { ...method, price: withSortedTiers(method.price) };
}

function withSortedTiers(price: DeliveryPriceRule): DeliveryPriceRule {
  switch (price.type) {
    case "flat":
      return price;
    case "by_subtotal":
      return {
        type: price.type,
        tiers: sortedTiers(price.tiers, "min_subtotal", (tier) => tier.minSubtotalMinor),
      };
    case "by_weight":
      return {
        type: price.type,
        tiers: sortedTiers(price.tiers, "max_grams", (tier) => tier.maxGrams),
      };
  }
}

function sortedTiers<T>(tiers: readonly T[], field: string, boundOf: (tier: T) => number): T[] {
  const bounds = tiers.map(boundOf);
  const index = bounds.findIndex((bound, position) => bounds.indexOf(bound) < position);
  if (index >= 0) {
    throw invalid(`price.tiers.${index}.${field}`, "must differ from the other tiers'.");
  }
  return tiers.toSorted((a, b) => boundOf(a) - boundOf(b));
}

/** What the price of a delivery depends on. */
export type DeliveryFigures = Readonly<{
  /** The cart's subtotal after discounts. */
  discountedSubtotalMinor: number;
  /** The weight of what is shipped. */
  grams: number;
}>;

/** What a method costs; null when it is not offered at this subtotal or weight. */
export function deliveryPrice(
  { price, freeOverMinor }: Pick<DeliveryMethod, "price" | "freeOverMinor">,
  figures: DeliveryFigures,
): number | null {
  const amountMinor = ruleAmount(price, figures);
  if (amountMinor === null) return null;
  const isFree = freeOverMinor !== null && figures.discountedSubtotalMinor >= freeOverMinor;
  return isFree ? 0 : amountMinor;
}

function ruleAmount(
  price: DeliveryPriceRule,
  { discountedSubtotalMinor, grams }: DeliveryFigures,
): number | null {
  switch (price.type) {
    case "flat":
      return price.amountMinor;
    case "by_subtotal":
      return (
        price.tiers.findLast((tier) => tier.minSubtotalMinor <= discountedSubtotalMinor)
          ?.amountMinor ?? null
      );
    case "by_weight":
      return price.tiers.find(({ maxGrams }) => grams <= maxGrams)?.amountMinor ?? null;
  }
}
