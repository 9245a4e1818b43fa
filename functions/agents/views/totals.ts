import type { AgentSession } from "../../../shared/agents/index.ts";

type TotalView = Readonly<{ type: string; display_text?: string; amount: number }>;

type Priced = Pick<AgentSession, "cart" | "price">;

/**
 * What a record costs. All entries before the total add up to it, so a tax that prices include is
 * no entry.
 */
export function viewTotals({ cart, price }: Priced): readonly TotalView[] {
  const itemsDiscount = price.lineDiscountMinor.reduce((sum, minor) => sum + minor, 0);
  const deliveryDiscount = price.discountTotalMinor - itemsDiscount;
  const addedTax = addedTaxOf(price);
  return [
    entry("subtotal", "Subtotal", price.subtotalMinor),
    ...whenNonZero(entry("items_discount", "Discounts", -itemsDiscount)),
    ...(cart.delivery && cart.lines.length > 0
      ? [entry("fulfillment", cart.delivery.name, price.deliveryTotalMinor)]
      : []),
    ...whenNonZero(entry("discount", "Delivery discount", -deliveryDiscount)),
    ...(addedTax > 0
      ? price.taxLines.map(({ name, amountMinor }) => entry("tax", name, amountMinor))
      : whenNonZero(entry("tax_exemption", "Tax exemption", addedTax))),
    entry("total", "Total", price.totalPriceMinor),
  ];
}

/**
 * The tax on top of the prices: nothing when they include it, and less than nothing for a customer
 * who is exempt from a tax that they include.
 */
const addedTaxOf = (price: AgentSession["price"]): number =>
  price.totalPriceMinor -
  (price.subtotalMinor - price.discountTotalMinor + price.deliveryTotalMinor);

/** What a line costs before taxes that are added to the whole. */
export function viewLineTotals({ cart, price }: Priced, index: number): readonly TotalView[] {
  const line = cart.lines[index];
  const subtotal = line ? line.snapshot.unitPriceMinor * line.quantity : 0;
  const discount = price.lineDiscountMinor[index] ?? 0;
  return [
    entry("subtotal", "Subtotal", subtotal),
    ...whenNonZero(entry("items_discount", "Discounts", -discount)),
    entry("total", "Total", subtotal - discount),
  ];
}

const entry = (type: string, display_text: string, amount: number): TotalView => ({
  type,
  display_text,
  // A discount of zero is negated to -0, which is another number in some clients.
  amount: amount + 0,
});

const whenNonZero = (total: TotalView): TotalView[] => (total.amount === 0 ? [] : [total]);
