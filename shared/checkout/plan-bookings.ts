import { assertMayBook, type Cart, computeHoldId, lineSlotAllocation } from "../cart/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import {
  type Booking,
  type NewBooking,
  type ServicePrefetch,
  type SlotAllocation,
  withHoldLeeway,
  withLineNames,
  withoutBookingLimits,
} from "../scheduling/index.ts";
import type { CheckoutPlan, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

type BookingReads = Readonly<{ products: ProductSet; services: ServicePrefetch }>;

/** The ids of the products whose lines have a slot. */
export const bookedProductIds = ({ lines }: Pick<Cart, "lines">): string[] => [
  ...new Set(
    lines.flatMap(({ configuration }) => (configuration.slot ? [configuration.productId] : [])),
  ),
];

/**
 * Plans a booking for each line with a slot; the booking replaces the cart's hold of the slot. An
 * expired hold is accepted, because the batch that places the order checks whether the slot is
 * free.
 *
 * @throws Refusal SLOT_UNAVAILABLE naming the lines whose times can no longer be booked, and as
 *   `assertMayBook`.
 */
export async function planBookings(
  ctx: CheckoutContext,
  cart: Cart,
  {
    orderId,
    login,
    lines,
    createdAt,
  }: Pick<CheckoutPlan, "orderId" | "login" | "lines" | "createdAt">,
  { products, services }: BookingReads,
): Promise<readonly NewBooking[]> {
  const booked = lines.filter(({ configuration }) => configuration.slot);
  if (booked.length === 0) return [];
  const bookables = await services.find(products);
  for (const bookable of bookables.values()) assertMayBook(ctx, bookable);
  const allocated = requireAllocations(booked, (line) =>
    lineSlotAllocation(ctx, line, {
      bookable: bookables.get(line.configuration.productId),
      limits: ctx.actor.type === "merchant" ? withoutBookingLimits : withHoldLeeway,
    }),
  );
  return Promise.all(
    allocated.map(async ({ line, allocation }) => ({
      holdId: await computeHoldId(cart, line),
      allocation,
      booking: plannedBooking(line, allocation, {
        id: ctx.newId("bk"),
        orderId,
        customerId: login?.customerId ?? null,
        cancellationNoticeMinutes:
          bookables.get(line.configuration.productId)?.service.cancellationNoticeMinutes ?? 0,
        createdAt,
      }),
    })),
  );
}

/**
 * The slot of each line.
 * @throws Refusal of the first line without a slot; it names all such lines.
 */
function requireAllocations(
  lines: readonly PlannedLine[],
  allocate: (line: PlannedLine) => SlotAllocation,
): Readonly<{ line: PlannedLine; allocation: SlotAllocation }>[] {
  const refusals: { name: string; refusal: Refusal }[] = [];
  const allocations = lines.flatMap((line) => {
    try {
      return [{ line, allocation: allocate(line) }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push({ name: line.snapshot.name, refusal: error });
      return [];
    }
  });
  const [first] = refusals;
  if (first) {
    throw withLineNames(
      first.refusal,
      refusals.map(({ name }) => name),
    );
  }
  return allocations;
}

function plannedBooking(
  { orderLineId, snapshot, quantity }: PlannedLine,
  { serviceId, locationId, startsAt, endsAt }: SlotAllocation,
  {
    createdAt,
    ...fields
  }: Pick<Booking, "id" | "orderId" | "customerId" | "cancellationNoticeMinutes" | "createdAt">,
): Booking {
  return {
    ...fields,
    lineItemId: orderLineId,
    serviceId,
    serviceName: snapshot.name,
    variantId: snapshot.variantId,
    staffId: null, // chosen by the placing batch
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
