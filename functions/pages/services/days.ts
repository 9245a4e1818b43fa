import type { VisitedShop } from "../shop/open-shop.ts";

const dayMs = 24 * 60 * 60_000;

/** The day of an instant in a zone: 2026-11-23. */
export const dateIn = (timezone: string, instant: Date): string =>
  formatIn(timezone, { year: "numeric", month: "2-digit", day: "2-digit" }, "en-CA").format(
    instant,
  );

export const todayIn = (timezone: string): string => dateIn(timezone, new Date());

/** A day of the calendar later or earlier. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The day that an address names; null for none and for what is no day. */
export function readDate(text: string | undefined): string | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
  locale: string,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, format);
  return format;
}

type Country = Pick<VisitedShop["business"], "default_country">;

const localeOf = ({ default_country: country }: Country): string => `en-${country}`;

/** A day by its weekday: Wed 2 Dec. */
export const formatDate = (date: string, business: Country): string =>
  formatIn("UTC", { weekday: "short", day: "numeric", month: "short" }, localeOf(business)).format(
    new Date(`${date}T12:00:00Z`),
  );

/** A day in two lines: its weekday, and 2 Dec. */
export const dateParts = (
  date: string,
  business: Country,
): Readonly<{ weekday: string; day: string }> => {
  const noon = new Date(`${date}T12:00:00Z`);
  const locale = localeOf(business);
  return {
    weekday: formatIn("UTC", { weekday: "short" }, locale).format(noon),
    day: formatIn("UTC", { day: "numeric", month: "short" }, locale).format(noon),
  };
};

/** The time of an instant in a zone: 14:05. */
export const formatClock = (
  time: string,
  business: Country,
  timezone: string,
  zoneName: "hidden" | "shown" = "hidden",
): string =>
  formatIn(
    timezone,
    {
      hour: "numeric",
      minute: "2-digit",
      ...(zoneName === "shown" && { timeZoneName: "short" as const }),
    },
    localeOf(business),
  ).format(new Date(time));

/** When an appointment is: Wed 2 Dec 2026, 14:00 to 15:00. */
export function formatAppointment(
  { start, end }: Readonly<{ start: string; end: string | null }>,
  business: Country,
  timezone: string,
): string {
  const day = formatIn(
    timezone,
    { weekday: "short", day: "numeric", month: "short", year: "numeric" },
    localeOf(business),
  );
  const until = end === null ? "" : ` to ${formatClock(end, business, timezone)}`;
  return `${day.format(new Date(start))}, ${formatClock(start, business, timezone)}${until}`;
}

/** How long something lasts: 45 min, 2 h, 2 h 30 min. */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(" ");
}
