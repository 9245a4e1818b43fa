import { Card } from "../../ui/card.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { type Order, orderStatuses } from "./order-status.tsx";

/** What happened to an order, the latest first. */
export function Timeline({ order }: Readonly<{ order: Order }>) {
  const format = useFormat();
  const happened = [
    ...order.status_history.map(({ status, at, by }) => ({
      at,
      text: orderStatuses[status].name,
      detail: by,
    })),
    ...order.payments.map(({ payment_method: method, created_at: at }) => ({
      at,
      text: "Payment begun",
      detail: method.replace("_", " "),
    })),
    ...(order.payment.settled_at
      ? [{ at: order.payment.settled_at, text: "Paid", detail: "" }]
      : []),
    ...order.payment.refunds.map(({ amount, currency, created_at: at, status }) => ({
      at,
      text: `Refund of ${format.money(amount, currency)}`,
      detail: status.replace("_", " "),
    })),
    ...order.shipments.map(({ created_at: at, carrier, status }) => ({
      at,
      text: "Shipment created",
      detail: [carrier, status.replace("_", " ")].filter(Boolean).join(", "),
    })),
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Card title="History">
      <ol className="timeline">
        {happened.map(({ at, text, detail }) => (
          <li key={`${at} ${text}`}>
            <p>{text}</p>
            <p className="small muted">
              <time dateTime={at}>{format.moment(at)}</time>
              {detail && ` · ${detail}`}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
