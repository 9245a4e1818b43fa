import type { BusinessSchemas } from "@duka/sdk/business";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { itemIdOf, itemNameOf, type Level } from "./level.ts";
import { NewLevelDialog } from "./new-level-dialog.tsx";
import { StockDialog } from "./stock-dialog.tsx";

/** What is in stock at each location. */
export function StockPage() {
  const { api, can, membership } = useShop();
  const search = useSearch({ from: "/$businessId/stock" });
  const [changed, setChanged] = useState<Level>();
  const [isAdding, setIsAdding] = useState(false);
  const query = useListPage({
    key: ["stock", search],
    list: () =>
      api.reports.getStock({
        search: search.search,
        location_id: search.location_id,
        low_stock: booleanOf(search.low_stock),
        cursor: search.cursor,
        limit: 50,
      }),
  });
  const mayWrite = can("inventory:write");
  return (
    <>
      <PageHead title="Stock">
        {mayWrite && (
          <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
            Count an item
          </Button>
        )}
      </PageHead>
      <div className="card">
        <Filters>
          <SearchFilter name="search" label="Product, variant or SKU" value={search.search} />
          {membership.locations.length > 1 && (
            <SelectFilter
              name="location_id"
              label="Location"
              value={search.location_id}
              options={membership.locations.map(({ id, name }) => ({ value: id, name }))}
            />
          )}
          <SelectFilter
            name="low_stock"
            label="Level"
            value={search.low_stock}
            options={[
              { value: "true", name: "Low" },
              { value: "false", name: "Enough" },
            ]}
          />
          <Totals totals={query.data?.data.totals ?? null} />
        </Filters>
        <RecordList
          label="Stock levels"
          query={query}
          columns={useColumns(mayWrite ? setChanged : null)}
          keyOf={(level) => `${itemIdOf(level)} ${level.location_id}`}
          empty={
            <EmptyState icon="stock" title="No stock here">
              <p className="muted">
                Products whose inventory is tracked appear after their first count. Or change the
                filters.
              </p>
            </EmptyState>
          }
        />
      </div>
      {changed && <StockDialog level={changed} onClose={() => setChanged(undefined)} />}
      {isAdding && <NewLevelDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}

const booleanOf = (text: string | undefined): boolean | undefined =>
  text === "true" ? true : text === "false" ? false : undefined;

function useColumns(onChange: ((level: Level) => void) | null): readonly Column<Level>[] {
  const { membership } = useShop();
  const format = useFormat();
  const hasLocations = membership.locations.length > 1;
  const locationName = (id: string) =>
    membership.locations.find((location) => location.id === id)?.name ?? "Archived location";
  return [
    {
      name: "Item",
      cell: (level) => (
        <Link
          className="row-link"
          to="/$businessId/stock/$productId/$locationId"
          from="/$businessId"
          params={{ productId: level.product_id, locationId: level.location_id }}
          search={{ variant_id: level.variant_id ?? undefined }}
        >
          {itemNameOf(level)}
        </Link>
      ),
    },
    {
      name: "Available",
      kind: "number",
      cell: (level) => (
        <span className="row end">
          {level.low_stock && (
            <Badge tone={level.quantity_available === 0 ? "danger" : "warning"}>
              {level.quantity_available === 0 ? "Sold out" : "Low"}
            </Badge>
          )}
          {format.number(level.quantity_available)}
        </span>
      ),
    },
    {
      name: "On hand",
      kind: "number",
      isHiddenOnPhone: true,
      cell: (level) => format.number(level.quantity_on_hand),
    },
    {
      name: "Reserved",
      kind: "number",
      isHiddenOnPhone: true,
      cell: (level) => format.number(level.quantity_reserved),
    },
    ...(hasLocations
      ? [{ name: "Location", cell: (level: Level) => locationName(level.location_id) }]
      : []),
    {
      name: "Value",
      kind: "number",
      isHiddenOnPhone: true,
      cell: ({ stock_value: value }) => (value === null ? "–" : format.money(value)),
    },
    ...(onChange
      ? [
          {
            name: "Change",
            isHiddenOnPhone: true,
            kind: "tight" as const,
            isNameHidden: true,
            cell: (level: Level) => (
              <Button
                look="plain"
                aria-label={`Change ${itemNameOf(level)}`}
                onClick={() => onChange(level)}
              >
                Change
              </Button>
            ),
          },
        ]
      : []),
  ];
}

function Totals({ totals }: Readonly<{ totals: BusinessSchemas["StockReport"]["totals"] }>) {
  const format = useFormat();
  if (totals === null) return null;
  return (
    <p className="row muted small">
      {format.number(totals.quantity_on_hand)} on hand
      {totals.stock_value !== null && `, worth ${format.money(totals.stock_value)}`}
    </p>
  );
}
