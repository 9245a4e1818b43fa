import type { Prefetch } from "../database/index.ts";
import { placeOfTaxation, type TaxPlace } from "../tax/index.ts";
import { type Cart, cartLocationId } from "./cart.ts";
import type { CartContext } from "./context.ts";

type TaxContext = Pick<CartContext, "business" | "tax">;

/** A service may be booked at any location, so that the taxes of several places are prefetched. */
const maxPlaces = 5;

/** Where a cart is taxed: at its location, by default at the default one. */
const placeAt = ({ business }: TaxContext, locationId: string | null): TaxPlace =>
  placeOfTaxation(business, { address: null, locationId });

/**
 * Prefetches the taxes of a cart for the batch that reads its products.
 * @param added the location of an added item; null when the item may get any location.
 */
export function prefetchTax(
  ctx: TaxContext,
  cart: Cart,
  added?: Readonly<{ locationId: string | null }>,
): readonly Prefetch[] {
  const known = cartLocationId(cart) ?? added?.locationId ?? null;
  const isOpen = added !== undefined && known === null;
  const ids = isOpen ? [null, ...ctx.business.locations.map(({ id }) => id)] : [known];
  const places = new Map(ids.map((id) => [JSON.stringify(placeAt(ctx, id)), placeAt(ctx, id)]));
  return ctx.tax.prefetch([...places.values()].slice(0, maxPlaces), cart.tax);
}

/** The cart with the taxes of its place, at most 5 s old. */
export const withCurrentTax = async (ctx: TaxContext, cart: Cart): Promise<Cart> => ({
  ...cart,
  tax: await ctx.tax.find(placeAt(ctx, cartLocationId(cart)), cart.tax),
});
