import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { formatted } from "./arithmetic.ts";
import type { ProductGroups } from "./create-groups.ts";
import type { Deal, Product } from "./shop-model.ts";

/** A deal's value as requests write it. */
export const valueText = ({ type, value }: Pick<Deal, "type" | "value">, decimals: number) =>
  formatted(value, type === "percentage" ? 2 : decimals);

const dealDefaults = {
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

const centuryMs = 100 * 365 * 24 * 3_600_000;

/** A deal without a code, which applies automatically. */
const automaticDeal = { ...dealDefaults, code: null };

/** Creates deals: one of each kind with a code, and some that apply automatically. */
export async function createDeals(
  business: CreatedBusiness,
  {
    decimals,
    products,
    categories,
    collections,
  }: ProductGroups & { decimals: number; products: readonly Product[] },
): Promise<Deal[]> {
  const ofProduct = (position: number) => ({
    appliesTo: { scope: "product" as const, ids: [products[position]?.id ?? ""] },
  });
  const ofCategory = { appliesTo: { scope: "category" as const, ids: categories.slice(0, 1) } };
  const [picked = [], onSale = [], fresh = []] = collections.map(({ id }) => [id]);
  const ofCollections = (ids: readonly string[]) => ({
    appliesTo: { scope: "collection" as const, ids },
  });
  const [past, far] = [Date.now() - 1, Date.now() + centuryMs];
  const fourPlain = 4n * (products[0]?.price ?? 0n);
  const terms: Omit<Deal, "id">[] = [
    { ...dealDefaults, code: "EIGHTH", value: 1_250n },
    { ...dealDefaults, code: "LIMITED", limit: 1 },
    { ...dealDefaults, code: "EACH", limitOfCustomer: 1, value: 550n },
    { ...dealDefaults, code: "FIXED", type: "fixed_amount", value: 1_500n },
    { ...dealDefaults, code: "MINIMUM", minimum: fourPlain / 2n },
    { ...dealDefaults, code: "CAPPED", value: 3_000n, maximum: 500n },
    { ...dealDefaults, code: "SECOND", value: 3_333n, ...ofProduct(2) },
    { ...dealDefaults, code: "EXPIRED", endsAt: past },
    { ...dealDefaults, code: "EARLY", startsAt: far },
    { ...automaticDeal, value: 9_000n, startsAt: far },
    { ...automaticDeal, type: "fixed_amount", value: 300n, ...ofProduct(4) },
    { ...automaticDeal, value: 2_500n, maximum: 400n, minimum: fourPlain / 2n, limit: 1 },
    { ...automaticDeal, value: 2_000n, minimum: fourPlain },
    { ...automaticDeal, value: 5_050n, ...ofProduct(5) },
    // Of two equal deals the older one applies; each customer may use them once.
    { ...automaticDeal, type: "fixed_amount", value: 500n, limitOfCustomer: 1 },
    { ...automaticDeal, type: "fixed_amount", value: 500n, limitOfCustomer: 1, ...ofProduct(0) },
    { ...dealDefaults, code: "PICKED", value: 1_500n, ...ofCollections(picked) },
    {
      ...dealDefaults,
      code: "ON-SALE",
      type: "fixed_amount",
      value: 650n,
      ...ofCollections(onSale),
    },
    { ...dealDefaults, code: "DRINKS", value: 2_150n, ...ofCategory },
    { ...automaticDeal, value: 5_125n, ...ofCollections([...onSale, ...fresh]) },
    { ...automaticDeal, value: 5_275n, ...ofCollections(picked) },
    { ...automaticDeal, value: 5_300n, ...ofCategory },
  ];
  const deals: Deal[] = [];
  for (const deal of terms) {
    vi.setSystemTime(Date.now() + 1); // gives each deal its own creation time
    const { startsAt, endsAt, appliesTo, minimum, maximum, isActive } = deal;
    const { id } = await createDeal(business, {
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
