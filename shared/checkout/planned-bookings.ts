import { type Cart, holdIdOf, placeOfLine } from "../cart/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import {
  aboutLines,
  type Booking,
  type NewBooking,
  type Place,
  type SoughtServices,
} from "../scheduling/index.ts";
import type { Plan, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

type Found = Readonly<{ products: ProductSet; services: SoughtServices }>;

/** The ids of the products that lines of a cart are booked of. */
export const bookedProductIds = ({ lines }: Pick<Cart, "lines">): string[] => [
  ...new Set(
    lines.flatMap(({ configuration }) => (configuration.slot ? [configuration.productId] : [])),
  ),
];

/**
 * The bookings of an order's lines, with the places that they take over from the cart's holds. A hold
 * that has ended counts no more, and none is needed: whether a place is free is decided when the order
 * is placed.
 *
 * @throws Refusal SLOT_UNAVAILABLE naming the lines whose times cannot be booked any more.
 */
export async function plannedBookings(
  ctx: CheckoutContext,
  cart: Cart,
  { orderId, login, lines, createdAt }: Pick<Plan, "orderId" | "login" | "lines" | "createdAt">,
  { products, services }: Found,
): Promise<readonly NewBooking[]> {
  const booked = lines.filter(({ configuration }) => configuration.slot);
  if (booked.length === 0) return [];
  const bookables = await services.find(products);
  const taken = placesOf(booked, (line) =>
    placeOfLine(ctx, line, {
      bookable: bookables.get(line.configuration.productId),
      mayBeHeld: true,
    }),
  );
  return Promise.all(
    taken.map(async ({ line, place }) => ({
      holdId: await holdIdOf(cart, line),
      place,
      booking: bookingOf(line, place, {
        id: ctx.newId("bk"),
        orderId,
        customerId: login?.customerId ?? null,
        createdAt,
      }),
    })),
  );
}

/** Each line's place. @throws Refusal of the first that has none, naming all of them. */
function placesOf(
  lines: readonly PlannedLine[],
  placeOf: (line: PlannedLine) => Place,
): Readonly<{ line: PlannedLine; place: Place }>[] {
  const refused: { name: string; refusal: Refusal }[] = [];
  const places = lines.flatMap((line) => {
    try {
      return [{ line, place: placeOf(line) }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ name: line.snapshot.name, refusal: error });
      return [];
    }
  });
  const [first] = refused;
  if (first) {
    throw aboutLines(
      first.refusal,
      refused.map(({ name }) => name),
    );
  }
  return places;
}

function bookingOf(
  { orderLineId, snapshot, quantity }: PlannedLine,
  { serviceId, locationId, startsAt, endsAt }: Place,
  { createdAt, ...ids }: Pick<Booking, "id" | "orderId" | "customerId" | "createdAt">,
): Booking {
  return {
    ...ids,
    lineItemId: orderLineId,
    serviceId,
    serviceName: snapshot.name,
    variantId: snapshot.variantId,
    staffId: null, // whoever is free when it is placed
    locationId,
    startTime: startsAt,
    endTime: endsAt,
    participantCount: quantity,
    status: "pending",
    cancelledAt: null,
    cancellationReason: null,
    rescheduledFrom: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  };
}
