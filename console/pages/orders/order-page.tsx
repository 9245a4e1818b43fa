import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useFormat } from "../../ui/use-format.ts";
import { NotesCard } from "../notes/notes-card.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { OrderLines } from "./order-lines.tsx";
import {
  AgentBadge,
  FulfilmentBadge,
  nextStatuses,
  type Order,
  OrderStatusBadge,
  orderStatuses,
  orderTypes,
  PaymentBadge,
} from "./order-status.tsx";
import { PaymentsCard } from "./payments-card.tsx";
import { ShipmentsCard } from "./shipments-card.tsx";
import { Timeline } from "./timeline.tsx";
import "./orders.css";

const refreshMs = 10_000;

/** One order: what was bought, how it is paid and shipped, and what can be done next. */
export function OrderPage() {
  const { api } = useShop();
  const { orderId } = useParams({ from: "/$businessId/orders/$orderId" });
  const query = useRecord({
    key: ["orders", orderId],
    get: (options) => api.orders.get(orderId, options),
    refreshMs,
  });
  return <Loaded query={query}>{(order) => <OrderView order={order} />}</Loaded>;
}

function OrderView({ order }: Readonly<{ order: Order }>) {
  const { api } = useShop();
  const format = useFormat();
  return (
    <>
      <PageHead
        title={order.order_number}
        badges={
          <>
            <OrderStatusBadge status={order.status} />
            <PaymentBadge state={order.payment.provider_status} />
            {order.status !== "cancelled" && <FulfilmentBadge status={order.fulfilment_status} />}
            <AgentBadge agent={order.agent} />
          </>
        }
      >
        <OrderActions order={order} />
      </PageHead>
      <p className="muted">
        {orderTypes[order.order_type]} · placed {format.moment(order.created_at)}
      </p>
      <div className="columns">
        <div className="stack">
          <OrderLines order={order} />
          {order.fulfilment_status !== "not_required" && <ShipmentsCard order={order} />}
          <PaymentsCard order={order} />
          <NotesCard
            subjectId={order.id}
            list={() => api.orders.listNotes(order.id, { limit: 50 })}
            add={(text) => api.orders.addNote(order.id, { text })}
            writeScope="orders:write"
          />
        </div>
        <div className="stack">
          <CustomerCard order={order} />
          <Timeline order={order} />
        </div>
      </div>
    </>
  );
}

function OrderActions({ order }: Readonly<{ order: Order }>) {
  const { api, can } = useShop();
  const change = useChange();
  const [isCancelling, setIsCancelling] = useState(false);
  const [next] = nextStatuses[order.status];
  const isOpen = order.status !== "cancelled" && order.status !== "completed";
  return (
    <>
      <Button icon="print" onClick={() => window.print()}>
        Print
      </Button>
      {can("orders:write") && isOpen && (
        <Button onClick={() => setIsCancelling(true)}>Cancel order</Button>
      )}
      {can("orders:write") && next && (
        <Button
          look="primary"
          isBusy={change.isBusy}
          onClick={() =>
            void change.run(
              () => api.orders.changeStatus(order.id, { status: next }),
              `The order is ${orderStatuses[next].name.toLowerCase()}.`,
            )
          }
        >
          Mark {orderStatuses[next].name.toLowerCase()}
        </Button>
      )}
      {isCancelling && <CancelDialog order={order} onClose={() => setIsCancelling(false)} />}
    </>
  );
}

function CustomerCard({ order }: Readonly<{ order: Order }>) {
  const { can } = useShop();
  const address = Object.values(order.address_info ?? {}).filter(
    (part) => typeof part === "string" && part !== "",
  );
  return (
    <Card title="Customer">
      <dl className="facts">
        <Fact name="Name">
          {order.customer_id && can("customers:read") ? (
            <Link
              to="/$businessId/customers/$customerId"
              from="/$businessId"
              params={{ customerId: order.customer_id }}
            >
              {order.customer_name ?? "Customer"}
            </Link>
          ) : (
            (order.customer_name ?? "Guest")
          )}
        </Fact>
        {order.customer_email && (
          <Fact name="E-mail">
            <a href={`mailto:${order.customer_email}`}>{order.customer_email}</a>
          </Fact>
        )}
        {order.customer_phone && (
          <Fact name="Phone">
            <a href={`tel:${order.customer_phone}`}>{order.customer_phone}</a>
          </Fact>
        )}
        {address.length > 0 && <Fact name="Address">{address.join(", ")}</Fact>}
        {can("messages:read") && (
          <Fact name="Messages">
            <Link to="/$businessId/messages" from="/$businessId" search={{ order_id: order.id }}>
              Sent about this order
            </Link>
          </Fact>
        )}
        {order.special_instructions && <Fact name="Wishes">{order.special_instructions}</Fact>}
        {order.customer_notes && <Fact name="Note">{order.customer_notes}</Fact>}
      </dl>
    </Card>
  );
}
