import type { Prefetch } from "../database/index.ts";
import type { ChosenDelivery } from "../delivery/index.ts";
import { placeOfTaxation, type TaxPlace } from "../tax/index.ts";
import { type Cart, cartLocationId } from "./cart.ts";
import type { CartContext } from "./context.ts";

type TaxContext = Pick<CartContext, "business" | "tax">;

/** Where a chosen delivery goes, or a pickup takes place. */
export type DeliveryTarget = Readonly<{
  type: ChosenDelivery["type"];
  address: ChosenDelivery["address"];
  /** The pickup location; null when it is not known where a delivery ships from. */
  locationId: string | null;
}>;

type TaxedCart = Pick<Cart, "lines" | "tax"> & Readonly<{ delivery: DeliveryTarget | null }>;

/** A service may be booked at any location, so that the taxes of several places are prefetched. */
const maxPlaces = 5;

/**
 * Where a cart is taxed: at the address of its delivery, at the location of its pickup, otherwise at
 * its own location, by default at the default one.
 */
const placeAt = (
  { business }: TaxContext,
  { delivery }: Pick<TaxedCart, "delivery">,
  locationId: string | null,
): TaxPlace =>
  placeOfTaxation(business, {
    address: delivery?.type === "delivery" ? delivery.address : null,
    locationId: delivery?.type === "pickup" ? delivery.locationId : locationId,
  });

/**
 * Prefetches the taxes of a cart for the batch that reads its products, also for the case that its
 * delivery is no longer offered.
 * @param added the location of an added item; null when the item may get any location.
 */
export function prefetchTax(
  ctx: TaxContext,
  cart: TaxedCart,
  added?: Readonly<{ locationId: string | null }>,
): readonly Prefetch[] {
  const known = cartLocationId(cart) ?? added?.locationId ?? null;
  const isOpen = added !== undefined && known === null;
  const ids = isOpen ? [null, ...ctx.business.locations.map(({ id }) => id)] : [known];
  const all = [
    ...(cart.delivery ? [placeAt(ctx, cart, known)] : []),
    ...ids.map((id) => placeAt(ctx, { delivery: null }, id)),
  ];
  const places = new Map(all.map((place) => [JSON.stringify(place), place]));
  return ctx.tax.prefetch([...places.values()].slice(0, maxPlaces), cart.tax);
}

/** The cart with the taxes of its place, at most 5 s old. */
export const withCurrentTax = async (ctx: TaxContext, cart: Cart): Promise<Cart> => ({
  ...cart,
  tax: await ctx.tax.find(placeAt(ctx, cart, cartLocationId(cart)), cart.tax),
});
