import type { Cart } from "../cart/index.ts";
import { formatMoney, Refusal, type RefusalData, ruleViolation } from "../kernel/index.ts";
import type { CheckoutContext } from "./context.ts";

/** A refusal of a checkout that also changes the cart: its session stores `cart`. */
export class CartRefusal extends Refusal {
  readonly cart: Cart;

  constructor(cart: Cart, refusal: Readonly<{ toData: () => RefusalData }>) {
    super(refusal.toData());
    this.cart = cart;
  }
}

/** Lines can no longer be bought; the cart is left without them. */
export const linesUnavailable = (cart: Cart, names: readonly string[]): CartRefusal =>
  new CartRefusal(
    cart,
    ruleViolation(
      "ITEM_UNAVAILABLE",
      `No longer available, and removed from the cart: ${names.join(", ")}.`,
      { items: [...names] },
    ),
  );

/** The total is not the one that the shopper agreed to; the cart shows the current prices. */
export function priceChanged(
  { business: { currency } }: Pick<CheckoutContext, "business">,
  cart: Cart,
  { expectedMinor, totalMinor }: Readonly<{ expectedMinor: number; totalMinor: number }>,
): CartRefusal {
  const total = formatMoney(totalMinor, currency);
  const message = `The total is ${total} ${currency}. Send it as expected_total to order at this price.`;
  const expected = formatMoney(expectedMinor, currency);
  return new CartRefusal(
    cart,
    ruleViolation("PRICE_CHANGED", message, { expected_total: expected, total_price: total }),
  );
}
