import type { BookableService } from "../scheduling/index.ts";
import { findBookingLocations } from "./booking-location.ts";
import { addLine, type Cart, emptyCart } from "./cart.ts";
import { type NewItem, priceItem } from "./cart-items.ts";
import type { CartContext } from "./context.ts";
import type { SlotRequest } from "./slot-hold.ts";

/** What the business books for a customer, without the product of its service. */
type ServiceBooking = Readonly<{
  configuration: Omit<NewItem["configuration"], "productId">;
  quantity: number;
  slot: SlotRequest & Readonly<{ start: number }>;
}>;

/**
 * A cart with one booked service, which belongs to no session and holds no slot: the order that is
 * placed from it takes the slot. Costs a round trip only when the service is open at several
 * locations then.
 *
 * @throws Refusal NOT_FOUND for an unknown variant, location or staff member, SELECTION_INVALID,
 * SLOT_INVALID, LINE_TOO_LARGE.
 */
export async function createBookingCart(
  ctx: CartContext,
  bookable: BookableService,
  { configuration, quantity, slot }: ServiceBooking,
): Promise<Cart> {
  // The order is priced with its plans and groups by `planCheckout`.
  const product = { ...bookable.product, billingPlans: [], groupIds: [] };
  const now = ctx.now();
  const booking = { bookable, start: slot.start, slot };
  const [locationId = null] = await findBookingLocations(ctx, booking, {
    variantId: configuration.variantId,
    locationId: configuration.locationId,
    cartLocationId: null,
    participants: quantity,
  });
  const line = priceItem(
    ctx,
    { configuration: { ...configuration, productId: product.id }, quantity, quoteId: null, slot },
    { products: new Map([[product.id, product]]), quote: null, booking, locationId, now },
  );
  return addLine(emptyCart(ctx.newId("cart"), now), line, () => ctx.newId("ci")).cart;
}
