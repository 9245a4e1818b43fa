import type { Business } from "../businesses/index.ts";
import {
  type Cart,
  cartLocationId,
  lastDeliveryAddress,
  prefetchDeliveryOptions,
} from "../cart/index.ts";
import type { Prefetch } from "../database/index.ts";
import { deliveryPlaceOf } from "../delivery/index.ts";
import type { OrderType } from "../orders/index.ts";
import { type TaxPlace, taxPlaceOfOrder } from "../tax/index.ts";
import type { CheckoutRequest, PricingReads, SentCheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { optionTypeOf } from "./order-delivery.ts";

/** What the delivery and the taxes of an order follow from, beside its products and deals. */
type OrderTerms = Pick<PricingReads, "tax" | "delivery">;

type TermsRead = Readonly<{
  prefetches: readonly Prefetch[];
  /** Takes no round trip after the prefetches. */
  load: () => Promise<OrderTerms>;
}>;

type TermsRequest = Readonly<{
  cart: Cart;
  request: CheckoutRequest;
  /** The orders that this one replaces, whose stock counts as free. */
  replaces: readonly string[];
}>;

const isHandedOver = (orderType: OrderType): boolean =>
  orderType === "delivery" || orderType === "pickup";

/**
 * The request with what it leaves to the cart: the delivery option, its address and, without an
 * order type, that of the option.
 */
export function withCartDelivery(
  business: Business,
  cart: Pick<Cart, "delivery" | "deliveryAddress">,
  request: SentCheckoutRequest,
): CheckoutRequest {
  const { delivery } = cart;
  const sent = request.deliveryOptionId ?? null;
  const chosen = sent ?? delivery?.optionId ?? null;
  const type = chosen === null ? null : optionTypeOf(business, chosen, delivery);
  const orderType = request.orderType ?? type ?? "delivery";
  const optionId = isHandedOver(orderType) ? chosen : sent;
  const ofPickup = delivery?.type === "pickup" ? delivery.address : null;
  const ofCart = type === "delivery" ? lastDeliveryAddress(cart) : ofPickup;
  return {
    ...request,
    orderType,
    deliveryOptionId: optionId,
    addressInfo: request.addressInfo ?? (optionId === null ? null : ofCart),
  };
}

/** Prefetches the terms of an order as far as they are not cached. */
export function prefetchOrderTerms(ctx: CheckoutContext, input: TermsRequest): TermsRead {
  const { cart, request } = input;
  const taxPlace = taxPlaceOf(ctx, input);
  return {
    prefetches: [
      ...ctx.tax.prefetch([taxPlace], cart.tax),
      ...prefetchDelivery(ctx, input, { isCurrent: false }),
    ],
    load: async () => ({
      tax: await ctx.tax.find(taxPlace, cart.tax),
      delivery: await findDelivery(ctx, request),
    }),
  };
}

/**
 * Prefetches the terms of an order from the database and not from a cache.
 *
 * @param input with the customer who orders; null for a guest.
 */
export function prefetchCurrentTerms(
  ctx: CheckoutContext,
  input: TermsRequest & Readonly<{ customerId: string | null }>,
): TermsRead {
  const tax = ctx.tax.prefetchCurrent(taxPlaceOf(ctx, input), input.customerId);
  return {
    prefetches: [...tax.prefetches, ...prefetchDelivery(ctx, input, { isCurrent: true })],
    load: async () => ({
      tax: await tax.load(),
      delivery: await findDelivery(ctx, input.request),
    }),
  };
}

/**
 * Without a delivery, whether the business has methods is only read along with others: the placing
 * batch decides. A pickup needs no read.
 */
function prefetchDelivery(
  ctx: CheckoutContext,
  { cart, request, replaces }: TermsRequest,
  { isCurrent }: Readonly<{ isCurrent: boolean }>,
): readonly Prefetch[] {
  if (!isHandedOver(request.orderType)) return [];
  const place = deliveryPlace(ctx, request);
  if (place !== null)
    return prefetchDeliveryOptions(withReplaced(ctx, { replaces }), cart, place, { isCurrent });
  const { offers } = ctx.delivery;
  return isCurrent ? [offers.prefetchCurrent(null)] : offers.prefetchAlong(null);
}

/** The context in which the stock of replaced orders counts as free. */
export const withReplaced = (
  ctx: CheckoutContext,
  { replaces }: Pick<TermsRequest, "replaces">,
): CheckoutContext => ({ ...ctx, replacedOrderIds: () => replaces });

async function findDelivery(
  ctx: CheckoutContext,
  request: CheckoutRequest,
): Promise<PricingReads["delivery"]> {
  if (!isHandedOver(request.orderType)) return null;
  const { offers } = ctx.delivery;
  const place = deliveryPlace(ctx, request);
  if (place !== null) return { ...(await offers.find(place)), place };
  return { zones: [], hasMethods: offers.known(null)?.hasMethods ?? null, place };
}

/** The place of the address, when an option was chosen that delivers to one. */
const deliveryPlace = (
  { business }: Pick<CheckoutContext, "business">,
  { orderType, deliveryOptionId = null, addressInfo }: CheckoutRequest,
) =>
  orderType === "delivery" && deliveryOptionId !== null
    ? deliveryPlaceOf(addressInfo, business)
    : null;

/** A pickup is taxed where it is collected. */
function taxPlaceOf(
  { business }: Pick<CheckoutContext, "business">,
  { cart, request }: Pick<TermsRequest, "cart" | "request">,
): TaxPlace {
  const { orderType, deliveryOptionId = null } = request;
  const pickupId = orderType === "pickup" ? deliveryOptionId : null;
  return taxPlaceOfOrder(business, { ...request, locationId: cartLocationId(cart) ?? pickupId });
}
