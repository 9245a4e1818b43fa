import type { DukaError, StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { FormMarks } from "../http/forms.ts";
import { isChangeable } from "../order/bookings.tsx";
import { ownBookingPath, ownOrderPath } from "../order/open-order.ts";
import { PostForm } from "../parts/fields.tsx";
import { formatTime } from "../parts/format.ts";
import { forShoppers } from "../parts/refusal-text.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { sectionPath } from "./load-account.ts";

type ShownBooking = StorefrontSchemas["Booking"];
type ShownService = StorefrontSchemas["Service"];

const states: Readonly<Record<ShownBooking["status"], Readonly<{ name: string; kind: string }>>> = {
  pending: { name: "Not confirmed yet", kind: "open" },
  confirmed: { name: "Confirmed", kind: "good" },
  completed: { name: "Took place", kind: "off" },
  no_show: { name: "Missed", kind: "off" },
  cancelled: { name: "Cancelled", kind: "off" },
};

type EntryProps = Readonly<{
  shop: VisitedShop;
  booking: ShownBooking;
  /** Undefined for a service that is not sold any more. */
  service: ShownService | undefined;
  marks: FormMarks;
}>;

/** A booking with its time, its place, the way to another time, and the form that cancels it. */
export const BookingEntry = ({ shop, booking, service, marks }: EntryProps) => {
  const { name, kind } = states[booking.status];
  const location = shop.business.locations.find(({ id }) => id === booking.location_id);
  const zone = { ...shop.business, timezone: location?.timezone ?? shop.business.timezone };
  const staff = service?.staff.find(({ id }) => id === booking.staff_id);
  const variant = service?.variants.find(({ id }) => id === booking.variant_id);
  const details = [
    variant?.name,
    staff && `with ${staff.name}`,
    booking.participant_count > 1 && `${booking.participant_count} people`,
    shop.business.locations.length > 1 && location?.name,
  ].filter(Boolean);
  return (
    <li>
      <div class="record-head">
        <div>
          <h2>{booking.service_name}</h2>
          <p>
            <time datetime={booking.start_time}>{formatTime(booking.start_time, zone)}</time>
          </p>
          {details.length > 0 && <p class="hint">{details.join(", ")}</p>}
        </div>
        <p class={`state ${kind}`}>{name}</p>
      </div>
      {booking.rescheduled_from !== null && booking.status !== "cancelled" && (
        <p class="hint">Moved from {formatTime(booking.rescheduled_from, zone)}.</p>
      )}
      <p class="record-actions">
        {service !== undefined && isChangeable(booking) && (
          <a href={ownBookingPath(shop, booking)}>
            Move to another time<span class="visually-hidden">: {booking.service_name}</span>
          </a>
        )}
        <a href={ownOrderPath(shop, booking.order_id)}>See the order</a>
      </p>
      <Cancellation {...{ shop, booking, marks, zone }} />
    </li>
  );
};

type CancellationProps = Omit<EntryProps, "service"> & Readonly<{ zone: VisitedShop["business"] }>;

/** Until when the booking can be cancelled, and the form for it. */
const Cancellation = ({ shop, booking, marks, zone }: CancellationProps) => {
  const { changeable_until: until, start_time: start } = booking;
  if (until === null || Date.parse(start) <= Date.now()) return null;
  const notice = (Date.parse(start) - Date.parse(until)) / 60_000;
  if (!isChangeable(booking)) {
    return (
      <p class="hint">
        It can no longer be moved or cancelled here: that was possible until {formatNotice(notice)}{" "}
        before it starts. Ask {shop.business.name} if you cannot come.
      </p>
    );
  }
  return (
    <details>
      <summary>Cancel the booking</summary>
      <PostForm action={sectionPath(shop, "bookings")} marks={marks}>
        <input type="hidden" name="booking" value={booking.id} />
        <p>
          You can cancel until {formatTime(until, zone)}
          {notice > 0 && `, ${formatNotice(notice)} before it starts`}. Your time becomes free at
          once, and what you paid for it is refunded, unless {shop.business.name} settles refunds
          itself.
        </p>
        <button type="submit" class="danger">
          Cancel {booking.service_name}
        </button>
      </PostForm>
    </details>
  );
};

/** A length of time in its largest whole unit. */
function formatNotice(minutes: number): string {
  const [amount, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** Why a booking was not cancelled. */
export function bookingRefusalText(error: DukaError): string {
  const { cancellation_notice_minutes: minutes, status } = error.context;
  if (error.rule === "CANCELLATION_WINDOW_CLOSED") {
    const notice = Number(minutes ?? 0);
    const limit = notice > 0 ? `${formatNotice(notice)} before it starts` : "it starts";
    return `This booking can no longer be cancelled: that is possible until ${limit}.`;
  }
  return typeof status === "string"
    ? "This booking is over or cancelled already."
    : forShoppers(error);
}
