import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import {
  type AppliesTo,
  type DealPatch,
  dealScopes,
  type NewDeal,
} from "../../../../shared/deals/index.ts";
import { invalid, omitUndefined, parseMoney } from "../../../../shared/kernel/index.ts";
import { dealClasses, discountTypes } from "../../../../shared/pricing/index.ts";
import { id, instant, moneyText, name, percentText, text } from "../../../wire/fields.ts";

/** Not every client's regular expressions know letters of all scripts, so only ASCII is restricted. */
const publishedCodePattern = "^[^\\x00-,/:-@\\[-^\\x60{-\\x7f]+$";

const code = () =>
  z
    .string()
    .trim()
    .regex(
      /^[\p{L}\p{N}_.-]{1,64}$/u,
      "must be 1 to 64 letters, digits, hyphens, dots or underscores",
    )
    .openapi({ pattern: publishedCodePattern, minLength: 1, maxLength: 64, example: "TEA-10" });

const scope = () =>
  z.object({ scope: z.enum(dealScopes), ids: z.array(id()).max(500).default([]) });

const quantity = () => z.number().int().min(1).max(10_000);

const TierFields = z.object({ min_quantity: quantity(), percent: percentText() });

const count = () => z.number().int().min(1).max(1_000_000_000).nullable();

export const DealFields = z
  .object({
    code: code().nullable(),
    name: name(),
    description: text(20_000),
    discount_type: z.enum(discountTypes),
    value: moneyText().nullable(),
    buy_quantity: quantity().nullable(),
    buy_scope: scope().nullable(),
    get_quantity: quantity().nullable(),
    get_scope: scope().nullable(),
    percent: percentText().nullable(),
    max_uses_per_order: quantity().nullable(),
    tiers: z.array(TierFields).min(1).max(20).nullable(),
    combines_with: z.array(z.enum(dealClasses)).max(20).nullable(),
    customer_group_ids: z.array(id()).max(100).nullable(),
    min_order_subtotal: moneyText().nullable(),
    max_discount: moneyText().nullable(),
    applies_to: scope(),
    starts_at: instant().nullable(),
    ends_at: instant().nullable(),
    usage_limit: count(),
    per_customer_limit: count(),
    is_active: z.boolean(),
  })
  .partial();
type DealFields = z.infer<typeof DealFields>;

export const NewDealFields = DealFields.required({ name: true, discount_type: true });

const dealDefaults = {
  code: null,
  description: "",
  minOrderSubtotalMinor: null,
  maxDiscountMinor: null,
  appliesTo: { scope: "order", ids: [] },
  startsAt: null,
  endsAt: null,
  usageLimit: null,
  perCustomerLimit: null,
  isActive: true,
} as const;

export const toDealPatch = (fields: DealFields, { currency }: Business): DealPatch => ({
  code: fields.code,
  name: fields.name,
  description: fields.description,
  discountType: fields.discount_type,
  ...toDiscountFields(fields),
  combinesWith: fields.combines_with && [...new Set(fields.combines_with)],
  customerGroupIds: fields.customer_group_ids && nonEmpty([...new Set(fields.customer_group_ids)]),
  minOrderSubtotalMinor: parseAmount("min_order_subtotal", fields, currency),
  maxDiscountMinor: parseAmount("max_discount", fields, currency),
  appliesTo: fields.applies_to && toScope(fields.applies_to),
  startsAt: fields.starts_at,
  endsAt: fields.ends_at,
  usageLimit: fields.usage_limit,
  perCustomerLimit: fields.per_customer_limit,
  isActive: fields.is_active,
});

export const toNewDeal = (fields: z.infer<typeof NewDealFields>, business: Business): NewDeal => ({
  ...dealDefaults,
  ...omitUndefined(toDealPatch(fields, business)),
  name: fields.name,
  discountType: fields.discount_type,
});

/** The fields that depend on the type of discount. The domain checks which of them belong to it. */
const toDiscountFields = (fields: DealFields) => ({
  value: fields.value,
  buyQuantity: fields.buy_quantity,
  buyScope: fields.buy_scope && toScope(fields.buy_scope),
  getQuantity: fields.get_quantity,
  getScope: fields.get_scope && toScope(fields.get_scope),
  percent: fields.percent,
  maxUsesPerOrder: fields.max_uses_per_order,
  tiers: fields.tiers ? fields.tiers.map(toTier) : fields.tiers,
});

const toTier = ({ min_quantity, percent }: z.infer<typeof TierFields>) => ({
  minQuantity: min_quantity,
  percent,
});

const toScope = ({ scope, ids }: AppliesTo): AppliesTo => ({ scope, ids: [...new Set(ids)] });

/** An empty list of groups limits nothing, like null. */
const nonEmpty = (ids: string[]): string[] | null => (ids.length === 0 ? null : ids);

function parseAmount(
  field: "min_order_subtotal" | "max_discount",
  fields: DealFields,
  currency: string,
): number | null | undefined {
  const amount = fields[field];
  if (amount === undefined || amount === null) return amount;
  const minor = parseMoney(amount, currency, field);
  if (minor < 0) throw invalid(field, "must not be negative");
  return minor;
}
