import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenDeal } from "../support/deals.ts";
import { formatted } from "./arithmetic.ts";
import type { Groups } from "./groups.ts";
import type { Deal, Product } from "./shop-model.ts";

/** A deal's value as it is written. */
export const valueText = ({ type, value }: Pick<Deal, "type" | "value">, decimals: number) =>
  formatted(value, type === "percentage" ? 2 : decimals);

const tenth = {
  isActive: true,
  isArchived: false,
  startsAt: null,
  endsAt: null,
  minimum: 0n,
  maximum: null,
  appliesTo: { scope: "order" as const, ids: [] },
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
  {
    decimals,
    products,
    categories,
    collections,
  }: Groups & { decimals: number; products: readonly Product[] },
): Promise<Deal[]> {
  const only = (position: number) => ({
    appliesTo: { scope: "product" as const, ids: [products[position]?.id ?? ""] },
  });
  const ofCategory = { appliesTo: { scope: "category" as const, ids: categories.slice(0, 1) } };
  const [picked = [], onSale = [], fresh = []] = collections.map(({ id }) => [id]);
  const ofCollections = (ids: readonly string[]) => ({
    appliesTo: { scope: "collection" as const, ids },
  });
  const [past, far] = [Date.now() - 1, Date.now() + farAhead];
  const fourPlain = 4n * (products[0]?.price ?? 0n);
  const terms: Omit<Deal, "id">[] = [
    { ...tenth, code: "EIGHTH", value: 1_250n },
    { ...tenth, code: "LIMITED", limit: 1 },
    { ...tenth, code: "EACH", limitOfCustomer: 1, value: 550n },
    { ...tenth, code: "FIXED", type: "fixed_amount", value: 1_500n },
    { ...tenth, code: "MINIMUM", minimum: fourPlain / 2n },
    { ...tenth, code: "CAPPED", value: 3_000n, maximum: 500n },
    { ...tenth, code: "SECOND", value: 3_333n, ...only(2) },
    { ...tenth, code: "EXPIRED", endsAt: past },
    { ...tenth, code: "EARLY", startsAt: far },
    { ...own, value: 9_000n, startsAt: far },
    { ...own, type: "fixed_amount", value: 300n, ...only(4) },
    { ...own, value: 2_500n, maximum: 400n, minimum: fourPlain / 2n, limit: 1 },
    { ...own, value: 2_000n, minimum: fourPlain },
    { ...own, value: 5_050n, ...only(5) },
    // Of two that are as good the first counts; a customer has each once, and one where it is alone.
    { ...own, type: "fixed_amount", value: 500n, limitOfCustomer: 1 },
    { ...own, type: "fixed_amount", value: 500n, limitOfCustomer: 1, ...only(0) },
    { ...tenth, code: "PICKED", value: 1_500n, ...ofCollections(picked) },
    { ...tenth, code: "ON-SALE", type: "fixed_amount", value: 650n, ...ofCollections(onSale) },
    { ...tenth, code: "DRINKS", value: 2_150n, ...ofCategory },
    { ...own, value: 5_125n, ...ofCollections([...onSale, ...fresh]) },
    { ...own, value: 5_275n, ...ofCollections(picked) },
    { ...own, value: 5_300n, ...ofCategory },
  ];
  const deals: Deal[] = [];
  for (const deal of terms) {
    vi.setSystemTime(Date.now() + 1); // none is as old as another
    const { startsAt, endsAt, appliesTo, minimum, maximum, isActive } = deal;
    const { id } = await givenDeal(business, {
      code: deal.code,
      discountType: deal.type,
      value: valueText(deal, decimals),
      minOrderSubtotalMinor: minimum === 0n ? null : Number(minimum),
      maxDiscountMinor: maximum === null ? null : Number(maximum),
      startsAt,
      endsAt,
      appliesTo,
      usageLimit: deal.limit,
      perCustomerLimit: deal.limitOfCustomer,
      isActive,
    });
    deals.push({ ...deal, id });
  }
  return deals;
}
