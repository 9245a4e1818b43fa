import type { Business } from "../businesses/index.ts";
import { type Cart, totalsOf } from "../cart/index.ts";
import { formatMoney, minute } from "../kernel/index.ts";
import { piecesLeft, type StockedProduct } from "./scarcity.ts";
import type { SessionActivity, ViewedProduct } from "./session-activity.ts";

/** Something that a storefront may tell its shopper (interface.md, Activity). */
export type Message = Readonly<{ code: string; title: string; severity: "info" | "warning" }>;

const freeDelivery = "free_delivery_threshold";
const lowStock = "low_stock:";
const backAgain = "back_again:";

/** Views so far apart are of a shopper who came back. */
const backAfterMs = 30 * minute;

/** Whether a message may ever have that code. */
export const isMessageCode = (code: string): boolean =>
  code === freeDelivery || code.startsWith(lowStock) || code.startsWith(backAgain);

/**
 * What there is to tell, without what was dismissed (completions.md 11).
 *
 * @param products those of the viewed products that can be bought: of others nothing is told.
 */
export function messagesOf(
  { currency, settings }: Pick<Business, "currency" | "settings">,
  {
    cart,
    activity,
    products,
  }: Readonly<{
    cart: Cart;
    activity: Pick<SessionActivity, "products" | "dismissed">;
    products: readonly StockedProduct[];
  }>,
): Message[] {
  const known = new Map(products.map((product) => [product.id, product]));
  const dismissed = new Set(activity.dismissed);
  const ofProducts = activity.products.flatMap((viewed) => {
    const product = known.get(viewed.productId);
    return product ? [...lowStockOf(product), ...backAgainOf(product, viewed)] : [];
  });
  return [...freeDeliveryOf(cart, { currency, settings }), ...ofProducts].filter(
    ({ code }) => !dismissed.has(code),
  );
}

/** What the goods cost after discounts counts, without the tax that is added to them. */
function freeDeliveryOf(
  cart: Cart,
  { currency, settings }: Pick<Business, "currency" | "settings">,
): Message[] {
  const { freeDeliveryThresholdMinor: threshold, tax } = settings;
  if (cart.lines.length === 0 || threshold === null) return [];
  const { subtotalMinor, discountTotalMinor } = totalsOf(cart, tax);
  const missing = threshold - (subtotalMinor - discountTotalMinor);
  if (missing <= 0) return [];
  const title = `${currency} ${formatMoney(missing, currency)} more for free delivery.`;
  return [{ code: freeDelivery, title, severity: "info" }];
}

function lowStockOf(product: StockedProduct): Message[] {
  const left = piecesLeft(product);
  if (left === null) return [];
  const title = left === 0 ? `${product.name} is sold out.` : `${product.name}: only ${left} left.`;
  return [{ code: lowStock + product.id, title, severity: "warning" }];
}

function backAgainOf(
  { id, name }: StockedProduct,
  { firstViewedAt, lastViewedAt }: ViewedProduct,
): Message[] {
  if (lastViewedAt - firstViewedAt < backAfterMs) return [];
  return [{ code: backAgain + id, title: `Good to see you back at ${name}.`, severity: "info" }];
}
