import type { VisitedShop } from "./open-shop.ts";

/** The units in the cart for the head of a page; null for a visitor without a session. */
export async function loadCartCount(shop: VisitedShop): Promise<number | null> {
  if (!shop.hasSession()) return null;
  return shop.api.cart.countItems().then(
    ({ data }) => Number(data),
    () => null, // a page is worth more than the number beside its cart
  );
}
