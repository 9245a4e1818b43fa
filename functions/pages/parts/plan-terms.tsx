import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { formatPrice } from "./format.ts";

type PlanSchedule = Pick<
  StorefrontSchemas["BillingPlan"],
  "interval" | "interval_count" | "trial_days"
>;

/** How often a plan renews: every month, every 2 weeks. */
export const intervalOf = ({
  interval,
  interval_count: count,
}: Pick<PlanSchedule, "interval" | "interval_count">): string =>
  count === 1 ? `every ${interval}` : `every ${count} ${interval}s`;

/** What a plan costs and when: GH₵40.00 every month, the first 7 days free. */
export function planPrice({ business }: VisitedShop, plan: PlanSchedule, price: string): string {
  const trial = plan.trial_days === 0 ? "" : `, the first ${trialOf(plan)} free`;
  return `${formatPrice(price, business)} ${intervalOf(plan)}${trial}`;
}

const trialOf = ({ trial_days: days }: PlanSchedule): string =>
  days === 1 ? "day" : `${days} days`;

type TermsProps = Readonly<{ shop: VisitedShop; line: StorefrontSchemas["CartItem"] }>;

/** The plan of a line in the cart, and what each later period costs. */
export const PlanTerms = ({ shop, line: { billing_plan: plan, renewal_price } }: TermsProps) =>
  plan && (
    <p class="hint">
      {plan.name}: {planPrice(shop, plan, renewal_price ?? "0")}. Cancel at any time.
    </p>
  );
