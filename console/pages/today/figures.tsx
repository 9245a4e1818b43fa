import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PagePath } from "../../shell/navigation.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { OrderStatus } from "../orders/order-status.tsx";
import type { Today } from "./today-page.tsx";

/** The figures of the day, each with the page where one works on it. */
export function Figures({ today }: Readonly<{ today: Today }>) {
  const { orders, bookings, low_stock: lowStock, conversations } = today;
  return (
    <div className="figures">
      {orders && <OrdersToDo orders={orders} />}
      {orders && (
        <Figure
          name="Unpaid"
          count={orders.unpaid}
          to="/$businessId/orders"
          search={{ payment_status: "pending" }}
        >
          Placed and neither paid nor cancelled
        </Figure>
      )}
      {bookings && (
        <Figure name="Bookings today" count={bookings.total} to="/$businessId/calendar">
          {bookings.upcoming.length === 0 ? "None to come" : `${bookings.upcoming.length} to come`}
        </Figure>
      )}
      {lowStock && (
        <Figure
          name="Low stock"
          count={lowStock.total}
          to="/$businessId/stock"
          search={{ low_stock: "true" }}
        >
          Below the threshold
        </Figure>
      )}
      {conversations && (
        <Figure name="Unanswered chats" count={conversations.unanswered} to="/$businessId/inbox">
          The shopper wrote last
        </Figure>
      )}
    </div>
  );
}

const openStatuses: readonly Readonly<{
  figure: "to_confirm" | "confirmed" | "preparing" | "ready";
  status: OrderStatus;
  name: string;
}>[] = [
  { figure: "to_confirm", status: "pending", name: "to confirm" },
  { figure: "confirmed", status: "confirmed", name: "confirmed" },
  { figure: "preparing", status: "preparing", name: "preparing" },
  { figure: "ready", status: "ready", name: "ready" },
];

function OrdersToDo({ orders }: Readonly<{ orders: NonNullable<Today["orders"]> }>) {
  const open = openStatuses.filter(({ figure }) => orders[figure] > 0);
  return (
    <section className="figure">
      <h2>Orders to do</h2>
      <Count value={open.reduce((sum, { figure }) => sum + orders[figure], 0)} />
      <p className="small muted detail row">
        {open.length === 0
          ? "Everything is done"
          : open.map(({ figure, status, name }) => (
              <Link key={status} to="/$businessId/orders" from="/$businessId" search={{ status }}>
                {orders[figure]} {name}
              </Link>
            ))}
      </p>
    </section>
  );
}

type FigureProps = Readonly<{
  name: string;
  count: number;
  to?: PagePath;
  search?: Readonly<Record<string, string>>;
  children: ReactNode;
}>;

const Figure = ({ name, count, to, search = {}, children }: FigureProps) => (
  <section className="figure">
    <h2>
      {to ? (
        <Link className="row-link" to={to} from="/$businessId" search={search}>
          {name}
        </Link>
      ) : (
        name
      )}
    </h2>
    <Count value={count} />
    <p className="small muted">{children}</p>
  </section>
);

/** The API counts up to this number. */
const maxCount = 1_000;

function Count({ value }: Readonly<{ value: number }>) {
  const format = useFormat();
  return (
    <p className="value">
      {format.number(value)}
      {value >= maxCount && "+"}
    </p>
  );
}
