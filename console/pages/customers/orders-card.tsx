import { Link } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { OrderStatusBadge, PaymentBadge } from "../orders/order-status.tsx";

const shownOrders = 10;

/** The latest orders of a customer. */
export function OrdersCard({ customerId }: Readonly<{ customerId: string }>) {
  const { api } = useShop();
  const format = useFormat();
  const query = useListPage({
    key: ["orders", { customer: customerId, limit: shownOrders }],
    list: () => api.orders.list({ customer: customerId, limit: shownOrders }),
  });
  return (
    <Card
      title="Orders"
      isFlush
      actions={
        query.data?.hasMore && (
          <Link to="/$businessId/orders" from="/$businessId" search={{ customer: customerId }}>
            All orders
          </Link>
        )
      }
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="card-body muted">No orders yet.</p>
          ) : (
            <Table
              label="Orders of the customer"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: "Order",
                  cell: ({ id, order_number: number }) => (
                    <Link
                      className="row-link"
                      to="/$businessId/orders/$orderId"
                      from="/$businessId"
                      params={{ orderId: id }}
                    >
                      {number}
                    </Link>
                  ),
                },
                {
                  name: "Total",
                  kind: "number",
                  cell: (order) => format.money(order.total_price, order.currency),
                },
                { name: "Placed", cell: (order) => format.date(order.created_at) },
                {
                  name: "Status",
                  isWide: true,
                  cell: (order) => (
                    <div className="row">
                      <OrderStatusBadge status={order.status} />
                      <PaymentBadge state={order.payment.provider_status} />
                    </div>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
