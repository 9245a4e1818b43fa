import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { addressLines, formatTime } from "../parts/format.ts";
import { Document } from "../parts/layout.tsx";
import { methodName } from "../parts/payment-methods.tsx";
import { openOrder } from "./open-order.ts";
import { OrderItems, OrderTotals } from "./order-items.tsx";

/** What a printed order says about its payment. */
const paymentNames: Readonly<Record<string, string>> = {
  captured: "Paid",
  refunded: "Paid back",
  partially_refunded: "Partly paid back",
  cancelled: "Not charged",
};

/** An order on one sheet of paper: a receipt once it is paid. */
export async function respondWithReceipt(c: PageContext): Promise<Response> {
  const { shop, order, payment, path } = await openOrder(c);
  const { business } = shop;
  const isPaid = payment.provider_status === "captured";
  const title = isPaid ? "Receipt" : "Order";
  const place = business.locations.find(({ id }) => id === order.location_id);
  const page = (
    <Document
      shop={shop}
      facts={{ title: `${title} ${order.order_number}` }}
      accent={business.appearance.accent_color}
    >
      <main id="main" class="wrap receipt">
        <p class="no-print">
          <a href={path}>Back to the order</a>
        </p>
        <header>
          <strong>{business.name}</strong>
          {addressLines(place?.address ?? null).map((line) => (
            <p>{line}</p>
          ))}
        </header>
        <h1>
          {title} {order.order_number}
        </h1>
        <dl class="facts">
          <dt>Date</dt>
          <dd>{formatTime(order.created_at, business)}</dd>
          {order.customer_name && (
            <>
              <dt>Customer</dt>
              <dd>{order.customer_name}</dd>
            </>
          )}
          <dt>Payment</dt>
          <dd>
            {methodName(order.payment_method)},{" "}
            {paymentNames[payment.provider_status] ?? "Not paid yet"}
            {payment.settled_at && ` on ${formatTime(payment.settled_at, business)}`}
          </dd>
          <dt>Reference</dt>
          <dd>{payment.payment_reference}</dd>
        </dl>
        <OrderItems shop={shop} order={order} />
        <OrderTotals shop={shop} order={order} />
        <p class="no-print hint">Print this page with your browser.</p>
      </main>
    </Document>
  );
  return respondWithPage(c, page);
}
