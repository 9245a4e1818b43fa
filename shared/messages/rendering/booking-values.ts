import type { Business } from "../../businesses/index.ts";
import type { Booking } from "../../scheduling/index.ts";
import type { Formats } from "./format.ts";
import { withoutLinks } from "./plain-text.ts";
import type { VariableValues } from "./values.ts";

type BookingView = Readonly<{
  booking: Booking;
  business: Pick<Business, "timezone" | "locations">;
  formats: Formats;
}>;

/** The variables of messages about a booking, in the time of its place. */
export function bookingValues({ booking, business, formats }: BookingView): VariableValues {
  const { startTime, endTime, rescheduledFrom } = booking;
  const location = business.locations.find(({ id }) => id === booking.locationId);
  const timezone = location?.timezone ?? business.timezone;
  return {
    service_name: booking.serviceName,
    booking_date: formats.date(startTime, timezone),
    booking_time: formats.time(startTime, timezone),
    booking_end_time: formats.time(endTime, timezone),
    participants: String(booking.participantCount),
    location_name: location?.name ?? null,
    location_address: addressOf(location),
    reason: withoutLinks(booking.cancellationReason),
    ...(rescheduledFrom !== null && {
      previous_date: formats.date(rescheduledFrom, timezone),
      previous_time: formats.time(rescheduledFrom, timezone),
    }),
  };
}

function addressOf(location: Business["locations"][number] | undefined): string | null {
  const { streetAddress, city, region, postalCode } = location?.address ?? {};
  const parts = [streetAddress, city, region, postalCode].filter(Boolean);
  return parts.length === 0 ? null : parts.join(", ");
}
