import { useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ExportButton } from "./export-button.tsx";
import { LocationFilter, PeriodFilters } from "./period-filters.tsx";
import { usePeriod } from "./use-period.ts";

/** The taxes of a period by rate. The file has them by month. */
export function TaxReportPage() {
  const { api } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/reports/tax" });
  const period = usePeriod(search);
  const input = { ...period, interval: "month", location_id: search.location_id } as const;
  const query = useRecord({
    key: ["reports", "tax", input],
    get: (options) => api.reports.getTax(input, options),
  });
  return (
    <>
      <PeriodFilters period={period}>
        <LocationFilter value={search.location_id} />
      </PeriodFilters>
      <Loaded query={query}>
        {(report) => (
          <Card
            title="Tax by rate"
            isFlush
            actions={
              <ExportButton
                name="tax"
                columns={[
                  "start",
                  "end",
                  "name",
                  "rate_percent",
                  "inclusive",
                  "currency",
                  "orders",
                  "taxable_amount",
                  "tax_amount",
                ]}
                rows={() =>
                  report.intervals.flatMap(({ start, end, rates }) =>
                    rates.map((rate) => [
                      start,
                      end,
                      rate.name,
                      rate.rate_percent,
                      rate.inclusive,
                      rate.currency,
                      rate.orders,
                      rate.taxable_amount,
                      rate.tax_amount,
                    ]),
                  )
                }
              />
            }
          >
            {report.rates.length === 0 ? (
              <p className="card-body muted">Nothing was sold in this period.</p>
            ) : (
              <Table
                label="Tax by rate"
                rows={report.rates}
                keyOf={(rate) =>
                  `${rate.name} ${rate.rate_percent} ${rate.inclusive} ${rate.currency}`
                }
                columns={[
                  {
                    name: "Tax",
                    cell: (rate) => (
                      <>
                        <strong>
                          {rate.name}
                          {rate.rate_percent !== null && ` ${rate.rate_percent} %`}
                        </strong>
                        {rate.inclusive && <p className="small muted">Included in prices</p>}
                      </>
                    ),
                  },
                  {
                    name: "Tax amount",
                    kind: "number",
                    cell: (rate) => format.money(rate.tax_amount, rate.currency),
                  },
                  {
                    name: "Taxable",
                    kind: "number",
                    cell: (rate) => (
                      <span className="muted">
                        of {format.money(rate.taxable_amount, rate.currency)}
                      </span>
                    ),
                  },
                  {
                    name: "Orders",
                    kind: "number",
                    cell: ({ orders }) => ordersText(format.number(orders), orders),
                  },
                ]}
              />
            )}
          </Card>
        )}
      </Loaded>
    </>
  );
}

const ordersText = (text: string, orders: number): string =>
  orders === 1 ? "1 order" : `${text} orders`;
