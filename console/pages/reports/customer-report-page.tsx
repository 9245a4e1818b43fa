import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ExportButton } from "./export-button.tsx";
import { Figures } from "./figures.tsx";
import { LocationFilter, PeriodFilters } from "./period-filters.tsx";
import { usePeriod } from "./use-period.ts";

/** New and returning customers of a period, by what they bought. */
export function CustomerReportPage() {
  const { id, api } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/reports/customers" });
  const period = usePeriod(search);
  const input = { ...period, location_id: search.location_id };
  const query = useQuery({
    queryKey: [id, "reports", "customers", input, search.cursor],
    queryFn: ({ signal }) =>
      api.reports.getCustomers({ ...input, cursor: search.cursor, limit: 50 }).page({ signal }),
    placeholderData: keepPreviousData,
  });
  const report = query.data?.data;
  return (
    <>
      <PeriodFilters period={period}>
        <LocationFilter value={search.location_id} />
      </PeriodFilters>
      {report && (
        <Figures
          figures={[
            { name: "New customers", value: format.number(report.new_customers) },
            { name: "Returning customers", value: format.number(report.returning_customers) },
            { name: "Revenue of customers", value: format.money(report.revenue) },
            { name: "Revenue of guests", value: format.money(report.guests.revenue) },
          ]}
        />
      )}
      <Card
        title="Customers by revenue"
        isFlush
        actions={
          <ExportButton
            name="customers-by-revenue"
            columns={["customer_id", "name", "email", "phone", "is_new", "orders", "revenue"]}
            rows={async () => {
              const rows = [];
              for await (const one of api.reports.getCustomers({ ...input, limit: 100 })) {
                const { customer_id: customerId, name, email, phone } = one;
                rows.push([customerId, name, email, phone, one.is_new, one.orders, one.revenue]);
              }
              return rows;
            }}
          />
        }
      >
        <RecordList
          label="Customers by revenue"
          query={query}
          keyOf={({ customer_id: customerId }) => customerId}
          columns={[
            {
              name: "Customer",
              cell: ({ customer_id: customerId, name, email, phone, is_new: isNew }) => (
                <div className="row">
                  <Link
                    className="row-link"
                    to="/$businessId/customers/$customerId"
                    from="/$businessId"
                    params={{ customerId }}
                  >
                    {name ?? email ?? phone ?? "Customer"}
                  </Link>
                  {isNew && <Badge>New</Badge>}
                </div>
              ),
            },
            { name: "Revenue", kind: "number", cell: ({ revenue }) => format.money(revenue) },
            {
              name: "Orders",
              kind: "number",
              cell: ({ orders }) => (orders === 1 ? "1 order" : `${format.number(orders)} orders`),
            },
          ]}
          empty={
            <EmptyState icon="customers" title="No customers bought in this period">
              <p className="muted">Choose other days.</p>
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
