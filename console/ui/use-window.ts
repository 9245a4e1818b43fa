import { type RefObject, useEffect, useState } from "react";

/** Rows above and below the visible ones, so that Tab reaches the next row. */
const extraRows = 6;

type RowWindow = Readonly<{ start: number; end: number; before: number; after: number }>;

/**
 * The rows of a long list that are near its visible part. The others are left out, and the space
 * `before` and `after` in pixels stands for them.
 */
export function useWindow(
  frame: RefObject<HTMLElement | null>,
  { count, rowHeight }: Readonly<{ count: number; rowHeight: number }>,
): RowWindow {
  const [visible, setVisible] = useState({ first: 0, rows: 20 });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const rows = Math.ceil(element.clientHeight / rowHeight);
      setVisible((shown) =>
        shown.first === first && shown.rows === rows ? shown : { first, rows },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [frame, rowHeight]);
  const start = Math.max(0, Math.min(visible.first - extraRows, count - visible.rows));
  const end = Math.min(count, visible.first + visible.rows + extraRows);
  return { start, end, before: start * rowHeight, after: (count - end) * rowHeight };
}
