import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, SelectFilter } from "../../ui/filters.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ExportButton } from "./export-button.tsx";
import { Figures } from "./figures.tsx";
import { LocationFilter } from "./period-filters.tsx";

/** The stock as it is now, and what it would sell for. */
export function StockReportPage() {
  const { id, api, membership } = useShop();
  const format = useFormat();
  const search = useSearch({ from: "/$businessId/reports/stock" });
  const filter = {
    location_id: search.location_id,
    ...(search.show === "low" && { low_stock: true }),
  };
  const query = useQuery({
    queryKey: [id, "reports", "stock", search],
    queryFn: ({ signal }) =>
      api.reports.getStock({ ...filter, cursor: search.cursor, limit: 50 }).page({ signal }),
    placeholderData: keepPreviousData,
  });
  const totals = query.data?.data.totals;
  const locationName = (locationId: string) =>
    membership.locations.find((location) => location.id === locationId)?.name ?? locationId;
  return (
    <>
      <div className="card">
        <Filters>
          <SelectFilter
            name="show"
            label="Stock"
            value={search.show}
            options={[{ value: "low", name: "Low stock" }]}
          />
          <LocationFilter value={search.location_id} />
        </Filters>
      </div>
      {totals && (
        <Figures
          figures={[
            { name: "Units on hand", value: format.number(totals.quantity_on_hand) },
            { name: "Reserved by open orders", value: format.number(totals.quantity_reserved) },
            {
              name: "Value at the price",
              value: totals.stock_value === null ? "–" : format.money(totals.stock_value),
            },
          ]}
        />
      )}
      <Card
        title="Stock levels"
        isFlush
        actions={
          <ExportButton
            name="stock"
            columns={[
              "product_id",
              "product_name",
              "variant_name",
              "location",
              "on_hand",
              "reserved",
              "available",
              "unit_price",
              "stock_value",
            ]}
            rows={async () => {
              const rows = [];
              for await (const level of api.reports.getStock({ ...filter, limit: 100 })) {
                rows.push([
                  level.product_id,
                  level.product_name,
                  level.variant_name,
                  locationName(level.location_id),
                  level.quantity_on_hand,
                  level.quantity_reserved,
                  level.quantity_available,
                  level.unit_price,
                  level.stock_value,
                ]);
              }
              return rows;
            }}
          />
        }
      >
        <RecordList
          label="Stock levels"
          query={query}
          keyOf={(level) => `${level.variant_id ?? level.product_id} ${level.location_id}`}
          columns={[
            {
              name: "Product",
              cell: (level) => (
                <>
                  <strong>{level.product_name}</strong>
                  {level.variant_name && <span className="muted"> · {level.variant_name}</span>}
                  {level.low_stock && (
                    <>
                      {" "}
                      <Badge tone="warning">Low</Badge>
                    </>
                  )}
                  {membership.locations.length > 1 && (
                    <p className="small muted">{locationName(level.location_id)}</p>
                  )}
                </>
              ),
            },
            {
              name: "Available",
              kind: "number",
              cell: (level) =>
                `${format.number(level.quantity_available)} of ${format.number(level.quantity_on_hand)}`,
            },
            {
              name: "Value",
              kind: "number",
              isWide: true,
              cell: ({ stock_value: value }) => (value === null ? "–" : format.money(value)),
            },
          ]}
          empty={
            <EmptyState icon="stock" title="No stock levels here">
              <p className="muted">Products appear when their stock is tracked.</p>
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
