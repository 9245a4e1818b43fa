import { coveredLines } from "../cart/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { unavailable } from "../kernel/index.ts";
import { cartTotals, couponRefused, discountsOn, discountTotal } from "../pricing/index.ts";
import type { Checkout, Plan } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { refitted } from "./pay-currency.ts";

/** Whose use of a deal an order is: a guest is known by the e-mail address, else by the phone. */
export const customerKeyOf = ({ plan, request }: Checkout): string =>
  plan.login?.customerId ?? request.customer.email ?? request.customer.phone ?? "";

/**
 * The checkout anew, without the automatic deals that this customer cannot have any more.
 *
 * @throws Refusal COUPON_EXHAUSTED when the coupon is one of them (completions.md 5), COUPON_INVALID
 * when it has gone altogether,
 * SERVICE_UNAVAILABLE when a use came back in between.
 */
export async function withoutUsedUpDeals(
  ctx: CheckoutContext,
  checkout: Checkout,
): Promise<Checkout> {
  const { plan } = checkout;
  const couponCode = plan.discounts.find(({ code }) => code !== null)?.code ?? null;
  const products = await ctx.findProducts(productIdsOf(plan), couponCode);
  const { automatic, coupon } = await ctx.findDeals(couponCode);
  if (couponCode !== null && coupon === null) throw couponRefused("COUPON_INVALID");
  const asked = [...plan.discounts.map(({ dealId }) => dealId), ...automatic.map(({ id }) => id)];
  const usedUp = await redemptionRepo(ctx).findUsedUp(asked, customerKeyOf(checkout));
  const refused = plan.discounts.filter(({ dealId }) => usedUp.has(dealId));
  if (refused.some(({ code }) => code !== null)) throw couponRefused("COUPON_EXHAUSTED");
  if (refused.length === 0) throw unavailable("A deal was just given back; try again.");
  const left = automatic.filter(({ id }) => !usedUp.has(id));
  const lines = coveredLines(plan.lines, products);
  const discounts = discountsOn(lines, { automatic: left, coupon }, plan.createdAt);
  const totals = totalsWith(ctx, plan, discounts);
  const fx = refitted(plan.fx, totals.totalPriceMinor);
  return { ...checkout, plan: { ...plan, discounts, totals, fx } };
}

const productIdsOf = ({ lines }: Plan) => lines.map(({ configuration }) => configuration.productId);

const totalsWith = (ctx: CheckoutContext, { lines }: Plan, discounts: Plan["discounts"]) =>
  cartTotals({
    lines: lines.map(({ quantity, snapshot }) => ({
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    discountMinor: discountTotal(discounts),
    tax: ctx.business.settings.tax,
  });
