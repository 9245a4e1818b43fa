import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { addDays, todayIn } from "./days.ts";

export type ShownService = StorefrontSchemas["Service"];
type Slot = StorefrontSchemas["SlotDay"]["slots"][number];

/** What a free time depends on. */
export type TimeFilter = Readonly<{
  service_id: string;
  variant_id?: string;
  location_id?: string;
  staff_id?: string;
  participant_count?: number;
}>;

/** The free times of a week, and those of one of its days. */
export type TimeChoice = Readonly<{
  timezone: string;
  today: string;
  /** The first day of the shown week. */
  from: string;
  days: readonly Readonly<{ date: string; count: number }>[];
  /** The day whose times are shown; null when the week has no free one. */
  date: string | null;
  slots: readonly Slot[];
  /** The first free day after an empty week; null when there is none. */
  nextFree: string | null;
  hasNextWeek: boolean;
}>;

export const weekDays = 7;
/** How far the API looks at once. */
const maxSearchDays = 62;

/** Loads the free times of the week that begins on `from`, today at the earliest. */
export async function loadTimeChoice(
  { api }: Pick<VisitedShop, "api">,
  {
    service,
    filter,
    timezone,
    from,
    date,
  }: Readonly<{
    service: Pick<ShownService, "booking_window_days">;
    filter: TimeFilter;
    timezone: string;
    /** What the address names. */
    from: string | null;
    date: string | null;
  }>,
): Promise<TimeChoice> {
  const today = todayIn(timezone);
  const last = addDays(today, service.booking_window_days);
  const first = firstDayOf({ from: from ?? date ?? today, today, last });
  const countsOf = async (start_date: string, end_date: string) =>
    (await api.slots.listAvailableDays({ ...filter, start_date, end_date })).data.days;
  const counts = await countsOf(first, addDays(first, weekDays - 1));
  const days = Array.from({ length: weekDays }, (_, index) => {
    const one = addDays(first, index);
    return { date: one, count: counts[one]?.available_slots ?? 0 };
  });
  const free = days.filter(({ count }) => count > 0);
  const shown = free.find((day) => day.date === date) ?? free[0];
  const after = addDays(first, weekDays);
  const hasNextWeek = after <= last;
  const nextFree =
    shown === undefined && hasNextWeek
      ? firstFreeDay(await countsOf(after, earlier(last, addDays(after, maxSearchDays - 1))))
      : null;
  return {
    timezone,
    today,
    from: first,
    days,
    date: shown?.date ?? null,
    slots: shown === undefined ? [] : await loadFreeSlots({ api }, filter, shown.date),
    nextFree,
    hasNextWeek,
  };
}

/** The week never begins before today or after the last day that can be booked. */
const firstDayOf = ({
  from,
  today,
  last,
}: Readonly<Record<"from" | "today" | "last", string>>): string => {
  if (from < today) return today;
  return from > last ? last : from;
};

const earlier = (one: string, other: string): string => (one < other ? one : other);

const firstFreeDay = (
  days: Readonly<Record<string, Readonly<{ is_available: boolean }>>>,
): string | null =>
  Object.keys(days)
    .toSorted()
    .find((date) => days[date]?.is_available) ?? null;

async function loadFreeSlots(
  { api }: Pick<VisitedShop, "api">,
  filter: TimeFilter,
  date: string,
): Promise<readonly Slot[]> {
  const { data } = await api.slots.list({ ...filter, date });
  return data.slots.filter((slot) => slot.is_available);
}
