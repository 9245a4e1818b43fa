import { type Refusal, ruleViolation } from "../../kernel/index.ts";
import {
  covers,
  type DealConditions,
  type DealTerms,
  lineAmount,
  type PricedLine,
} from "./deal-terms.ts";
import { discountedParts } from "./discounted-parts.ts";

export const couponRejectionReasons = [
  "COUPON_INVALID",
  "COUPON_NOT_STARTED",
  "COUPON_EXPIRED",
  "COUPON_MIN_NOT_MET",
  "COUPON_EXHAUSTED",
] as const;
/** Why a coupon is rejected. */
export type CouponRejectionReason = (typeof couponRejectionReasons)[number];

/**
 * Why the deal cannot be used now, or null when it can. The deal must exist, be active, be
 * within its dates and have uses left.
 */
export function usageRejection(
  deal: DealConditions | null,
  now: number,
): CouponRejectionReason | null {
  if (!deal?.isActive) return "COUPON_INVALID";
  if (deal.startsAt !== null && now < deal.startsAt) return "COUPON_NOT_STARTED";
  if (deal.endsAt !== null && now >= deal.endsAt) return "COUPON_EXPIRED";
  return isExhausted(deal) ? "COUPON_EXHAUSTED" : null;
}

/** Why the deal does not apply to an order with this subtotal, or null when it does. */
export function orderRejection(
  deal: DealConditions | null,
  { subtotalMinor, now }: { subtotalMinor: number; now: number },
): CouponRejectionReason | null {
  const rejection = usageRejection(deal, now);
  const minimumMinor = deal?.minOrderSubtotalMinor ?? 0;
  return rejection ?? (subtotalMinor < minimumMinor ? "COUPON_MIN_NOT_MET" : null);
}

/**
 * Why the deal does not apply to these lines, or null when it does. Includes the reasons of
 * `orderRejection`; lines are not checked in an empty cart. `tiered` and `buy_x_get_y` also need
 * enough units.
 */
export function linesRejection(
  deal: DealTerms | null,
  { lines, now }: { lines: readonly PricedLine[]; now: number },
): CouponRejectionReason | null {
  const subtotalMinor = lines.reduce((sum, line) => sum + lineAmount(line), 0);
  const rejection = orderRejection(deal, { subtotalMinor, now });
  if (rejection !== null || deal === null || lines.length === 0) return rejection;
  const coverages = [deal.coverage, ...(deal.buyCoverage ? [deal.buyCoverage] : [])];
  const coversLines = coverages.every((coverage) => lines.some((line) => covers(coverage, line)));
  if (!coversLines) return "COUPON_INVALID";
  return hasDiscountedUnits(deal, lines) ? null : "COUPON_MIN_NOT_MET";
}

/** Whether the cart has the quantity that the deal needs; most types need none. */
const hasDiscountedUnits = (deal: DealTerms, lines: readonly PricedLine[]): boolean =>
  (deal.discount.type !== "tiered" && deal.discount.type !== "buy_x_get_y") ||
  discountedParts(deal, lines).length > 0;

const isExhausted = ({ usageLimit, timesRedeemed }: DealConditions): boolean =>
  usageLimit !== null && timesRedeemed >= usageLimit;

const couponMessages = {
  COUPON_INVALID: "This coupon is not valid for this cart.",
  COUPON_NOT_STARTED: "This coupon is not valid yet.",
  COUPON_EXPIRED: "This coupon has expired.",
  COUPON_MIN_NOT_MET: "The cart does not reach the minimum of this coupon.",
  COUPON_EXHAUSTED: "This coupon has been used up.",
} as const satisfies Record<CouponRejectionReason, string>;

/** The refusal for a rejected coupon. The refusal's rule is the reason. */
export const couponRefusal = (reason: CouponRejectionReason): Refusal =>
  ruleViolation(reason, couponMessages[reason]);
