import type { BusinessSchemas } from "@duka/sdk/business";
import { fromClockText, fromLocalTime, toClockText, toLocalTime } from "../../ui/local-time.ts";
import { createRowKey } from "../../ui/row-key.ts";

export type Deal = BusinessSchemas["MerchantDeal"];
export type DealType = Deal["discount_type"];
export type DealScope = Deal["applies_to"];
export type DealClass = NonNullable<Deal["combines_with"]>[number];
type DealFields = Required<BusinessSchemas["CreateDealRequest"]>;

export type TierValues = Readonly<{ key: string; min_quantity: string; percent: string }>;

/** The values of a deal's form, under the names of the API's fields. */
export type DealValues = Readonly<{
  name: string;
  description: string;
  code: string;
  is_active: boolean;
  discount_type: DealType;
  value: string;
  buy_quantity: string;
  buy_scope: DealScope;
  get_quantity: string;
  get_scope: DealScope;
  percent: string;
  max_uses_per_order: string;
  tiers: readonly TierValues[];
  applies_to: DealScope;
  combines_with: readonly DealClass[];
  customer_group_ids: readonly string[];
  min_order_subtotal: string;
  max_discount: string;
  starts_at: string;
  ends_at: string;
  usage_limit: string;
  per_customer_limit: string;
}>;

const wholeOrder: DealScope = { scope: "order", ids: [] };

export const newTier = (): TierValues => ({ key: createRowKey(), min_quantity: "", percent: "" });

export const emptyDeal: DealValues = {
  name: "",
  description: "",
  code: "",
  is_active: true,
  discount_type: "percentage",
  value: "",
  buy_quantity: "2",
  buy_scope: wholeOrder,
  get_quantity: "1",
  get_scope: wholeOrder,
  percent: "100",
  max_uses_per_order: "1",
  tiers: [],
  applies_to: wholeOrder,
  combines_with: [],
  customer_group_ids: [],
  min_order_subtotal: "",
  max_discount: "",
  starts_at: "",
  ends_at: "",
  usage_limit: "",
  per_customer_limit: "",
};

export const toDealValues = (deal: Deal, timeZone: string): DealValues => ({
  name: deal.name,
  description: deal.description,
  code: deal.code ?? "",
  is_active: deal.is_active,
  discount_type: deal.discount_type,
  value: deal.value ?? "",
  buy_quantity: String(deal.buy_quantity ?? emptyDeal.buy_quantity),
  buy_scope: deal.buy_scope ?? wholeOrder,
  get_quantity: String(deal.get_quantity ?? emptyDeal.get_quantity),
  get_scope: deal.get_scope ?? wholeOrder,
  percent: deal.percent ?? emptyDeal.percent,
  max_uses_per_order: String(deal.max_uses_per_order ?? emptyDeal.max_uses_per_order),
  tiers: (deal.tiers ?? []).map(({ min_quantity: quantity, percent }) => ({
    key: `tier-${quantity}`,
    min_quantity: String(quantity),
    percent,
  })),
  applies_to: deal.applies_to,
  combines_with: deal.combines_with ?? [],
  customer_group_ids: deal.customer_group_ids ?? [],
  min_order_subtotal: deal.min_order_subtotal ?? "",
  max_discount: deal.max_discount ?? "",
  starts_at: toTimeInput(deal.starts_at, timeZone),
  ends_at: toTimeInput(deal.ends_at, timeZone),
  usage_limit: textOf(deal.usage_limit),
  per_customer_limit: textOf(deal.per_customer_limit),
});

/** A time as a `datetime-local` input writes it, such as 2026-03-01T09:30. */
function toTimeInput(time: string | null, timeZone: string): string {
  if (time === null) return "";
  const { day, minutes } = toLocalTime(time, timeZone);
  return `${day}T${toClockText(minutes)}`;
}

function fromTimeInput(text: string, timeZone: string): string | null {
  const [day, clock] = text.split("T");
  if (!day || !clock) return null;
  return fromLocalTime({ day, minutes: fromClockText(clock) }, timeZone);
}

const textOf = (count: number | null): string => (count === null ? "" : String(count));

/** The fields of a request. Those of other types are null, as the API demands. */
export function toDealFields(values: DealValues, timeZone: string): DealFields {
  const { discount_type: type, combines_with: classes, customer_group_ids: groups } = values;
  const isGift = type === "buy_x_get_y";
  return {
    ...values,
    code: textOrNull(values.code),
    value: type === "percentage" || type === "fixed_amount" ? textOrNull(values.value) : null,
    buy_quantity: isGift ? Number(values.buy_quantity) : null,
    buy_scope: isGift ? values.buy_scope : null,
    get_quantity: isGift ? Number(values.get_quantity) : null,
    get_scope: isGift ? values.get_scope : null,
    percent: isGift ? textOrNull(values.percent) : null,
    max_uses_per_order: isGift ? Number(values.max_uses_per_order) : null,
    tiers:
      type === "tiered"
        ? values.tiers.map(({ min_quantity: quantity, percent }) => ({
            min_quantity: Number(quantity),
            percent: percent.trim(),
          }))
        : null,
    applies_to: isGift ? wholeOrder : values.applies_to,
    combines_with: classes.length > 0 ? classes : null,
    customer_group_ids: groups.length > 0 ? groups : null,
    min_order_subtotal: textOrNull(values.min_order_subtotal),
    max_discount: textOrNull(values.max_discount),
    starts_at: fromTimeInput(values.starts_at, timeZone),
    ends_at: fromTimeInput(values.ends_at, timeZone),
    usage_limit: numberOrNull(values.usage_limit),
    per_customer_limit: numberOrNull(values.per_customer_limit),
  };
}

const textOrNull = (text: string): string | null => text.trim() || null;
const numberOrNull = (text: string): number | null => (text.trim() === "" ? null : Number(text));
