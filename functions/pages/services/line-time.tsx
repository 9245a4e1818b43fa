import { Notice } from "../parts/fields.tsx";
import type { ShownCart } from "../shop/delivery.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { formatAppointment, formatClock } from "./days.ts";
import { choiceFields, servicePath, timezoneOf } from "./service-choice.ts";

type BookedLine = ShownCart["items"][number];

/** Until when the line's time is held; null once the hold has ended. */
const heldUntil = ({ hold_expires_at: until }: BookedLine): string | null =>
  until !== null && Date.parse(until) > Date.now() ? until : null;

type TimeProps = Readonly<{ shop: VisitedShop; line: BookedLine }>;

/** The time of a service in the cart, until when it is held, and the way to another one. */
export const LineTime = ({ shop, line }: TimeProps) => {
  if (line.scheduled_start === null) return null;
  const timezone = timezoneOf(shop, line.location_id);
  const until = heldUntil(line);
  return (
    <span class="line-time">
      <time datetime={line.scheduled_start}>
        {formatAppointment(
          { start: line.scheduled_start, end: line.scheduled_end },
          shop.business,
          timezone,
        )}
      </time>
      <small>
        {until === null
          ? "No longer held for you. Order soon, or "
          : `Held until ${formatClock(until, shop.business, timezone)}. `}
        <a href={pickerPath(shop, line)}>
          {until === null ? "choose a time again" : "Change the time"}
          <span class="visually-hidden"> of {line.name}</span>
        </a>
      </small>
    </span>
  );
};

/** The times of the line's service, one of which takes its place. */
const pickerPath = (shop: VisitedShop, line: BookedLine): string => {
  const fields = choiceFields({
    variantId: line.variant_id,
    locationId: line.location_id,
    staffId: line.staff_id,
    people: line.quantity,
    replacedLine: line.id,
  });
  const query = new URLSearchParams({ ...fields });
  return `${servicePath(shop, line.slug ?? line.item_id)}?${query}#times`;
};

/** Says above the cart and the checkout that a time is no longer reserved. */
export const HoldNotice = ({ cart }: Readonly<{ cart: ShownCart }>) => {
  const expired = cart.items.filter(
    (line) => line.scheduled_start !== null && heldUntil(line) === null,
  );
  if (expired.length === 0) return null;
  return (
    <Notice kind="info">
      {expired.map(({ name }) => name).join(", ")}: the time is no longer held for you, so somebody
      else may take it. Order now, or choose a time again.
    </Notice>
  );
};
