import { type PointerEvent, useRef, useState } from "react";
import { useFormat } from "../../ui/use-format.ts";
import { isActive, statusName } from "./booking.tsx";
import type { Placed } from "./layout.ts";
import { hourHeight } from "./time-grid.tsx";

/** Where a block was dropped: the column, and minutes since midnight. */
type Drop = Readonly<{ columnKey: string; minutes: number }>;

type BookingBlockProps = Readonly<{
  placed: Placed;
  /** The hour at the top of the grid. */
  from: number;
  onOpen: () => void;
  onDrop: ((drop: Drop) => void) | null;
}>;

/** Dropped bookings begin at such minutes. */
const stepMinutes = 15;
/** A shorter way of the pointer is a click. */
const leastDrag = 5;

type Drag = Readonly<{ fromX: number; fromY: number; x: number; y: number }>;

/** One booking. A click opens it; with a mouse it can be dragged to another time or column. */
export function BookingBlock({ placed, from, onOpen, onDrop }: BookingBlockProps) {
  const { booking, start, end, lane, lanes } = placed;
  const format = useFormat();
  const [drag, setDrag] = useState<Drag>();
  const wasDragged = useRef(false);
  const canMove = onDrop !== null && isActive(booking);
  const moved = drag && Math.hypot(drag.x - drag.fromX, drag.y - drag.fromY) > leastDrag;
  const shift = moved ? snap(drag.y - drag.fromY) : 0;

  function follow(event: PointerEvent) {
    if (!drag) return;
    setDrag({ ...drag, x: event.clientX, y: event.clientY });
  }

  function drop(event: PointerEvent) {
    if (moved && onDrop) {
      wasDragged.current = true;
      const columnKey = columnAt(event) ?? "";
      onDrop({ columnKey, minutes: Math.max(0, start + shift) });
    }
    setDrag(undefined);
  }

  return (
    <button
      type="button"
      className={`booking ${booking.status}${moved ? " dragged" : ""}`}
      style={{
        top: ((start - from * 60) / 60) * hourHeight,
        height: Math.max(((end - start) / 60) * hourHeight - 2, 22),
        left: `calc(${(lane / lanes) * 100}% + 2px)`,
        width: `calc(${100 / lanes}% - 4px)`,
        transform: moved
          ? `translate(${drag.x - drag.fromX}px, ${(shift / 60) * hourHeight}px)`
          : undefined,
      }}
      onClick={() => {
        if (!wasDragged.current) onOpen();
        wasDragged.current = false;
      }}
      onPointerDown={(event) => {
        if (!canMove || event.button !== 0 || event.pointerType === "touch") return;
        wasDragged.current = false;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = { x: event.clientX, y: event.clientY };
        setDrag({ ...at, fromX: at.x, fromY: at.y });
      }}
      onPointerMove={follow}
      onPointerUp={drop}
      onPointerCancel={() => setDrag(undefined)}
    >
      <strong>
        {format.clock(start + shift)} {booking.customer_name ?? "Guest"}
      </strong>
      <span>{booking.service_name}</span>
      <span className="visually-hidden">
        until {format.clock(end)}, {statusName(booking.status)}
      </span>
    </button>
  );
}

/** A distance in pixels as minutes, in steps. */
const snap = (pixels: number): number =>
  Math.round(((pixels / hourHeight) * 60) / stepMinutes) * stepMinutes;

/** The column under the pointer, which the dragged block covers. */
function columnAt({ clientX, clientY }: PointerEvent): string | undefined {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    if (element instanceof HTMLElement && element.dataset.column) return element.dataset.column;
  }
  return undefined;
}
