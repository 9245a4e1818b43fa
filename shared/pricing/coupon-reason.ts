import { type Refusal, ruleBroken } from "../kernel/index.ts";
import type { Coverage, DealConditions, DealTerms } from "./deal-terms.ts";

export const couponReasons = [
  "COUPON_INVALID",
  "COUPON_NOT_STARTED",
  "COUPON_EXPIRED",
  "COUPON_MIN_NOT_MET",
  "COUPON_EXHAUSTED",
] as const;
/** Why a deal does not apply (completions.md 4, deals/validate). */
export type CouponReason = (typeof couponReasons)[number];

/** A line as a deal looks at it: what it costs altogether, and where it belongs. */
export type CoveredLine = Readonly<{
  productId: string;
  /** The product's categories, those above them among them, and its collections. */
  groupIds: readonly string[];
  amountMinor: number;
}>;

/** Null while the deal may be used: it is there, its time has come and not gone, uses are left. */
export function usageReason(deal: DealConditions | null, now: number): CouponReason | null {
  if (!deal?.isActive) return "COUPON_INVALID";
  if (deal.startsAt !== null && now < deal.startsAt) return "COUPON_NOT_STARTED";
  if (deal.endsAt !== null && now >= deal.endsAt) return "COUPON_EXPIRED";
  return isUsedUp(deal) ? "COUPON_EXHAUSTED" : null;
}

/** Null when the deal may be used on an order of this subtotal. */
export function orderReason(
  deal: DealConditions | null,
  { subtotalMinor, now }: { subtotalMinor: number; now: number },
): CouponReason | null {
  const unusable = usageReason(deal, now);
  const minimumMinor = deal?.minOrderSubtotalMinor ?? 0;
  return unusable ?? (subtotalMinor < minimumMinor ? "COUPON_MIN_NOT_MET" : null);
}

/** Null when the deal may be used on these lines; one that covers none of them is not for this cart. */
export function linesReason(
  deal: DealTerms | null,
  { lines, now }: { lines: readonly CoveredLine[]; now: number },
): CouponReason | null {
  const reason = orderReason(deal, { subtotalMinor: subtotalOf(lines), now });
  if (reason !== null || deal === null || lines.length === 0) return reason;
  return lines.some((line) => covers(deal.coverage, line)) ? null : "COUPON_INVALID";
}

/** Whether a deal is for this line. */
export function covers(coverage: Coverage, { productId, groupIds }: CoveredLine): boolean {
  switch (coverage.type) {
    case "order":
      return true;
    case "products":
      return coverage.ids.has(productId);
    case "groups":
      return groupIds.some((id) => coverage.ids.has(id));
  }
}

const subtotalOf = (lines: readonly CoveredLine[]): number =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

const isUsedUp = ({ usageLimit, timesRedeemed }: DealConditions): boolean =>
  usageLimit !== null && timesRedeemed >= usageLimit;

const messages = {
  COUPON_INVALID: "This coupon is not valid here.",
  COUPON_NOT_STARTED: "This coupon is not valid yet.",
  COUPON_EXPIRED: "This coupon has expired.",
  COUPON_MIN_NOT_MET: "The order is too small for this coupon.",
  COUPON_EXHAUSTED: "This coupon has been used up.",
} as const satisfies Record<CouponReason, string>;

/** The refusal of a coupon by the name of its rule (completions.md 5). */
export const couponRefused = (reason: CouponReason): Refusal =>
  ruleBroken(reason, messages[reason]);
