import { containedItems, stockNeeds } from "../availability/index.ts";
import { requiresShipping, weightOf } from "../catalogue/index.ts";
import type { Prefetch } from "../database/index.ts";
import {
  type DeliveryFigures,
  type DeliveryOption,
  type DeliveryPlace,
  deliveryOptions,
} from "../delivery/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import { type Cart, type CartLine, cartLocationId } from "./cart.ts";
import { cartProductIds } from "./cart-items.ts";
import { applyDeals, cartPrice, repriceLinesThatFit } from "./cart-price.ts";
import { prefetchTax } from "./cart-tax.ts";
import type { CartContext } from "./context.ts";
import { couponCodesOf } from "./coupons/cart-coupons.ts";
import { refreshQuoteLocks } from "./quote-lock.ts";

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
      ...prefetchDelivery(ctx, cart, place),
      ...prefetchTax(ctx, cart),
    ]),
  );
  const repriced = repriceLinesThatFit(current, products, ctx.now());
  return findOptions(ctx, await applyDeals(ctx, repriced, products), { products, place });
}

/** The reads of `findOptions` that are not cached, for the batch that loads the products. */
function prefetchDelivery(
  ctx: CartContext,
  cart: Cart,
  place: DeliveryPlace | null,
): readonly Prefetch[] {
  const mayChooseLocation =
    place !== null && cartLocationId(cart) === null && ctx.business.locations.length > 1;
  return [
    ...ctx.delivery.offers.prefetch(place),
    ...(mayChooseLocation ? ctx.delivery.stock.prefetch(cartProductIds(cart)) : []),
  ];
}

async function findOptions(
  ctx: CartContext,
  cart: Cart,
  { products, place }: Readonly<{ products: ProductSet; place: DeliveryPlace | null }>,
): Promise<DeliveryOption[]> {
  if (cart.lines.length > 0 && !isShipped(cart, products)) return [];
  const offer = await ctx.delivery.offers.find(place);
  const locationId = cartLocationId(cart);
  const needs = stockNeeds(cart.lines, products);
  const mayChoose = locationId === null && needs.size > 0 && offer.zones.some(hasChoice);
  const stock = mayChoose ? await ctx.delivery.stock.find(cartProductIds(cart)) : [];
  const hasAll = (id: string) =>
    [...needs].every(([itemId, quantity]) =>
      stock.some(
        (level) =>
          level.itemId === itemId && level.locationId === id && level.available >= quantity,
      ),
    );
  return deliveryOptions(offer, {
    business: ctx.business,
    figures: deliveryFigures(ctx, cart, products),
    cartLocationId: locationId,
    chooseLocation: (ids) => ids.find(hasAll) ?? ids[0],
  });
}

const hasChoice = ({ locationIds }: Readonly<{ locationIds: readonly string[] | null }>) =>
  locationIds !== null && locationIds.length > 1;

/** Whether any line of the cart is handed over. A product that was deleted still counts. */
const isShipped = ({ lines }: Cart, products: ProductSet): boolean =>
  lines.some((line) => isLineShipped(line, products));

function isLineShipped({ configuration }: CartLine, products: ProductSet): boolean {
  const product = products.get(configuration.productId);
  return product === undefined || requiresShipping(product);
}

function deliveryFigures(ctx: CartContext, cart: Cart, products: ProductSet): DeliveryFigures {
  const { subtotalMinor, discountTotalMinor } = cartPrice(cart, ctx.business.settings.tax);
  const shipped = cart.lines.filter((line) => isLineShipped(line, products));
  return {
    discountedSubtotalMinor: subtotalMinor - discountTotalMinor,
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
