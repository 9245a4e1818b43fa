import type { BusinessSchemas } from "@duka/sdk/business";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import { addDays, mondayOf } from "../../ui/local-time.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { ServiceRecord } from "../services/service.ts";
import type { Booking } from "./booking.tsx";
import type { Column } from "./layout.ts";

type StaffEntry = BusinessSchemas["StaffMember"];

/** What the calendar shows. A day has a column for each person or resource, a week one for each day. */
export type CalendarView = Readonly<{
  date: string;
  view: "day" | "week";
  by: "staff" | "resource";
  /** The person or the resource whose week is shown; empty for all. */
  only: string;
}>;

const refreshMs = 30_000;
/** More bookings than a page of the calendar can show. */
const maxBookings = 1_000;

export const daysOf = ({ date, view }: Pick<CalendarView, "date" | "view">): readonly string[] =>
  view === "day" ? [date] : Array.from({ length: 7 }, (_, index) => addDays(mondayOf(date), index));

/** The bookings of the shown days, earliest first, without the cancelled ones. */
export function useBookings(days: readonly string[]) {
  const { api, id } = useShop();
  const [from = "", to = from] = [days[0], days.at(-1)];
  return useQuery({
    queryKey: [id, "bookings", from, to],
    queryFn: async () => {
      const found: Booking[] = [];
      for await (const booking of api.bookings.list({ from, to, limit: 100 })) {
        if (booking.status !== "cancelled") found.push(booking);
        if (found.length === maxBookings) break;
      }
      return found;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

/** The people, the resources and the services, when the role may read them. */
export function useSchedulingRecords() {
  const { api, can } = useShop();
  const isEnabled = can("catalogue:read");
  const all = <T>(items: readonly T[]) => items;
  const staff = useAll({
    key: ["staff"],
    list: () => api.staff.list({ limit: 100 }),
    select: all<StaffEntry>,
    isEnabled,
  });
  const resources = useAll({
    key: ["resources"],
    list: () => api.resources.list({ limit: 100 }),
    select: all<BusinessSchemas["Resource"]>,
    isEnabled,
  });
  const services = useAll({
    key: ["services"],
    list: () => api.services.list({ limit: 100 }),
    select: all<ServiceRecord>,
    isEnabled,
  });
  return {
    staff: staff.data ?? none,
    resources: resources.data ?? none,
    services: services.data ?? none,
    isPending: isEnabled && (staff.isPending || resources.isPending || services.isPending),
  };
}

const none: readonly never[] = [];

export type SchedulingRecords = ReturnType<typeof useSchedulingRecords>;

/** The columns of the shown days with their bookings. */
export function useColumns(
  view: CalendarView,
  bookings: readonly Booking[],
  records: SchedulingRecords,
): readonly Column[] {
  const format = useFormat();
  const today = format.localDay(new Date());
  const startsOn = (day: string) => (booking: Booking) =>
    format.localDay(new Date(booking.start_time)) === day;
  const servicesById = new Map(records.services.map((service) => [service.id, service]));
  const uses = (booking: Booking, resourceId: string) =>
    servicesById.get(booking.service_id)?.resources.some(({ id }) => id === resourceId) ?? false;

  if (view.view === "week") {
    const isShown = (booking: Booking) =>
      view.only === "" || booking.staff_id === view.only || uses(booking, view.only);
    const isOf = ({ id }: Readonly<{ id: string }>) => id === view.only;
    const whose = {
      staffId: records.staff.find(isOf)?.id,
      resourceId: records.resources.find(isOf)?.id,
    };
    return daysOf(view).map((day) => ({
      ...whose,
      key: day,
      day,
      name: format.shortDay(day),
      isToday: day === today,
      bookings: bookings.filter(startsOn(day)).filter(isShown),
    }));
  }

  const { date: day } = view;
  const ofDay = bookings.filter(startsOn(day));
  const column = { day, isToday: day === today };
  if (view.by === "resource") {
    const others = ofDay.filter((one) => !records.resources.some(({ id }) => uses(one, id)));
    return [
      ...records.resources.map(({ id, name, capacity }) => ({
        ...column,
        key: id,
        name,
        note: capacity > 1 ? `for ${capacity}` : undefined,
        resourceId: id,
        bookings: ofDay.filter((booking) => uses(booking, id)),
      })),
      ...restColumn({ ...column, name: "No resource", bookings: others }, records.resources),
    ];
  }
  const others = ofDay.filter((one) => !records.staff.some(({ id }) => id === one.staff_id));
  return [
    ...records.staff.map((member) => ({
      ...column,
      key: member.id,
      name: member.name,
      note: awayNote(member, day),
      staffId: member.id,
      bookings: ofDay.filter(({ staff_id: id }) => id === member.id),
    })),
    ...restColumn({ ...column, name: "No staff", bookings: others }, records.staff),
  ];
}

/** The column of what has none of the others: left out while it is empty and others are there. */
const restColumn = (column: Omit<Column, "key">, others: readonly unknown[]): readonly Column[] =>
  column.bookings.length > 0 || others.length === 0
    ? [{ ...column, key: "rest", name: others.length === 0 ? "Bookings" : column.name }]
    : [];

const awayNote = ({ time_off: timeOff }: StaffEntry, day: string): string | undefined => {
  const away = timeOff.find(({ from, to }) => from <= day && day <= to);
  return away && (away.reason ?? "Away");
};
