import {
  type Cart,
  deliveryRemoved,
  requiresHandover,
  withCurrentTax,
  withOption,
} from "../cart/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import {
  assertDeliveryPayable,
  assertOptionExists,
  type DeliveryType,
  deliveryTypeOf,
  deliveryUnavailable,
} from "../delivery/index.ts";
import { canonicalJson, type Refusal, ruleViolation } from "../kernel/index.ts";
import { CartRefusal } from "./cart-refusal.ts";
import type { CheckoutRequest, PricingReads } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { hasRoundTripsLeft } from "./round-trip-budget.ts";

type OrderDeliveryInput = Readonly<{
  request: DeliveryRequest;
  catalogue: Pick<PricingReads, "products" | "delivery">;
  /** The deals that may apply. */
  offer: OfferedDeals;
  /** What the session's cart had chosen; the cart loses it when it no longer applies. */
  ownDelivery: Cart["delivery"];
}>;

export type DeliveryRequest = Pick<
  CheckoutRequest,
  "orderType" | "deliveryOptionId" | "addressInfo" | "paymentMethod"
>;

/**
 * The cart with the delivery of its order, and the discounts that follow from its price. `goods` is
 * the cart without a delivery.
 *
 * @throws Refusal DELIVERY_REQUIRED, DELIVERY_UNAVAILABLE, PAYMENT_METHOD_UNAVAILABLE; CartRefusal
 * DELIVERY_UNAVAILABLE without the delivery that the cart had chosen.
 */
export async function withOrderDelivery(
  ctx: CheckoutContext,
  goods: Cart,
  { request, catalogue: { products, delivery }, offer, ownDelivery }: OrderDeliveryInput,
): Promise<Cart> {
  const { orderType, deliveryOptionId: optionId = null, addressInfo: address } = request;
  if (optionId === null) {
    if (mustBeChosen(ctx, goods, { products, delivery })) throw deliveryRequired(orderType);
    return goods;
  }
  const type = optionTypeOf(ctx.business, optionId, ownDelivery);
  if (delivery === null || type !== orderType) {
    throw deliveryUnavailable(
      `The delivery option ${optionId} is for order_type ${type}, but order_type is ${orderType}.`,
    );
  }
  const zones = type === "delivery" ? delivery.zones : [];
  const terms = { products, offer, delivery: { zones }, optionId, address };
  const chosen = await withOption(ctx, goods, terms);
  if (chosen?.delivery) {
    assertDeliveryPayable(chosen.delivery, request.paymentMethod);
    return chosen;
  }
  const isOwn =
    ownDelivery?.optionId === optionId &&
    canonicalJson(ownDelivery.address) === canonicalJson(address);
  throw isOwn ? await ownDeliveryRemoved(ctx, goods, ownDelivery) : deliveryUnavailable();
}

/** The type of an option. The cart's own keeps its type when its location is no longer there. */
export const optionTypeOf = (
  business: CheckoutContext["business"],
  optionId: string,
  ownDelivery: Cart["delivery"],
): DeliveryType =>
  ownDelivery?.optionId === optionId ? ownDelivery.type : deliveryTypeOf(business, optionId);

/** Whether the business offers options for orders of this type and the cart ships anything. */
function mustBeChosen(
  { business }: Pick<CheckoutContext, "business">,
  goods: Cart,
  { products, delivery }: OrderDeliveryInput["catalogue"],
): boolean {
  if (delivery === null) return false;
  const hasOptions =
    delivery.hasMethods === true || business.locations.some(({ offersPickup }) => offersPickup);
  return hasOptions && requiresHandover(goods, products);
}

const deliveryRequired = (orderType: string): Refusal =>
  ruleViolation(
    "DELIVERY_REQUIRED",
    `An order of type ${orderType} needs a delivery option. Send delivery_option_id, or choose one with PUT /cart/delivery.`,
  );

async function ownDeliveryRemoved(
  ctx: CheckoutContext,
  goods: Cart,
  delivery: NonNullable<Cart["delivery"]>,
): Promise<CartRefusal> {
  const notices = [...goods.notices, deliveryRemoved(delivery)];
  const cart = await withOwnTax(ctx, { ...goods, notices, updatedAt: ctx.now() });
  return new CartRefusal(cart, deliveryUnavailable());
}

/** The cart taxed at its own place, which is not the order's. May take a round trip. */
export const withOwnTax = async (ctx: CheckoutContext, cart: Cart): Promise<Cart> =>
  hasRoundTripsLeft(ctx, 1) ? withCurrentTax(ctx, cart) : cart;

/**
 * Takes a round trip only for an option that the order's zones do not have.
 *
 * @throws Refusal NOT_FOUND for an unknown option.
 */
export async function assertOptionKnown(
  ctx: CheckoutContext,
  optionId: string | null,
  { delivery }: Pick<PricingReads, "delivery">,
): Promise<void> {
  const methods = delivery?.zones.flatMap((zone) => zone.methods) ?? [];
  if (optionId === null || methods.some(({ id }) => id === optionId)) return;
  await assertOptionExists(ctx, optionId);
}
