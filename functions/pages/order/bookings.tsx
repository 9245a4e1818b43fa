import { Notice } from "../parts/fields.tsx";
import { formatAppointment } from "../services/days.ts";
import { timezoneOf } from "../services/service-choice.ts";
import type { ShownService } from "../services/time-choice.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { bookingPathOf, type OpenedOrder, type Order } from "./open-order.ts";

export type OrderBooking = Order["bookings"][number];

/** The address of the page on which a booking is moved or cancelled. */
export const bookingPath = ({ path }: Pick<OpenedOrder, "path">, { id }: OrderBooking): string =>
  bookingPathOf(path, id);

/** Whether the shopper may still change the booking (docs/contract/storefront.md#booking-notice). */
export const isChangeable = ({
  changeable_until: until,
  start_time: start,
}: Pick<OrderBooking, "changeable_until" | "start_time">): boolean =>
  until !== null && Date.now() <= Date.parse(until) && Date.now() < Date.parse(start);

/** When a booking is, in the zone of its place. */
export const bookingTime = (shop: VisitedShop, booking: OrderBooking): string =>
  formatAppointment(
    { start: booking.start_time, end: booking.end_time },
    shop.business,
    timezoneOf(shop, booking.location_id),
  );

/** Where a booking is, when the shop has several places. */
export const bookingPlace = (
  { business }: VisitedShop,
  { location_id: id }: OrderBooking,
): string =>
  business.locations.length > 1
    ? (business.locations.find((location) => location.id === id)?.name ?? "")
    : "";

/** Who gives it; empty for a service without staff, and once it is no longer offered. */
export const bookingStaff = (booking: OrderBooking, service: ShownService | null): string => {
  const person = service?.staff.find(({ id }) => id === booking.staff_id);
  return person === undefined ? "" : `With ${person.name}`;
};

const closedTexts: Readonly<Record<OrderBooking["status"], string>> = {
  pending: "",
  confirmed: "",
  completed: "This was given.",
  cancelled: "Cancelled.",
  no_show: "Nobody came.",
};

/** The bookings of an order, with their times. */
export const Bookings = ({
  opened,
  services,
}: Readonly<{ opened: OpenedOrder; services: readonly ShownService[] }>) => {
  const serviceOf = (booking: OrderBooking) =>
    services.find(({ id }) => id === booking.service_id) ?? null;
  const { shop, order } = opened;
  if (order.bookings.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="bookings">
      <h2 id="bookings">{order.bookings.length === 1 ? "Your booking" : "Your bookings"}</h2>
      {order.status === "pending" && (
        <Notice kind="info">
          The time is reserved while the order waits for its payment or for the shop.
        </Notice>
      )}
      <ul class="parcels">
        {order.bookings.map((booking) => (
          <li>
            <strong>{booking.service_name}</strong>
            {booking.participant_count > 1 && (
              <span class="hint"> for {booking.participant_count} people</span>
            )}
            <p>
              <time datetime={booking.start_time}>{bookingTime(shop, booking)}</time>
            </p>
            <p class="hint">
              {[
                bookingStaff(booking, serviceOf(booking)),
                bookingPlace(shop, booking),
                closedTexts[booking.status],
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            {isChangeable(booking) && (
              <p>
                <a href={bookingPath(opened, booking)}>
                  Move or cancel<span class="visually-hidden"> {booking.service_name}</span>
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
