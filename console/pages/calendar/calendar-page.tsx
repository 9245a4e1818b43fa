import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadError, Skeleton } from "../../ui/loading.tsx";
import { PageHead } from "../../ui/page.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { BookDialog } from "./book/book-dialog.tsx";
import type { BookingPlace } from "./book/booking-values.ts";
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
  const [place, setPlace] = useState<BookingPlace>();
  const [paymentLink, setPaymentLink] = useState<string>();
  const services = records.services.filter((service) => service.is_active);
  const mayBook = can("orders:write") && services.length > 0;
  const isLoading = query.isPending || records.isPending;
  const isUnused =
    can("catalogue:write") && !isLoading && !records.services.length && query.data?.length === 0;
  return (
    <>
      <PageHead title="Calendar">
        {mayBook && (
          <Button look="primary" icon="plus" onClick={() => setPlace({ day: view.date })}>
            Book
          </Button>
        )}
      </PageHead>
      <CalendarBar view={view} records={records} />
      {query.isError && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {isLoading && <Skeleton lines={10} />}
      {isUnused && <NoServices />}
      {!isLoading && !isUnused && (
        <TimeGrid
          columns={columns}
          onOpen={setOpened}
          onDrop={can("orders:write") ? setMove : null}
          onBook={mayBook ? setPlace : null}
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
      {place && (
        <BookDialog
          place={place}
          services={services}
          onBooked={({ payment_link: link }) => setPaymentLink(link?.url)}
          onClose={() => setPlace(undefined)}
        />
      )}
      {paymentLink && (
        <SecretDialog
          title="Payment link"
          label="Payment link"
          secret={paymentLink}
          advice="Send it to the customer. The time is kept for a day, and the booking is confirmed when it is paid."
          onClose={() => setPaymentLink(undefined)}
        />
      )}
    </>
  );
}

const NoServices = () => (
  <div className="card">
    <EmptyState icon="calendar" title="Nothing can be booked yet">
      <p className="muted">
        <Link to="/$businessId/services/new" from="/$businessId">
          Add a service
        </Link>
        , and shoppers can book a time for it.
      </p>
    </EmptyState>
  </div>
);

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
