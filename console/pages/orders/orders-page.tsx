import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DateFilter, Filters, optionsOf, SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { BulkOrders } from "./bulk-orders.tsx";
import {
  AgentBadge,
  FulfilmentBadge,
  type Order,
  OrderStatusBadge,
  orderStatuses,
  PaymentBadge,
  paymentStates,
} from "./order-status.tsx";

const refreshMs = 10_000;

/** The orders of the shop, newest first. New ones appear by themselves. */
export function OrdersPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/orders" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useListPage({
    key: ["orders", search],
    list: () =>
      api.orders.list({
        ...search,
        status: keyIn(orderStatuses, search.status),
        payment_status: keyIn(paymentStates, search.payment_status),
        limit: 50,
      }),
    refreshMs,
  });
  const columns: readonly Column<Order>[] = [
    {
      name: "Order",
      cell: ({ id, order_number }) => (
        <Link
          className="row-link"
          to="/$businessId/orders/$orderId"
          from="/$businessId"
          params={{ orderId: id }}
        >
          {order_number}
        </Link>
      ),
    },
    {
      name: "Total",
      kind: "number",
      cell: (order) => format.money(order.total_price, order.currency),
    },
    {
      name: "Customer",
      cell: ({ customer_name, customer_email }) => customer_name ?? customer_email ?? "Guest",
    },
    {
      name: "Placed",
      kind: "tight",
      cell: ({ created_at }) => <time dateTime={created_at}>{format.age(created_at)}</time>,
    },
    {
      name: "Status",
      isWide: true,
      cell: (order) => (
        <div className="row">
          <OrderStatusBadge status={order.status} />
          <PaymentBadge state={order.payment.provider_status} />
          {order.status !== "cancelled" && <FulfilmentBadge status={order.fulfilment_status} />}
          <AgentBadge agent={order.agent} />
        </div>
      ),
    },
  ];
  const chosen = (query.data?.items ?? []).filter(({ id }) => selected.has(id));

  return (
    <>
      <PageHead title="Orders" />
      <div className="card">
        {chosen.length > 0 ? (
          <BulkOrders orders={chosen} onDone={() => setSelected(new Set())} />
        ) : (
          <Filters>
            <SearchFilter name="search" label="Number, name or contact" value={search.search} />
            <SelectFilter
              name="status"
              label="Status"
              value={search.status}
              options={optionsOf(orderStatuses)}
            />
            <SelectFilter
              name="payment_status"
              label="Payment"
              value={search.payment_status}
              options={optionsOf(paymentStates)}
            />
            <DateFilter name="from" label="From" value={search.from} />
            <DateFilter name="to" label="To" value={search.to} />
            {search.customer && (
              <Link
                className="button"
                to="/$businessId/orders"
                from="/$businessId"
                search={{ ...search, customer: undefined, cursor: undefined }}
              >
                <Icon name="close" />
                Of one customer
              </Link>
            )}
          </Filters>
        )}
        <RecordList
          label="Orders"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          selection={
            can("orders:write")
              ? {
                  selected,
                  onChange: setSelected,
                  labelOf: ({ order_number }) => `order ${order_number}`,
                }
              : undefined
          }
          empty={
            <EmptyState icon="orders" title="No orders here">
              <p className="muted">Orders appear when shoppers check out. Or change the filters.</p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
