import { Link } from "@tanstack/react-router";
import { Card } from "../../ui/card.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { Today } from "./today-page.tsx";

/** The bookings that are still to come today. */
export function UpcomingCard({ bookings }: Readonly<{ bookings: NonNullable<Today["bookings"]> }>) {
  const format = useFormat();
  return (
    <Card title="Next bookings" isFlush>
      {bookings.upcoming.length === 0 ? (
        <p className="muted">No more bookings today.</p>
      ) : (
        <ul className="plain-list">
          {bookings.upcoming.map(({ id, order_id, start_time, service_name, customer_name }) => (
            <li key={id}>
              <Link
                className="row-link"
                to="/$businessId/orders/$orderId"
                from="/$businessId"
                params={{ orderId: order_id }}
              >
                {service_name}
              </Link>
              <span className="muted">
                {customer_name ?? "Guest"} · {format.timeOfDay(start_time)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The first items that run out. */
export const LowStockCard = ({
  lowStock,
}: Readonly<{ lowStock: NonNullable<Today["low_stock"]> }>) => (
  <Card
    title="Running out"
    isFlush
    actions={
      <Link to="/$businessId/stock" from="/$businessId" search={{ low_stock: "true" }}>
        All {lowStock.total}
      </Link>
    }
  >
    <ul className="plain-list">
      {lowStock.levels.map((level) => (
        <li key={`${level.variant_id ?? level.product_id} ${level.location_id}`}>
          <span>{[level.product_name, level.variant_name].filter(Boolean).join(" · ")}</span>
          <span className="muted number">{level.quantity_available} left</span>
        </li>
      ))}
    </ul>
  </Card>
);
