import { invalid, isPercent, parseMoney } from "../kernel/index.ts";
import type { Coverage, DealConditions, DealDiscount, DiscountType } from "../pricing/index.ts";

export const dealScopes = ["order", "product", "category", "collection"] as const;
export type DealScope = (typeof dealScopes)[number];

/** What a deal is for, as its merchant wrote it; ids of the scope's kind, none for the whole order. */
export type AppliesTo = Readonly<{ scope: DealScope; ids: readonly string[] }>;

/** A deal as its merchant keeps it (completions.md 4). */
export type Deal = DealConditions &
  Readonly<{
    description: string;
    appliesTo: AppliesTo;
    /** Orders of one customer that may have it. */
    perCustomerLimit: number | null;
  }>;

/** A deal with what its scope comes to at this version of the catalogue. */
export type LiveDeal = Deal & Readonly<{ coverage: Coverage }>;

/** Codes are compared by this: case and the spaces around them do not count. */
export const codeKeyOf = (code: string): string => code.trim().toUpperCase();

/** @throws Refusal VALIDATION_ERROR naming `value`. */
export function discountFrom(type: DiscountType, value: string, currency: string): DealDiscount {
  const discount: DealDiscount =
    type === "percentage"
      ? { type, percent: percentFrom(value) }
      : { type, amountMinor: parseMoney(value, currency, "value") };
  if (Number(value) <= 0) throw invalid("value", "must be more than nothing.");
  return discount;
}

function percentFrom(value: string): string {
  if (!isPercent(value) || Number(value) > 100) {
    throw invalid("value", "must be a percentage of at most 100, such as 12.5.");
  }
  return value;
}

/**
 * Passes a deal on whose fields agree with each other.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function sound(deal: Deal): Deal {
  const { startsAt, endsAt, appliesTo } = deal;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw invalid("ends_at", "must be after starts_at.");
  }
  if ((appliesTo.scope === "order") !== (appliesTo.ids.length === 0)) {
    throw invalid("applies_to.ids", "are required, except for the scope order, which takes none.");
  }
  return deal;
}
