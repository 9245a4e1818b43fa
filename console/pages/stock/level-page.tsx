import type { BusinessSchemas } from "@duka/sdk/business";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { itemIdOf, itemNameOf, type Level } from "./level.ts";
import { StockDialog } from "./stock-dialog.tsx";

/** One level of stock, and the ledger of its changes. */
export function LevelPage() {
  const { api } = useShop();
  const { productId, locationId } = useParams({
    from: "/$businessId/stock/$productId/$locationId",
  });
  const { variant_id } = useSearch({ from: "/$businessId/stock/$productId/$locationId" });
  const query = useListPage({
    key: ["stock", productId, locationId],
    list: () =>
      api.reports.getStock({ product_id: productId, location_id: locationId, limit: 100 }),
  });
  return (
    <Loaded query={query}>
      {({ items }) => {
        const level = items.find((one) => itemIdOf(one) === (variant_id ?? productId));
        return level ? (
          <LevelView level={level} />
        ) : (
          <EmptyState icon="stock" title="This item has no stock here">
            <Link to="/$businessId/stock" from="/$businessId">
              Go to the stock
            </Link>
          </EmptyState>
        );
      }}
    </Loaded>
  );
}

function LevelView({ level }: Readonly<{ level: Level }>) {
  const { can, membership } = useShop();
  const format = useFormat();
  const [isChanging, setIsChanging] = useState(false);
  const location = membership.locations.find(({ id }) => id === level.location_id);
  return (
    <>
      <PageHead
        title={itemNameOf(level)}
        badges={level.low_stock && <Badge tone="warning">Low</Badge>}
      >
        {can("inventory:write") && (
          <Button look="primary" onClick={() => setIsChanging(true)}>
            Change
          </Button>
        )}
      </PageHead>
      <p className="muted">
        {[
          location?.name,
          `${format.number(level.quantity_available)} available`,
          `${format.number(level.quantity_on_hand)} on hand`,
          `${format.number(level.quantity_reserved)} reserved`,
          `low below ${format.number(level.low_stock_threshold)}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <Ledger level={level} />
      {isChanging && <StockDialog level={level} onClose={() => setIsChanging(false)} />}
    </>
  );
}

type Movement = BusinessSchemas["StockMovement"];

const reasons: Readonly<Record<string, string>> = {
  set: "Counted",
  import: "Imported",
  reserve: "Reserved by an order",
  release: "Released by an order",
  fulfil: "Left with an order",
  shipped: "Shipped",
  restock: "Put back after a refund",
};

function Ledger({ level }: Readonly<{ level: Level }>) {
  const { api } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/stock/$productId/$locationId" });
  const key = [itemIdOf(level), level.location_id] as const;
  const query = useListPage({
    key: ["stock", ...key, "movements", cursor],
    list: () => api.inventory.listStockMovements(...key, { limit: 50, cursor }),
  });
  const columns: readonly Column<Movement>[] = [
    {
      name: "Change",
      cell: ({ reason, order_id: orderId }) =>
        orderId === null ? (
          (reasons[reason] ?? reason)
        ) : (
          <Link
            to="/$businessId/orders/$orderId"
            from="/$businessId"
            params={{ orderId }}
            className="row-link"
          >
            {reasons[reason] ?? reason}
          </Link>
        ),
    },
    {
      name: "On hand",
      kind: "number",
      cell: ({ on_hand_delta: delta }) => <Delta value={delta} unit="on hand" />,
    },
    {
      name: "Reserved",
      kind: "number",
      cell: ({ reserved_delta: delta }) => <Delta value={delta} unit="reserved" />,
    },
    {
      name: "By",
      isHiddenOnPhone: true,
      cell: ({ actor }) => <span className="muted">{actor}</span>,
    },
    {
      name: "When",
      kind: "tight",
      cell: ({ created_at: at }) => <time dateTime={at}>{format.moment(at)}</time>,
    },
  ];
  return (
    <Card title="Changes" isFlush>
      <RecordList
        label="Changes of the stock"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="stock" title="Nothing changed yet" />}
      />
    </Card>
  );
}

/** A change of a quantity with its sign; nothing when it did not change. */
function Delta({ value, unit }: Readonly<{ value: number; unit: string }>) {
  const format = useFormat();
  if (value === 0) return null;
  return (
    <>
      {value > 0 ? "+" : "−"}
      {format.number(Math.abs(value))}
      <span className="phone-only"> {unit}</span>
    </>
  );
}
