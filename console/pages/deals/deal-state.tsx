import { Badge, type Tone } from "../../ui/badge.tsx";
import type { Format } from "../../ui/format.ts";
import type { Deal, DealType } from "./deal-values.ts";

export const dealTypes: Readonly<Record<DealType, Readonly<{ name: string }>>> = {
  percentage: { name: "Percentage" },
  fixed_amount: { name: "Fixed amount" },
  free_delivery: { name: "Free delivery" },
  buy_x_get_y: { name: "Buy some, get some" },
  tiered: { name: "By quantity" },
};

/** Whether shoppers can use a deal, under the names of the API's filter. */
export const dealStates = {
  active: { name: "Active", tone: "success" },
  scheduled: { name: "Scheduled", tone: "info" },
  ended: { name: "Ended", tone: "neutral" },
  used_up: { name: "Used up", tone: "neutral" },
  inactive: { name: "Inactive", tone: "neutral" },
} as const satisfies Readonly<Record<string, Readonly<{ name: string; tone: Tone }>>>;

export function DealBadge({ deal }: Readonly<{ deal: Deal }>) {
  const { name, tone } = dealStates[stateOf(deal)];
  return <Badge tone={tone}>{name}</Badge>;
}

function stateOf(deal: Deal): keyof typeof dealStates {
  const now = Date.now();
  if (!deal.is_active) return "inactive";
  if (deal.ends_at !== null && new Date(deal.ends_at).getTime() <= now) return "ended";
  if (deal.usage_limit !== null && deal.times_redeemed >= deal.usage_limit) return "used_up";
  if (deal.starts_at !== null && new Date(deal.starts_at).getTime() > now) return "scheduled";
  return "active";
}

/** What a deal deducts, in few words. */
export function describeDeal(deal: Deal, format: Format): string {
  switch (deal.discount_type) {
    case "percentage":
      return `${percent(deal.value)} off`;
    case "fixed_amount":
      return `${format.money(deal.value ?? "0")} off`;
    case "free_delivery":
      return "Free delivery";
    case "buy_x_get_y":
      return `Buy ${deal.buy_quantity}, get ${deal.get_quantity} at ${percent(deal.percent)} off`;
    case "tiered":
      return (deal.tiers ?? [])
        .map((tier) => `${tier.min_quantity}+: ${percent(tier.percent)}`)
        .join(", ");
  }
}

/** A decimal text without zeros at its end. */
const percent = (text: string | null): string => `${Number(text ?? "0")}%`;
