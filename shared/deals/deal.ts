import { invalid, isPercent, type Patch, parseMoney } from "../kernel/index.ts";
import type {
  DealConditions,
  DealCoverage,
  ValueDiscount,
  ValueDiscountType,
} from "../pricing/index.ts";

export const dealScopes = ["order", "product", "category", "collection"] as const;
export type DealScope = (typeof dealScopes)[number];

/**
 * What a deal applies to. The ids are those of products, categories or collections, according to
 * the scope. The scope `order` has none.
 */
export type AppliesTo = Readonly<{ scope: DealScope; ids: readonly string[] }>;

/** A deal with all fields that the merchant sets. */
export type Deal = DealConditions &
  Readonly<{
    discount: ValueDiscount;
    description: string;
    appliesTo: AppliesTo;
    /** The maximum number of orders per customer in which the deal is used. */
    perCustomerLimit: number | null;
  }>;

/** A deal as it was read for a cart, with its coverage. */
export type DealWithCoverage = Deal & Readonly<{ coverage: DealCoverage; updatedAt: number }>;

/** The form in which codes are compared: without surrounding spaces, in upper case. */
export const codeKeyOf = (code: string): string => code.trim().toUpperCase();

/** Parses a percentage or an amount of money. @throws Refusal VALIDATION_ERROR naming `value`. */
function parseDiscount(type: ValueDiscountType, value: string, currency: string): ValueDiscount {
  const discount: ValueDiscount =
    type === "percentage"
      ? { type, percent: parseDealPercent(value) }
      : { type, amountMinor: parseMoney(value, currency, "value") };
  if (Number(value) <= 0) throw invalid("value", "must be greater than 0.");
  return discount;
}

function parseDealPercent(value: string): string {
  if (!isPercent(value) || Number(value) > 100) {
    throw invalid("value", "must be a percentage of at most 100, such as 12.5.");
  }
  return value;
}

/**
 * Returns the deal when its fields are consistent.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
function requireConsistent(deal: Deal): Deal {
  const { startsAt, endsAt, appliesTo } = deal;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw invalid("ends_at", "must be after starts_at.");
  }
  if ((appliesTo.scope === "order") !== (appliesTo.ids.length === 0)) {
    throw invalid("applies_to.ids", "is required, except for the scope order, which takes no ids.");
  }
  return deal;
}

type DealFields = Omit<Deal, "id" | "discount" | "timesRedeemed">;

/** The fields of a new deal. `value` is a percentage or an amount of money as decimal text. */
export type NewDeal = DealFields & Readonly<{ discountType: ValueDiscountType; value: string }>;

export type DealPatch = Patch<NewDeal>;

/**
 * Creates a deal from a merchant's input.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function dealFromInput(
  { discountType, value, ...fields }: NewDeal,
  { id, currency }: { id: string; currency: string },
): Deal {
  const discount = parseDiscount(discountType, value, currency);
  return requireConsistent({ ...fields, id, discount, timesRedeemed: 0 });
}

/**
 * The deal with the patch applied. A new discount_type requires a value.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function applyDealPatch(deal: Deal, patch: DealPatch, currency: string): Deal {
  const { discountType: _, value: __, ...fields } = patch;
  const sentFields = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  return requireConsistent({
    ...deal,
    ...sentFields,
    discount: applyDiscountPatch(deal.discount, patch, currency),
  });
}

function applyDiscountPatch(
  discount: ValueDiscount,
  { discountType, value }: DealPatch,
  currency: string,
): ValueDiscount {
  const type = discountType ?? discount.type;
  if (value !== undefined) return parseDiscount(type, value, currency);
  if (type !== discount.type) throw invalid("value", "is required with another discount_type.");
  return discount;
}
