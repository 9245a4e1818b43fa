import type { ReactNode } from "react";
import { useShop } from "../../api/shop.ts";
import { DateFilter, Filters, SelectFilter } from "../../ui/filters.tsx";

type PeriodFiltersProps = Readonly<{
  period: Readonly<{ from: string; to: string }>;
  children?: ReactNode;
}>;

/** The first and the last day of a report. */
export const PeriodFilters = ({ period, children }: PeriodFiltersProps) => (
  <div className="card">
    <Filters>
      <DateFilter name="from" label="From" value={period.from} />
      <DateFilter name="to" label="To" value={period.to} />
      {children}
    </Filters>
  </div>
);

/** Shown where a shop has several locations. */
export function LocationFilter({ value }: Readonly<{ value: string | undefined }>) {
  const { locations } = useShop().membership;
  if (locations.length < 2) return null;
  return (
    <SelectFilter
      name="location_id"
      label="Location"
      value={value}
      options={locations.map(({ id, name }) => ({ value: id, name }))}
    />
  );
}
