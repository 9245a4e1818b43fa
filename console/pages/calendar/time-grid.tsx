import { useEffect, useState } from "react";
import { useShop } from "../../api/shop.ts";
import { toLocalTime } from "../../ui/local-time.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { BookingPlace } from "./book/booking-values.ts";
import type { Booking } from "./booking.tsx";
import { BookingBlock } from "./booking-block.tsx";
import { type Column, placeBookings, shownHours } from "./layout.ts";
import type { Move } from "./move-dialog.tsx";

type TimeGridProps = Readonly<{
  columns: readonly Column[];
  onOpen: (booking: Booking) => void;
  /** Called with where a booking was dropped; null when the role may not move bookings. */
  onDrop: ((move: Move) => void) | null;
  /** Called with an empty place that was clicked; null when nothing can be booked. */
  onBook: ((place: BookingPlace) => void) | null;
}>;

/** Pixels of an hour. */
export const hourHeight = 56;

/** The bookings as blocks, at the height of their times. */
export function TimeGrid({ columns, onOpen, onDrop, onBook }: TimeGridProps) {
  const { membership } = useShop();
  const format = useFormat();
  const { from, to } = shownHours(columns, membership.timezone);
  const hours = Array.from({ length: to - from }, (_, index) => from + index);
  const height = hours.length * hourHeight;
  return (
    <section className="card time-grid" aria-label="Bookings" {...focusable}>
      <div
        className="columns-of-time"
        style={{ gridTemplateColumns: `68px repeat(${columns.length}, minmax(132px, 1fr))` }}
      >
        <div className="corner" />
        {columns.map(({ key, name, note, isToday, bookings }) => (
          <header key={key} className={isToday ? "today" : undefined}>
            <h3>{name}</h3>
            <p className="small muted">{note ?? countText(bookings.length)}</p>
          </header>
        ))}
        <div className="hours" style={{ height }} aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour} style={{ top: (hour - from) * hourHeight }}>
              {format.clock(hour * 60)}
            </span>
          ))}
        </div>
        {columns.map((column) => (
          <div
            key={column.key}
            className="column"
            style={{ height, backgroundSize: `100% ${hourHeight}px` }}
            data-column={column.key}
          >
            {onBook && <EmptyPlace column={column} from={from} to={to} onBook={onBook} />}
            {column.isToday && <NowLine from={from} to={to} />}
            <ul aria-label={`${column.name}, ${format.day(column.day)}`}>
              {placeBookings(column, membership.timezone).map((placed) => (
                <li key={placed.booking.id}>
                  <BookingBlock
                    placed={placed}
                    from={from}
                    onOpen={() => onOpen(placed.booking)}
                    onDrop={
                      onDrop &&
                      (({ minutes, columnKey }) => {
                        const target = columns.find(({ key }) => key === columnKey) ?? column;
                        const isSameTime = minutes === placed.start && target.day === column.day;
                        if (isSameTime && target.key === column.key) return;
                        onDrop({
                          booking: placed.booking,
                          to: { day: target.day, minutes },
                          staffId: target.staffId,
                        });
                      })
                    }
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

type EmptyPlaceProps = Readonly<{
  column: Column;
  /** The hours of the grid. */
  from: number;
  to: number;
  onBook: (place: BookingPlace) => void;
}>;

/** A booking that is begun with a click starts at a quarter of an hour. */
const clickMinutes = 15;

/**
 * The part of a column without bookings. A click there books at its time; from the keyboard it books
 * on the day, and the form asks for the time.
 */
function EmptyPlace({ column, from, to, onBook }: EmptyPlaceProps) {
  const format = useFormat();
  const { name, day, staffId, resourceId } = column;
  const isOfAll = column.key === day || column.key === "rest"; // its name is the day, or says nothing
  return (
    <button
      type="button"
      className="empty-place"
      aria-label={`Book on ${format.day(day)}${isOfAll ? "" : `, ${name}`}`}
      onClick={(event) => {
        const place = { day, staffId, resourceId };
        if (event.detail === 0) return onBook(place);
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const clicked = ((event.clientY - top) / height) * (to - from) * 60;
        const minutes = from * 60 + Math.floor(clicked / clickMinutes) * clickMinutes;
        onBook({ ...place, minutes });
      }}
    />
  );
}

/** The grid scrolls, also by keyboard, and a day without bookings has nothing else to focus. */
const focusable = { tabIndex: 0 };

const countText = (count: number): string =>
  count === 0 ? "Free" : count === 1 ? "1 booking" : `${count} bookings`;

const minuteMs = 60_000;

/** A line at the time that it is now. */
function NowLine({ from, to }: Readonly<{ from: number; to: number }>) {
  const { membership } = useShop();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  const { minutes } = toLocalTime(now, membership.timezone);
  if (minutes < from * 60 || minutes > to * 60) return null;
  return <div className="now" style={{ top: ((minutes - from * 60) / 60) * hourHeight }} />;
}
