import { Link } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { BookingBadge } from "../calendar/booking.tsx";

const shownBookings = 100;
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** The bookings of a customer since a year ago, the latest first. */
export function BookingsCard({ customerId }: Readonly<{ customerId: string }>) {
  const { api } = useShop();
  const format = useFormat();
  const query = useListPage({
    key: ["bookings", { customer: customerId }],
    list: () =>
      api.bookings.list({
        customer: customerId,
        from: new Date(Date.now() - yearMs).toISOString(),
        limit: shownBookings,
      }),
  });
  if (query.data?.items.length === 0) return null;
  return (
    <Card title="Bookings" isFlush>
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Bookings of the customer"
            rows={items.toReversed()}
            keyOf={({ id }) => id}
            columns={[
              {
                name: "Service",
                cell: ({ service_name: name, order_id: orderId }) => (
                  <Link
                    className="row-link"
                    to="/$businessId/orders/$orderId"
                    from="/$businessId"
                    params={{ orderId }}
                  >
                    {name}
                  </Link>
                ),
              },
              {
                name: "Status",
                kind: "tight",
                cell: ({ status }) => <BookingBadge status={status} />,
              },
              {
                name: "Time",
                isWide: true,
                cell: ({ start_time: start, end_time: end }) =>
                  `${format.moment(start)} – ${format.timeOfDay(end)}`,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
