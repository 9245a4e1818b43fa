import { invalid, type Patch } from "../kernel/index.ts";
import type { DealDiscount, DiscountType } from "../pricing/index.ts";
import { type Deal, discountFrom, sound } from "./deal.ts";

type Plain = Omit<Deal, "id" | "discount" | "timesRedeemed">;

/** A deal as a merchant writes it; the value is decimal text of the discount's kind. */
export type NewDeal = Plain & Readonly<{ discountType: DiscountType; value: string }>;

export type DealPatch = Patch<NewDeal>;

/** @throws Refusal VALIDATION_ERROR naming the field. */
export function dealFrom(
  { discountType, value, ...fields }: NewDeal,
  { id, currency }: { id: string; currency: string },
): Deal {
  const discount = discountFrom(discountType, value, currency);
  return sound({ ...fields, id, discount, timesRedeemed: 0 });
}

/** @throws Refusal VALIDATION_ERROR naming the field: a new discount_type asks for a value too. */
export function patchedDeal(deal: Deal, patch: DealPatch, currency: string): Deal {
  const { discountType: _, value: __, ...fields } = patch;
  const sent = Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined));
  return sound({ ...deal, ...sent, discount: patchedDiscount(deal.discount, patch, currency) });
}

function patchedDiscount(
  discount: DealDiscount,
  { discountType, value }: DealPatch,
  currency: string,
): DealDiscount {
  const type = discountType ?? discount.type;
  if (value !== undefined) return discountFrom(type, value, currency);
  if (type !== discount.type) throw invalid("value", "is required with another discount_type.");
  return discount;
}
