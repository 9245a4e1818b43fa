import {
  assertOptionExists,
  type ChosenDelivery,
  deliveryPlaceOf,
  deliveryTypeOf,
  deliveryUnavailable,
  hasCountryCode,
} from "../../delivery/index.ts";
import { invalid } from "../../kernel/index.ts";
import type { Cart } from "../cart.ts";
import { cartPrice, cartProductIds, repriceLinesThatFit, withDiscounts } from "../cart-price.ts";
import { type DeliveryTarget, withCurrentTax } from "../cart-tax.ts";
import type { CartContext } from "../context.ts";
import { couponCodesOf, findOffer } from "../coupons/cart-coupons.ts";
import { applyDeals, prefetchTerms, withOption } from "../current-terms.ts";
import { refreshQuoteLocks } from "../quote-lock.ts";

/** An option to choose; without an address a delivery goes to the cart's earlier one. */
export type DeliveryChoice = Pick<ChosenDelivery, "optionId" | "address">;

/**
 * Chooses how the cart is delivered, and recalculates every price. An empty cart takes an option at
 * the price of an empty cart.
 *
 * @throws Refusal VALIDATION_ERROR without an address to deliver to, NOT_FOUND for an unknown
 * option, DELIVERY_UNAVAILABLE for one that does not apply to the cart and the address.
 */
export async function chooseDelivery(
  ctx: CartContext,
  cart: Cart,
  choice: DeliveryChoice,
): Promise<Cart> {
  const { optionId } = choice;
  const target = await requireDeliveryTarget(ctx, cart, choice);
  const { address } = target;
  const codes = couponCodesOf(cart);
  const { cart: current, loaded: products } = await refreshQuoteLocks(ctx, cart, (locks) =>
    ctx.findProducts(cartProductIds(cart), codes, [
      ...locks,
      ...prefetchTerms(ctx, { ...cart, delivery: target }),
    ]),
  );
  const now = ctx.now();
  const catalogue = { products, offer: await findOffer(ctx, codes) };
  const repriced = repriceLinesThatFit({ ...current, delivery: null }, products, now);
  const discounted = withDiscounts(repriced, { ...catalogue, now });
  const withDelivery = await withOption(ctx, discounted, {
    ...{ ...catalogue, optionId, address },
    delivery: await findZones(ctx, target),
  });
  if (withDelivery === null) {
    await assertOptionExists(ctx, optionId);
    throw deliveryUnavailable();
  }
  const deliveryAddress = target.type === "delivery" ? address : cart.deliveryAddress;
  const priced = await withCurrentTax(ctx, { ...withDelivery, deliveryAddress });
  cartPrice(priced, ctx.business.settings.tax); // rejects totals too large to charge
  return { ...priced, updatedAt: ctx.now() };
}

/** @throws Refusal VALIDATION_ERROR naming the address, NOT_FOUND for an unknown option. */
async function requireDeliveryTarget(
  ctx: CartContext,
  cart: Cart,
  { optionId, address: sent }: DeliveryChoice,
): Promise<DeliveryTarget> {
  const type = deliveryTypeOf(ctx.business, optionId);
  if (type === "pickup") return { type, address: sent, locationId: optionId };
  const address = sent ?? lastDeliveryAddress(cart);
  if (address === null || Object.keys(address).length === 0) {
    await assertOptionExists(ctx, optionId);
    throw invalid("address", "is required: this option delivers to an address.");
  }
  if (!hasCountryCode(address)) {
    throw invalid("address.country", "must be a two-letter ISO 3166 code");
  }
  return { type, address, locationId: null };
}

const findZones = async (ctx: CartContext, { type, address }: DeliveryTarget) =>
  type === "pickup"
    ? { zones: [] }
    : ctx.delivery.offers.find(deliveryPlaceOf(address, ctx.business));

/** The address of a delivery that the cart has or had; null for none. */
export const lastDeliveryAddress = ({
  delivery,
  deliveryAddress,
}: Pick<Cart, "delivery" | "deliveryAddress">): Cart["deliveryAddress"] =>
  delivery?.type === "delivery" ? delivery.address : deliveryAddress;

/** Removes the delivery and its address. */
export async function removeDelivery(ctx: CartContext, cart: Cart): Promise<Cart> {
  if (cart.delivery === null && cart.deliveryAddress === null) return cart;
  const without = { ...cart, delivery: null, deliveryAddress: null };
  const { cart: current, loaded: products } = await refreshQuoteLocks(ctx, without, (locks) =>
    ctx.findProducts(cartProductIds(cart), couponCodesOf(cart), [
      ...locks,
      ...prefetchTerms(ctx, without),
    ]),
  );
  const repriced = repriceLinesThatFit(current, products, ctx.now());
  return { ...(await applyDeals(ctx, repriced, products)), updatedAt: ctx.now() };
}
