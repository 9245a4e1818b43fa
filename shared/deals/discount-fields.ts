import { formatMoney, invalid, isPercent, parseMoney } from "../kernel/index.ts";
import {
  type DealDiscount,
  type DiscountType,
  type ValueDiscount,
  type ValueDiscountType,
  valueDiscountTypes,
} from "../pricing/index.ts";
import type { AppliesTo } from "./deal-scope.ts";

/**
 * The fields that say what a deal deducts. Which of them a deal has depends on its type; the others
 * are null. `value` and percentages are decimal text.
 */
export type DiscountFields = Readonly<{
  value: string | null;
  buyQuantity: number | null;
  buyScope: AppliesTo | null;
  getQuantity: number | null;
  getScope: AppliesTo | null;
  percent: string | null;
  maxUsesPerOrder: number | null;
  tiers: Tiers | null;
}>;

type Tiers = Extract<DealDiscount, { type: "tiered" }>["tiers"];

/** The parts of a deal that follow from its discount fields. */
type DiscountTerms = Readonly<{
  discount: DealDiscount;
  /** What has to be bought for a deal of the type buy_x_get_y; null for every other deal. */
  buyScope: AppliesTo | null;
  /** The scope of the discounted units; null when `applies_to` says it. */
  getScope: AppliesTo | null;
}>;

const emptyFields: DiscountFields = {
  value: null,
  buyQuantity: null,
  buyScope: null,
  getQuantity: null,
  getScope: null,
  percent: null,
  maxUsesPerOrder: null,
  tiers: null,
};

/** The name of each field in requests, and the types of discount that have it. */
const fieldRules: Readonly<
  Record<keyof DiscountFields, Readonly<{ name: string; types: readonly DiscountType[] }>>
> = {
  value: { name: "value", types: valueDiscountTypes },
  buyQuantity: { name: "buy_quantity", types: ["buy_x_get_y"] },
  buyScope: { name: "buy_scope", types: ["buy_x_get_y"] },
  getQuantity: { name: "get_quantity", types: ["buy_x_get_y"] },
  getScope: { name: "get_scope", types: ["buy_x_get_y"] },
  percent: { name: "percent", types: ["buy_x_get_y"] },
  maxUsesPerOrder: { name: "max_uses_per_order", types: ["buy_x_get_y"] },
  tiers: { name: "tiers", types: ["tiered"] },
};

/** The discount fields of a new deal of this type. The number of uses per order is 1 by default. */
export const newDiscountFields = (
  type: DiscountType,
  fields: Partial<DiscountFields>,
): DiscountFields => ({
  ...emptyFields,
  ...fields,
  ...(type === "buy_x_get_y" && { maxUsesPerOrder: fields.maxUsesPerOrder ?? 1 }),
});

/** The discount fields of a deal, as a request would state them. */
export function discountFieldsOf(
  {
    discount,
    appliesTo,
    buyScope,
  }: Pick<DiscountTerms, "discount" | "buyScope"> & Readonly<{ appliesTo: AppliesTo }>,
  currency: string,
): DiscountFields {
  switch (discount.type) {
    case "percentage":
      return { ...emptyFields, value: discount.percent };
    case "fixed_amount":
      return { ...emptyFields, value: formatMoney(discount.amountMinor, currency) };
    case "free_delivery":
      return emptyFields;
    case "buy_x_get_y": {
      const { type: _, ...fields } = discount;
      return { ...emptyFields, ...fields, buyScope, getScope: appliesTo };
    }
    case "tiered":
      return { ...emptyFields, tiers: discount.tiers };
  }
}

/**
 * Builds a discount from the fields of its type.
 * @throws Refusal VALIDATION_ERROR naming a field that is missing, wrong or of another type.
 */
export function parseDiscountFields(
  type: DiscountType,
  fields: DiscountFields,
  currency: string,
): DiscountTerms {
  assertFieldsOf(type, fields);
  switch (type) {
    case "percentage":
    case "fixed_amount":
      return withoutScopes(parseValue(type, required(fields, "value"), currency));
    case "free_delivery":
      return withoutScopes({ type });
    case "tiered":
      return withoutScopes({ type, tiers: parseTiers(required(fields, "tiers")) });
    case "buy_x_get_y":
      return {
        discount: {
          type,
          buyQuantity: required(fields, "buyQuantity"),
          getQuantity: required(fields, "getQuantity"),
          percent: parsePercentage("percent", required(fields, "percent")),
          maxUsesPerOrder: required(fields, "maxUsesPerOrder"),
        },
        buyScope: required(fields, "buyScope"),
        getScope: required(fields, "getScope"),
      };
  }
}

const withoutScopes = (discount: DealDiscount): DiscountTerms => ({
  discount,
  buyScope: null,
  getScope: null,
});

/** @throws Refusal VALIDATION_ERROR naming a field that belongs to other types. */
function assertFieldsOf(type: DiscountType, fields: DiscountFields): void {
  for (const [key, { name, types }] of Object.entries(fieldRules)) {
    const isSet = Object.entries(fields).some(([field, value]) => field === key && value !== null);
    if (isSet && !types.includes(type)) {
      throw invalid(name, `belongs to ${types.join(" and ")}; with ${type} it must be null.`);
    }
  }
}

/** @throws Refusal VALIDATION_ERROR for a field that is null. */
function required<K extends keyof DiscountFields>(
  fields: DiscountFields,
  key: K,
): NonNullable<DiscountFields[K]> {
  const value = fields[key];
  if (value == null) throw invalid(fieldRules[key].name, "is required with this discount_type.");
  return value;
}

/** Parses a percentage or an amount of money. @throws Refusal VALIDATION_ERROR naming `value`. */
function parseValue(type: ValueDiscountType, value: string, currency: string): ValueDiscount {
  if (type === "percentage") return { type, percent: parsePercentage("value", value) };
  const amountMinor = parseMoney(value, currency, "value");
  if (amountMinor <= 0) throw invalid("value", "must be greater than 0.");
  return { type, amountMinor };
}

function parsePercentage(field: string, percent: string): string {
  if (!isPercent(percent) || Number(percent) > 100) {
    throw invalid(field, "must be a percentage of at most 100, such as 12.5.");
  }
  if (Number(percent) <= 0) throw invalid(field, "must be greater than 0.");
  return percent;
}

/**
 * The tiers with their percentages checked, the smallest quantity first.
 * @throws Refusal VALIDATION_ERROR naming the wrong tier.
 */
function parseTiers(tiers: Tiers): Tiers {
  const quantities = tiers.map(({ minQuantity }) => minQuantity);
  for (const [at, { minQuantity, percent }] of tiers.entries()) {
    parsePercentage(`tiers.${at}.percent`, percent);
    if (quantities.indexOf(minQuantity) !== at) {
      throw invalid(`tiers.${at}.min_quantity`, "must differ from that of the other tiers.");
    }
  }
  return tiers.toSorted((one, other) => one.minQuantity - other.minQuantity);
}
