import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { LoadError, Skeleton } from "../../ui/loading.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { Booking } from "./booking.tsx";
import { BookingDialog } from "./booking-dialog.tsx";
import { CalendarBar } from "./calendar-bar.tsx";
import { type Move, MoveDialog } from "./move-dialog.tsx";
import { TimeGrid } from "./time-grid.tsx";
import {
  type CalendarView,
  daysOf,
  useBookings,
  useColumns,
  useSchedulingRecords,
} from "./use-calendar.ts";
import "./calendar.css";

/** The bookings of a day or a week, by who or what they take. */
export function CalendarPage() {
  const view = useView();
  const records = useSchedulingRecords();
  const query = useBookings(daysOf(view));
  const columns = useColumns(view, query.data ?? [], records);
  const { can } = useShop();
  const [opened, setOpened] = useState<Booking>();
  const [move, setMove] = useState<Move>();
  return (
    <>
      <PageHead title="Calendar" />
      <CalendarBar view={view} records={records} />
      {query.isError && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending || records.isPending ? (
        <Skeleton lines={10} />
      ) : (
        <TimeGrid
          columns={columns}
          onOpen={setOpened}
          onDrop={can("orders:write") ? setMove : null}
        />
      )}
      {opened && (
        <BookingDialog
          booking={opened}
          staff={records.staff}
          onMove={() => {
            setOpened(undefined);
            setMove({ booking: opened });
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {move && <MoveDialog move={move} records={records} onClose={() => setMove(undefined)} />}
    </>
  );
}

/** What the URL says is shown; by default today by staff. */
function useView(): CalendarView {
  const search = useSearch({ from: "/$businessId/calendar" });
  const format = useFormat();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(search.date ?? "");
  return {
    date: (isDay && search.date) || format.localDay(new Date()),
    view: search.view === "week" ? "week" : "day",
    by: search.by === "resource" ? "resource" : "staff",
    only: search.only ?? "",
  };
}
