import type { Business } from "../businesses/index.ts";
import { type Cart, cartPrice } from "../cart/index.ts";
import type { InventoryType } from "../catalogue/index.ts";
import { formatMoney, minute } from "../kernel/index.ts";
import type { SessionActivity, ViewedProduct } from "./session-activity.ts";

/** A message that the storefront can show to its shopper. */
export type Message = Readonly<{ code: string; title: string; severity: "info" | "warning" }>;

const freeDeliveryCode = "free_delivery_threshold";
const lowStockPrefix = "low_stock:";
const backAgainPrefix = "back_again:";

/** A second view of a product counts as a return visit only when it is at least this much later. */
const returnVisitGapMs = 30 * minute;

/** Whether a code is the code of a message that shoppers can get. */
export const isMessageCode = (code: string): boolean =>
  code === freeDeliveryCode || code.startsWith(lowStockPrefix) || code.startsWith(backAgainPrefix);

/**
 * The messages for a shopper, without the messages that the shopper dismissed.
 *
 * @param products the viewed products that can be bought; other products produce no messages.
 */
export function shopperMessages(
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
  const productsById = new Map(products.map((product) => [product.id, product]));
  const dismissed = new Set(activity.dismissed);
  const productMessages = activity.products.flatMap((viewed) => {
    const product = productsById.get(viewed.productId);
    return product ? [...lowStockMessages(product), ...backAgainMessages(product, viewed)] : [];
  });
  return [...freeDeliveryMessages(cart, { currency, settings }), ...productMessages].filter(
    ({ code }) => !dismissed.has(code),
  );
}

/** Compares the free-delivery threshold with the discounted subtotal, without added tax. */
function freeDeliveryMessages(
  cart: Cart,
  { currency, settings }: Pick<Business, "currency" | "settings">,
): Message[] {
  const { freeDeliveryThresholdMinor: threshold, tax } = settings;
  if (cart.lines.length === 0 || threshold === null) return [];
  const { subtotalMinor, discountTotalMinor } = cartPrice(cart, tax);
  const missingMinor = threshold - (subtotalMinor - discountTotalMinor);
  if (missingMinor <= 0) return [];
  const title = `${currency} ${formatMoney(missingMinor, currency)} more for free delivery.`;
  return [{ code: freeDeliveryCode, title, severity: "info" }];
}

function lowStockMessages(product: StockedProduct): Message[] {
  const quantity = scarceQuantity(product);
  if (quantity === null) return [];
  const title =
    quantity === 0 ? `${product.name} is sold out.` : `${product.name}: only ${quantity} left.`;
  return [{ code: lowStockPrefix + product.id, title, severity: "warning" }];
}

function backAgainMessages(
  { id, name }: StockedProduct,
  { firstViewedAt, lastViewedAt }: ViewedProduct,
): Message[] {
  if (lastViewedAt - firstViewedAt < returnVisitGapMs) return [];
  return [
    { code: backAgainPrefix + id, title: `Good to see you back at ${name}.`, severity: "info" },
  ];
}

/** A viewed product that can be bought, with its stock at all locations. */
export type StockedProduct = Readonly<{
  id: string;
  name: string;
  inventoryType: InventoryType;
  /** The items whose stock is tracked: the product itself or its active variants. */
  items: readonly Readonly<{ available: number; threshold: number }>[];
}>;

/**
 * The quantity left of a product whose items are all at or below their low-stock thresholds. Null
 * when an item has more than that, or when stock is not tracked.
 */
function scarceQuantity({ inventoryType, items }: StockedProduct): number | null {
  if (inventoryType === "none" || items.length === 0) return null;
  if (items.some(({ available, threshold }) => available > threshold)) return null;
  return items.reduce((sum, { available }) => sum + available, 0);
}
