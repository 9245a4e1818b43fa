import { type Cart, type CartLine, emptyCart } from "../../shared/cart/index.ts";

/** Creates a cart line at a unit price of 1.00 by default. */
export const createCartLine = (
  id: string,
  { quantity = 1, unitPriceMinor = 100 }: { quantity?: number; unitPriceMinor?: number } = {},
): CartLine => ({
  id,
  quantity,
  configuration: {
    productId: `prod_${id}`,
    variantId: null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  },
  snapshot: {
    name: id,
    variantId: null,
    variantName: null,
    unitPriceMinor,
    parts: [],
    lock: null,
  },
});

export const createCart = (...lines: CartLine[]): Cart => ({ ...emptyCart("cart_1", 0), lines });
