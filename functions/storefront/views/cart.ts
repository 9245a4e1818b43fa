import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { type Cart, type CartLine, itemCount, totalsOf } from "../../../shared/cart/index.ts";
import { formatMoney, iso } from "../../../shared/kernel/index.ts";
import type { Selection } from "../../../shared/pricing/index.ts";

const SelectionView = z.object({
  component_id: z.string(),
  variant_id: z.string().nullable(),
  quantity: z.number().int(),
  add_on_option_id: z.string().nullable(),
});

export const CartItemView = z
  .object({
    id: z.string(),
    item_id: z.string(),
    name: z.string(),
    variant_id: z.string().nullable(),
    variant_name: z.string().nullable(),
    quantity: z.number().int(),
    unit_price: z.string(),
    line_total: z.string(),
    add_on_options: z.array(z.string()),
    bundle_selections: z.array(SelectionView),
    composite_selections: z.array(SelectionView),
    special_instructions: z.string().nullable(),
  })
  .openapi("CartItem");

export const CartView = z
  .object({
    id: z.string(),
    business_id: z.string(),
    items: z.array(CartItemView),
    item_count: z.number().int(),
    pricing: z.object({
      subtotal: z.string(),
      discount_total: z.string(),
      tax_total: z.string(),
      total_price: z.string(),
      currency: z.string(),
    }),
    coupon: z.null(),
    updated_at: z.string(),
  })
  .openapi("Cart");

/** interface.md, Cart; completions.md 5. */
export function viewCart(cart: Cart, business: Business): z.infer<typeof CartView> {
  const { currency, id, settings } = business;
  const totals = totalsOf(cart, settings.tax);
  return {
    id: cart.id,
    business_id: id,
    items: cart.lines.map((line) => viewItem(line, currency)),
    item_count: itemCount(cart),
    pricing: {
      subtotal: formatMoney(totals.subtotalMinor, currency),
      discount_total: formatMoney(totals.discountTotalMinor, currency),
      tax_total: formatMoney(totals.taxTotalMinor, currency),
      total_price: formatMoney(totals.totalPriceMinor, currency),
      currency,
    },
    coupon: null,
    updated_at: iso(cart.updatedAt),
  };
}

export function viewItem(
  { id, configuration, quantity, snapshot }: CartLine,
  currency: string,
): z.infer<typeof CartItemView> {
  return {
    id,
    item_id: configuration.productId,
    name: snapshot.name,
    variant_id: snapshot.variantId,
    variant_name: snapshot.variantName,
    quantity,
    unit_price: formatMoney(snapshot.unitPriceMinor, currency),
    line_total: formatMoney(snapshot.unitPriceMinor * quantity, currency),
    add_on_options: [...configuration.addOnOptionIds],
    bundle_selections: configuration.bundleSelections.map(viewSelection),
    composite_selections: configuration.compositeSelections.map(viewSelection),
    special_instructions: configuration.specialInstructions,
  };
}

const viewSelection = ({ componentId, variantId, quantity, addOnOptionId }: Selection) => ({
  component_id: componentId,
  variant_id: variantId,
  quantity,
  add_on_option_id: addOnOptionId,
});
