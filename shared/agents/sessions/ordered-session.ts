import { type Cart, emptyCart } from "../../cart/index.ts";
import type { Checkout } from "../../checkout/index.ts";
import type { CartPrice } from "../../pricing/index.ts";
import type { AgentSession } from "../agent-session.ts";

type Ordered = Pick<AgentSession, "cart" | "price" | "coupons">;

/** The cart as its order was planned, because the session's own cart is empty by then. */
export function orderedSession({ request, plan }: Checkout): Ordered {
  const { lines, discounts, delivery = null, couponCodes = [], createdAt } = plan;
  const cart: Cart = {
    ...emptyCart(request.cartId, createdAt),
    lines: lines.map(({ orderLineId: _, billingPlan: __, fulfilment: ___, ...line }) => line),
    discounts,
    delivery,
    deliveryAddress: delivery?.type === "delivery" ? delivery.address : null,
  };
  const coupons = couponCodes.map((code) => ({ code, rejection: null }));
  return { cart, price: orderedPrice(plan), coupons };
}

function orderedPrice({ totals, amounts, discounts, lines }: Checkout["plan"]): CartPrice {
  const { deliveryTotalMinor = 0, taxLines = [], lineTaxMinor = [] } = amounts ?? {};
  const lineExemptedTaxMinor = amounts?.lineExemptedTaxMinor ?? lines.map(() => 0);
  return {
    ...totals,
    ...{ discounts, deliveryTotalMinor, taxLines, lineTaxMinor, lineExemptedTaxMinor },
    lineDiscountMinor: lines.map((_, index) =>
      discounts.reduce((sum, { shares }) => sum + (shares[index] ?? 0), 0),
    ),
    deliveryTaxMinor: totals.taxTotalMinor - lineTaxMinor.reduce((sum, tax) => sum + tax, 0),
    exemptedTaxMinor: lineExemptedTaxMinor.reduce((sum, tax) => sum + tax, 0),
  };
}
