import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenDeal } from "../support/deals.ts";
import { formatted } from "./arithmetic.ts";
import type { Deal, Product } from "./shop-model.ts";

/** A deal's value as it is written. */
export const valueText = ({ type, value }: Pick<Deal, "type" | "value">, decimals: number) =>
  formatted(value, type === "percentage" ? 2 : decimals);

const tenth = {
  isActive: true,
  isEarly: false,
  isExpired: false,
  minimum: 0n,
  maximum: null,
  productId: null,
  type: "percentage" as const,
  value: 1_000n,
  limit: null,
  limitOfCustomer: null,
  usedBy: [],
};

const farAhead = 100 * 365 * 24 * 3_600_000;

/** Applies by itself. */
const own = { ...tenth, code: null };

/** Deals with a code, one of each kind, and some that apply by themselves. */
export async function givenDeals(
  business: CreatedBusiness,
  { decimals, products }: { decimals: number; products: readonly Product[] },
): Promise<Deal[]> {
  const fourPlain = 4n * (products[0]?.price ?? 0n);
  const terms: Omit<Deal, "id">[] = [
    { ...tenth, code: "EIGHTH", value: 1_250n },
    { ...tenth, code: "LIMITED", limit: 1 },
    { ...tenth, code: "EACH", limitOfCustomer: 1, value: 550n },
    { ...tenth, code: "FIXED", type: "fixed_amount", value: 1_500n },
    { ...tenth, code: "MINIMUM", minimum: fourPlain / 2n },
    { ...tenth, code: "CAPPED", value: 3_000n, maximum: 500n },
    { ...tenth, code: "SECOND", value: 3_333n, productId: products[2]?.id ?? "" },
    { ...tenth, code: "EXPIRED", isExpired: true },
    { ...tenth, code: "EARLY", isEarly: true },
    { ...own, value: 9_000n, isEarly: true },
    { ...own, type: "fixed_amount", value: 300n, productId: products[4]?.id ?? "" },
    { ...own, value: 2_500n, maximum: 400n, minimum: fourPlain / 2n, limit: 1 },
    { ...own, value: 2_000n, minimum: fourPlain },
    { ...own, value: 5_050n, productId: products[5]?.id ?? "" },
    // Of two that are as good the first counts; a customer has each once, and one where it is alone.
    { ...own, type: "fixed_amount", value: 500n, limitOfCustomer: 1 },
    {
      ...own,
      type: "fixed_amount",
      value: 500n,
      limitOfCustomer: 1,
      productId: products[0]?.id ?? "",
    },
  ];
  const deals: Deal[] = [];
  for (const deal of terms) {
    vi.setSystemTime(Date.now() + 1); // none is as old as another
    const { productId, minimum, maximum, isActive } = deal;
    const { id } = await givenDeal(business, {
      code: deal.code,
      discountType: deal.type,
      value: valueText(deal, decimals),
      minOrderSubtotalMinor: minimum === 0n ? null : Number(minimum),
      maxDiscountMinor: maximum === null ? null : Number(maximum),
      startsAt: deal.isEarly ? Date.now() + farAhead : null,
      endsAt: deal.isExpired ? Date.now() - 1 : null,
      usageLimit: deal.limit,
      perCustomerLimit: deal.limitOfCustomer,
      isActive,
      ...(productId !== null && { appliesTo: { scope: "product" as const, ids: [productId] } }),
    });
    deals.push({ ...deal, id });
  }
  return deals;
}
