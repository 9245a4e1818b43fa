import { lazy, Suspense, useCallback, useMemo } from "react";
import type { Bar } from "../../ui/bar-chart.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/loading.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { Today } from "./today-page.tsx";

// Loaded apart, so that the figures do not wait for the chart's code.
const BarChart = lazy(async () => ({
  default: (await import("../../ui/bar-chart.tsx")).BarChart,
}));

/** The revenue of each of the last 30 days. */
export function SalesCard({ sales }: Readonly<{ sales: NonNullable<Today["sales"]> }>) {
  const format = useFormat();
  const bars = useMemo(
    () => sales.days.map(({ date, revenue }) => ({ date, value: Number(revenue) })),
    [sales],
  );
  const formatValue = useCallback((value: number) => format.roundMoney(value), [format]);
  const titleOf = useCallback(
    ({ date, value }: Bar) => `${format.day(date)}: ${format.money(String(value))}`,
    [format],
  );
  return (
    <Card title="Sales of the last 30 days">
      <div className="stack">
        <p>
          <strong className="total">{format.money(sales.revenue)}</strong>{" "}
          <span className="muted">
            from {format.number(sales.orders)} {sales.orders === 1 ? "order" : "orders"}
          </span>
        </p>
        <Suspense fallback={<Skeleton lines={6} />}>
          <BarChart
            label="Revenue by day"
            bars={bars}
            formatValue={formatValue}
            titleOf={titleOf}
          />
        </Suspense>
      </div>
    </Card>
  );
}
