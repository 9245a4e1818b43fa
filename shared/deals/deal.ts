import { invalid, omitUndefined, type Patch } from "../kernel/index.ts";
import type { DealClass, DealConditions, DealTerms, DiscountType } from "../pricing/index.ts";
import { type AppliesTo, assertScope, type DealScope, wholeOrder } from "./deal-scope.ts";
import {
  type DiscountFields,
  discountFieldsOf,
  newDiscountFields,
  parseDiscountFields,
} from "./discount-fields.ts";

/** A deal with all fields that the merchant sets. */
export type Deal = DealConditions &
  Readonly<{
    description: string;
    /** What it discounts. For a deal of the type buy_x_get_y this is its get_scope. */
    appliesTo: AppliesTo;
    /** What has to be bought for a deal of the type buy_x_get_y; null for every other deal. */
    buyScope: AppliesTo | null;
    combinesWith: readonly DealClass[] | null;
    /** Never empty: null when everybody may use the deal. */
    customerGroupIds: readonly string[] | null;
    /** The maximum number of orders per customer in which the deal is used. */
    perCustomerLimit: number | null;
  }>;

/** A deal as it was read for a cart, with what it covers. */
export type DealWithCoverage = Deal & DealTerms & Readonly<{ updatedAt: number }>;

/** Records that a deal names, with the field that names them. */
export type DealReference = Readonly<{
  field: string;
  kind: Exclude<DealScope, "order"> | "customer group";
  ids: readonly string[];
}>;

/** The records that the fields of a request name. */
export function referencesIn({
  appliesTo,
  buyScope,
  getScope,
  customerGroupIds,
}: DealPatch): readonly DealReference[] {
  const targets = { applies_to: appliesTo, buy_scope: buyScope, get_scope: getScope };
  return [
    ...Object.entries(targets).flatMap(([name, target]) =>
      target && target.scope !== "order"
        ? [{ field: `${name}.ids`, kind: target.scope, ids: target.ids }]
        : [],
    ),
    ...(customerGroupIds
      ? [{ field: "customer_group_ids", kind: "customer group", ids: customerGroupIds } as const]
      : []),
  ];
}

/** Whether the deal already names the record. Such a record may have been archived since. */
export const referencesId = (deal: Deal, id: string): boolean =>
  scopesOf(deal).some(({ ids }) => ids.includes(id)) ||
  (deal.customerGroupIds?.includes(id) ?? false);

/** The scopes of a deal: what it discounts, and what has to be bought for it. */
export const scopesOf = ({ appliesTo, buyScope }: Deal): readonly AppliesTo[] =>
  buyScope ? [appliesTo, buyScope] : [appliesTo];

/** The form in which codes are compared: without surrounding spaces, in upper case. */
export const codeKeyOf = (code: string): string => code.trim().toUpperCase();

/**
 * Returns the deal when its fields are consistent.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
function requireConsistent(deal: Deal): Deal {
  const { startsAt, endsAt, appliesTo, buyScope } = deal;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw invalid("ends_at", "must be after starts_at.");
  }
  assertScope(buyScope ? "get_scope" : "applies_to", appliesTo);
  if (buyScope) assertScope("buy_scope", buyScope);
  return deal;
}

/** The fields of a new deal that do not depend on its type. */
type CommonFields = Omit<
  Deal,
  "id" | "discount" | "timesRedeemed" | "buyScope" | "combinesWith" | "customerGroupIds"
>;

/** The fields of a new deal; which of the discount fields it has depends on its type. */
export type NewDeal = CommonFields &
  Partial<DiscountFields> &
  Readonly<{
    discountType: DiscountType;
    combinesWith?: readonly DealClass[] | null;
    customerGroupIds?: readonly string[] | null;
  }>;

export type DealPatch = Patch<NewDeal>;

/**
 * Creates a deal from a merchant's input.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function dealFromInput(
  { discountType, appliesTo, combinesWith = null, customerGroupIds = null, ...input }: NewDeal,
  { id, currency }: { id: string; currency: string },
): Deal {
  const { fields, discountFields } = splitFields(input);
  const newFields = newDiscountFields(discountType, discountFields);
  const { getScope, ...terms } = parseDiscountFields(discountType, newFields, currency);
  if (getScope) assertWholeOrder(appliesTo);
  return requireConsistent({
    ...fields,
    ...terms,
    id,
    appliesTo: getScope ?? appliesTo,
    combinesWith,
    customerGroupIds,
    timesRedeemed: 0,
  });
}

/**
 * The deal with the patch applied. A new discount_type requires the fields of that type.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function applyDealPatch(deal: Deal, patch: DealPatch, currency: string): Deal {
  const { fields, discountFields } = splitFields(omitUndefined(patch));
  const { discountType: type = deal.discount.type, appliesTo, ...others } = fields;
  const before = type === deal.discount.type ? discountFieldsOf(deal, currency) : {};
  const newFields = newDiscountFields(type, { ...before, ...discountFields });
  const { getScope, ...terms } = parseDiscountFields(type, newFields, currency);
  if (getScope && appliesTo) assertWholeOrder(appliesTo);
  return requireConsistent({
    ...deal,
    ...others,
    ...terms,
    appliesTo: getScope ?? appliesTo ?? appliesToField(deal),
  });
}

/** The scope that a request knows as applies_to; a deal of the type buy_x_get_y has none of its own. */
export const appliesToField = ({ appliesTo, buyScope }: Deal): AppliesTo =>
  buyScope ? wholeOrder : appliesTo;

function assertWholeOrder({ scope }: AppliesTo): void {
  if (scope === "order") return;
  throw invalid(
    "applies_to",
    "must be of the scope order; buy_x_get_y has buy_scope and get_scope.",
  );
}

/** Separates the fields that depend on the type of discount from the others. */
function splitFields<F extends Partial<DiscountFields>>(input: F) {
  const {
    value,
    buyQuantity,
    buyScope,
    getQuantity,
    getScope,
    percent,
    maxUsesPerOrder,
    tiers,
    ...fields
  } = input;
  const discountFields = omitUndefined({
    value,
    buyQuantity,
    buyScope,
    getQuantity,
    getScope,
    percent,
    maxUsesPerOrder,
    tiers,
  });
  return { fields, discountFields };
}
