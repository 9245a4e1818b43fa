import { type Cart, type CartLine, totalsOf } from "../cart/index.ts";
import { isOffered } from "../catalogue/index.ts";
import { formatMoney, ruleBroken } from "../kernel/index.ts";
import { chosenPlan, type ProductSet } from "../pricing/index.ts";
import type { CheckoutContext } from "./context.ts";

type Order = Readonly<{ products: ProductSet; locationId: string; now: number }>;

/**
 * Refuses lines that may wait in a cart but cannot be ordered as things stand; they stay there.
 *
 * @throws Refusal ITEM_UNAVAILABLE for products that are not offered at the order's location at this
 * hour, PLAN_NOT_ELIGIBLE for a billing plan whose minima the line's quantity or the order's subtotal
 * does not reach (completions.md 4), CUSTOMER_REQUIRED for one without a customer (7).
 */
export function demandOrderable(ctx: CheckoutContext, cart: Cart, order: Order): void {
  demandOffered(cart, order);
  const isPlanned = ({ configuration }: CartLine) => configuration.billingPlanId !== null;
  const planned = cart.lines.filter(isPlanned);
  if (planned.length === 0) return;
  const { subtotalMinor } = totalsOf(cart, ctx.business.settings.tax);
  for (const line of planned) demandEligible(ctx, line, { ...order, subtotalMinor });
  if (ctx.actor.type !== "session" || ctx.actor.customerId === null) {
    throw ruleBroken("CUSTOMER_REQUIRED", "A subscription needs a customer who is logged in.");
  }
}

function demandOffered({ lines }: Cart, { products, locationId, now }: Order): void {
  const closed = lines.filter(({ configuration }) => {
    const schedules = products.get(configuration.productId)?.schedules ?? [];
    return !isOffered(schedules, { locationId, now });
  });
  if (closed.length === 0) return;
  const names = closed.map(({ snapshot }) => snapshot.name);
  throw ruleBroken("ITEM_UNAVAILABLE", `Not offered at this time: ${names.join(", ")}.`, {
    items: names,
  });
}

function demandEligible(
  { business }: CheckoutContext,
  { configuration, quantity, snapshot }: CartLine,
  { products, subtotalMinor }: Order & Readonly<{ subtotalMinor: number }>,
): void {
  const product = products.get(configuration.productId);
  const plan = product && chosenPlan(product, configuration.billingPlanId);
  if (!plan || (quantity >= plan.minQuantity && subtotalMinor >= plan.minOrderValueMinor)) return;
  throw ruleBroken("PLAN_NOT_ELIGIBLE", `${plan.name} is not for so small an order.`, {
    item: snapshot.name,
    billing_plan_id: plan.id,
    min_quantity: plan.minQuantity,
    min_order_value: formatMoney(plan.minOrderValueMinor, business.currency),
  });
}
