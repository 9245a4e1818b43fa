import type { Cart, CartLine } from "../cart/index.ts";
import { isOffered } from "../catalogue/index.ts";
import { formatMoney, requireChargeable, ruleViolation } from "../kernel/index.ts";
import { type ProductSet, requireBillingPlan } from "../pricing/index.ts";
import type { CheckoutContext } from "./context.ts";

type OrderTerms = Readonly<{ products: ProductSet; locationId: string; now: number }>;

/**
 * Rejects lines that may stay in a cart but cannot be ordered now.
 *
 * @throws Refusal ITEM_UNAVAILABLE for products outside their schedules at the order's location,
 * PLAN_NOT_ELIGIBLE for a line or an order below the minimum of its billing plan, CUSTOMER_REQUIRED
 * for a billing plan without a customer.
 */
export function assertOrderable(ctx: CheckoutContext, cart: Cart, order: OrderTerms): void {
  assertOffered(cart, order);
  const subscribed = cart.lines.filter(({ configuration }) => configuration.billingPlanId !== null);
  if (subscribed.length === 0) return;
  const subtotalMinor = subtotalAfterTrials(cart);
  for (const line of subscribed) assertPlanEligible(ctx, line, { ...order, subtotalMinor });
  if (ctx.actor.type !== "session" || ctx.actor.customerId === null) {
    throw ruleViolation("CUSTOMER_REQUIRED", "A subscription needs a customer who is logged in.");
  }
}

/** What the lines cost once their trials have ended: a plan's minimum is compared with it. */
const subtotalAfterTrials = ({ lines }: Cart): number =>
  lines.reduce((sum, { quantity, snapshot }) => {
    const unitPriceMinor = snapshot.renewalPriceMinor ?? snapshot.unitPriceMinor;
    return requireChargeable(sum + unitPriceMinor * quantity, "quantity");
  }, 0);

function assertOffered({ lines }: Cart, { products, locationId, now }: OrderTerms): void {
  const unavailable = lines.filter(({ configuration }) => {
    const schedules = products.get(configuration.productId)?.schedules ?? [];
    return !isOffered(schedules, { locationId, now });
  });
  if (unavailable.length === 0) return;
  const names = unavailable.map(({ snapshot }) => snapshot.name);
  throw ruleViolation("ITEM_UNAVAILABLE", `Not offered at this time: ${names.join(", ")}.`, {
    items: names,
  });
}

function assertPlanEligible(
  { business }: CheckoutContext,
  { configuration, quantity, snapshot }: CartLine,
  { products, subtotalMinor }: OrderTerms & Readonly<{ subtotalMinor: number }>,
): void {
  const product = products.get(configuration.productId);
  const plan = product && requireBillingPlan(product, configuration.billingPlanId);
  if (!plan || (quantity >= plan.minQuantity && subtotalMinor >= plan.minOrderValueMinor)) return;
  throw ruleViolation(
    "PLAN_NOT_ELIGIBLE",
    `The order is below the minimum of ${plan.name}; add more of it or choose another plan.`,
    {
      item: snapshot.name,
      billing_plan_id: plan.id,
      min_quantity: plan.minQuantity,
      min_order_value: formatMoney(plan.minOrderValueMinor, business.currency),
    },
  );
}
