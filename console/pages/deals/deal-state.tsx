import { Badge } from "../../ui/badge.tsx";
import type { Format } from "../../ui/format.ts";
import type { Deal, DealType } from "./deal-values.ts";

export const dealTypes: Readonly<Record<DealType, Readonly<{ name: string }>>> = {
  percentage: { name: "Percentage" },
  fixed_amount: { name: "Fixed amount" },
  free_delivery: { name: "Free delivery" },
  buy_x_get_y: { name: "Buy some, get some" },
  tiered: { name: "By quantity" },
};

/** Whether shoppers can use a deal now. */
export function DealBadge({ deal }: Readonly<{ deal: Deal }>) {
  const now = Date.now();
  if (!deal.is_active) return <Badge>Inactive</Badge>;
  if (deal.ends_at !== null && new Date(deal.ends_at).getTime() <= now) return <Badge>Ended</Badge>;
  if (deal.usage_limit !== null && deal.times_redeemed >= deal.usage_limit) {
    return <Badge>Used up</Badge>;
  }
  if (deal.starts_at !== null && new Date(deal.starts_at).getTime() > now) {
    return <Badge tone="info">Scheduled</Badge>;
  }
  return <Badge tone="success">Active</Badge>;
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
