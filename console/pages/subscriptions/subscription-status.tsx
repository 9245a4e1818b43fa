import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type Subscription = BusinessSchemas["Subscription"];
type Status = Subscription["status"];

const statuses: Readonly<Record<Status, Readonly<{ name: string; tone: Tone }>>> = {
  trialing: { name: "Trial", tone: "info" },
  active: { name: "Active", tone: "success" },
  paused: { name: "Paused", tone: "neutral" },
  past_due: { name: "Payment failed", tone: "danger" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

export const SubscriptionBadges = ({
  subscription: { status, cancel_at_period_end: isEnding },
}: Readonly<{ subscription: Subscription }>) => (
  <>
    <Badge tone={statuses[status].tone}>{statuses[status].name}</Badge>
    {isEnding && status !== "cancelled" && <Badge tone="warning">Ends with the period</Badge>}
  </>
);

type Interval = Pick<BusinessSchemas["BillingPlan"], "interval" | "interval_count">;

/** How often a plan is charged, such as "every 2 weeks". */
export const intervalText = ({ interval, interval_count: count }: Interval): string =>
  count === 1 ? `every ${interval}` : `every ${count} ${interval}s`;
