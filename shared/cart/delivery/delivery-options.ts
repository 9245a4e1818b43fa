import { containedItems, stockNeeds } from "../../availability/index.ts";
import { requiresShipping, weightOf } from "../../catalogue/index.ts";
import type { Prefetch } from "../../database/index.ts";
import {
  type DeliveryFigures,
  type DeliveryOffer,
  type DeliveryOption,
  type DeliveryPlace,
  deliveryOptions,
} from "../../delivery/index.ts";
import type { ProductSet } from "../../pricing/index.ts";
import { type Cart, type CartLine, cartLocationId } from "../cart.ts";
import { cartProductIds, repriceLinesThatFit, withDiscounts } from "../cart-price.ts";
import type { CartContext, CartOffer } from "../context.ts";
import { couponCodesOf, findOffer } from "../coupons/cart-coupons.ts";
import { refreshQuoteLocks } from "../quote-lock.ts";

/**
 * Lists how the cart can be delivered to a place, at current prices. Without a place it can only be
 * collected. A cart in which nothing is shipped has no options; an empty one has all.
 */
export async function listDeliveryOptions(
  ctx: CartContext,
  cart: Cart,
  place: DeliveryPlace | null,
): Promise<DeliveryOption[]> {
  const { cart: current, loaded: products } = await refreshQuoteLocks(ctx, cart, (locks) =>
    ctx.findProducts(cartProductIds(cart), couponCodesOf(cart), [
      ...locks,
      ...prefetchDeliveryOptions(ctx, cart, place),
    ]),
  );
  const now = ctx.now();
  const repriced = repriceLinesThatFit({ ...current, delivery: null }, products, now);
  const offer = await findOffer(ctx, couponCodesOf(cart));
  return findOptions(ctx, withDiscounts(repriced, { products, offer, now }), {
    ...{ products, offer },
    delivery: await ctx.delivery.offers.find(place),
  });
}

type OptionsContext = Pick<CartContext, "business" | "delivery" | "now" | "replacedOrderIds">;

type DeliveryPrefetch = Readonly<{
  /** The item that the write adds to the cart. */
  added?: Readonly<{ productId: string; locationId: string | null }> | undefined;
  /** Whether it is read from the database although it may be cached. */
  isCurrent?: boolean;
}>;

/** The reads of `findOptions` for a place, for the batch that loads the products. */
export function prefetchDeliveryOptions(
  ctx: OptionsContext,
  cart: Pick<Cart, "lines">,
  place: DeliveryPlace | null,
  { added, isCurrent = false }: DeliveryPrefetch = {},
): readonly Prefetch[] {
  const mayChooseLocation =
    place !== null &&
    (cartLocationId(cart) ?? added?.locationId ?? null) === null &&
    ctx.business.locations.length > 1;
  const { offers, stock } = ctx.delivery;
  const request = stockRequest(ctx, cart, added);
  if (isCurrent) {
    return [
      offers.prefetchCurrent(place),
      ...(mayChooseLocation ? [stock.prefetchCurrent(request)] : []),
    ];
  }
  return [...offers.prefetch(place), ...(mayChooseLocation ? stock.prefetch(request) : [])];
}

const stockRequest = (
  { replacedOrderIds }: OptionsContext,
  cart: Pick<Cart, "lines">,
  added?: Readonly<{ productId: string }>,
) => ({
  productIds: cartProductIds(cart, added),
  releasedOrderIds: replacedOrderIds?.() ?? [],
});

/** What the options of a cart follow from. */
export type OptionTerms = Readonly<{
  products: ProductSet;
  offer: CartOffer;
  delivery: Pick<DeliveryOffer, "zones">;
}>;

/** The options of a cart at its stored prices and discounts. */
export async function findOptions(
  ctx: OptionsContext,
  cart: Cart,
  { products, offer, delivery }: OptionTerms,
): Promise<DeliveryOption[]> {
  if (cart.lines.length > 0 && !requiresHandover(cart, products)) return [];
  const locationId = cartLocationId(cart);
  const needs = stockNeeds(cart.lines, products);
  const mayChoose = locationId === null && needs.size > 0 && delivery.zones.some(hasChoice);
  const stock = mayChoose ? await ctx.delivery.stock.find(stockRequest(ctx, cart)) : [];
  const hasAll = (id: string) =>
    [...needs].every(([itemId, quantity]) =>
      stock.some(
        (level) =>
          level.itemId === itemId && level.locationId === id && level.available >= quantity,
      ),
    );
  return deliveryOptions(delivery, {
    business: ctx.business,
    figures: deliveryFigures(ctx, cart, { products, offer }),
    cartLocationId: locationId,
    chooseLocation: (ids) => ids.find(hasAll) ?? ids[0],
  });
}

const hasChoice = ({ locationIds }: Readonly<{ locationIds: readonly string[] | null }>) =>
  locationIds !== null && locationIds.length > 1;

/** Whether any line is a thing to deliver or to collect. A product that was deleted still counts. */
export const requiresHandover = ({ lines }: Pick<Cart, "lines">, products: ProductSet): boolean =>
  lines.some((line) => isLineShipped(line, products));

function isLineShipped({ configuration }: CartLine, products: ProductSet): boolean {
  const product = products.get(configuration.productId);
  return product === undefined || requiresShipping(product);
}

/**
 * The discounts are those of the goods without a delivery. Otherwise the price of a delivery could
 * depend on a deal that is chosen by the same price.
 */
function deliveryFigures(
  ctx: OptionsContext,
  cart: Cart,
  { products, offer }: Omit<OptionTerms, "delivery">,
): DeliveryFigures {
  const isWithDelivery = cart.discounts.some(
    ({ deliveryShareMinor = 0 }) => deliveryShareMinor > 0,
  );
  const { lines, discounts } = isWithDelivery
    ? withDiscounts({ ...cart, delivery: null }, { products, offer, now: ctx.now() })
    : cart;
  const shipped = cart.lines.filter((line) => isLineShipped(line, products));
  return {
    discountedSubtotalMinor:
      lines.reduce((sum, { snapshot, quantity }) => sum + snapshot.unitPriceMinor * quantity, 0) -
      discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    grams: shipped.reduce((sum, line) => sum + lineGrams(line, products), 0),
  };
}

/** The weight of a line. A bundle or composite without a weight weighs what it contains. */
function lineGrams({ configuration, quantity, snapshot }: CartLine, products: ProductSet): number {
  const product = products.get(configuration.productId);
  if (!product) return 0;
  const own = unitGrams(products, product.id, snapshot.variantId);
  const contained = containedItems(product, configuration).reduce(
    (sum, item) => sum + item.quantity * unitGrams(products, item.productId, item.variantId),
    0,
  );
  return quantity * (own > 0 ? own : contained);
}

function unitGrams(products: ProductSet, productId: string, variantId: string | null): number {
  const product = products.get(productId);
  if (!product) return 0;
  return weightOf(product, product.variants.find(({ id }) => id === variantId) ?? null);
}
