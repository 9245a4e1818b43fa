import type { BusinessSchemas } from "@duka/sdk/business";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import type { Bar } from "../../ui/bar-chart.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectFilter } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Skeleton } from "../../ui/loading.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ExportButton } from "./export-button.tsx";
import { Figures } from "./figures.tsx";
import { PeriodFilters } from "./period-filters.tsx";
import { usePeriod } from "./use-period.ts";

type SalesReport = BusinessSchemas["SalesReport"];

const BarChart = lazy(async () => ({
  default: (await import("../../ui/bar-chart.tsx")).BarChart,
}));

const intervals = { week: "By week", month: "By month" } as const;

/** What was sold in a period, by day, week or month, and the products that sold best. */
export function SalesPage() {
  const { api } = useShop();
  const search = useSearch({ from: "/$businessId/reports/" });
  const period = usePeriod(search);
  const interval = keyIn(intervals, search.interval) ?? "day";
  const query = useRecord({
    key: ["reports", "sales", period, interval],
    get: (options) => api.reports.getSales({ ...period, interval }, options),
  });
  return (
    <>
      <PeriodFilters period={period}>
        <SelectFilter
          name="interval"
          label="Interval"
          allName="By day"
          value={search.interval}
          options={Object.entries(intervals).map(([value, name]) => ({ value, name }))}
        />
      </PeriodFilters>
      <Loaded query={query}>{(report) => <SalesView report={report} />}</Loaded>
    </>
  );
}

function SalesView({ report }: Readonly<{ report: SalesReport }>) {
  const format = useFormat();
  const bars = useMemo(
    () =>
      report.intervals.map(({ start, revenue }) => ({
        date: format.localDay(new Date(start)),
        value: Number(revenue),
      })),
    [report, format],
  );
  const formatValue = useCallback((value: number) => format.roundMoney(value), [format]);
  const titleOf = useCallback(
    ({ date, value }: Bar) => `${format.day(date)}: ${format.money(String(value))}`,
    [format],
  );
  return (
    <>
      <Figures
        figures={[
          { name: "Revenue", value: format.money(report.revenue) },
          { name: "Orders", value: format.number(report.orders) },
          { name: "Average order", value: format.money(report.average) },
        ]}
      />
      <Card
        title="Revenue"
        actions={
          <ExportButton
            name="sales"
            columns={["start", "end", "orders", "revenue", "average"]}
            rows={() =>
              report.intervals.map(({ start, end, orders, revenue, average }) => [
                start,
                end,
                orders,
                revenue,
                average,
              ])
            }
          />
        }
      >
        <Suspense fallback={<Skeleton lines={6} />}>
          <BarChart label="Revenue" bars={bars} formatValue={formatValue} titleOf={titleOf} />
        </Suspense>
        <p className="small muted">
          Paid orders and cash orders that are not cancelled, less refunds, by when they were
          placed.
        </p>
      </Card>
      <TopProducts report={report} />
    </>
  );
}

function TopProducts({ report }: Readonly<{ report: SalesReport }>) {
  const format = useFormat();
  return (
    <Card
      title="Top products"
      isFlush
      actions={
        report.top_products.length > 0 && (
          <ExportButton
            name="top-products"
            columns={["product_id", "product_name", "quantity", "revenue"]}
            rows={() =>
              report.top_products.map((product) => [
                product.product_id,
                product.product_name,
                product.quantity,
                product.revenue,
              ])
            }
          />
        )
      }
    >
      {report.top_products.length === 0 ? (
        <p className="card-body muted">Nothing was sold in this period.</p>
      ) : (
        <Table
          label="Top products"
          rows={report.top_products}
          keyOf={({ product_id: id }) => id}
          columns={[
            { name: "Product", cell: ({ product_name: name }) => <strong>{name}</strong> },
            {
              name: "Revenue",
              kind: "number",
              cell: ({ revenue }) => format.money(revenue),
            },
            {
              name: "Units",
              kind: "number",
              cell: ({ quantity }) => `${format.number(quantity)} sold`,
            },
          ]}
        />
      )}
    </Card>
  );
}
