import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Table } from "../../../ui/table.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import type { DeliveryMethod, DeliveryZone } from "./method-values.ts";

type MethodsTableProps = Readonly<{
  zone: DeliveryZone;
  methods: readonly DeliveryMethod[];
  mayWrite: boolean;
  onEdit: (method: DeliveryMethod) => void;
  onArchive: (method: DeliveryMethod) => void;
}>;

/** How the shop delivers to a zone. */
export function MethodsTable({ zone, methods, mayWrite, onEdit, onArchive }: MethodsTableProps) {
  const format = useFormat();
  const priceText = ({ price }: DeliveryMethod): string => {
    if (price.type === "flat")
      return Number(price.amount) === 0 ? "Free" : format.money(price.amount);
    const amounts = price.tiers.map(({ amount }) => format.money(amount));
    return `${amounts[0]} to ${amounts.at(-1)} by ${price.type === "by_weight" ? "weight" : "subtotal"}`;
  };
  if (methods.length === 0) {
    return <p className="card-body muted">No methods yet: shoppers cannot choose delivery here.</p>;
  }
  return (
    <Table
      label={`Delivery methods of ${zone.name}`}
      rows={methods}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "Method",
          cell: (method) => (
            <>
              <strong>{method.name}</strong> {!method.is_active && <Badge>Inactive</Badge>}
              {daysText(method) && <p className="small muted">{daysText(method)}</p>}
            </>
          ),
        },
        {
          name: "Price",
          kind: "number",
          cell: (method) => (
            <>
              {priceText(method)}
              {method.free_over !== null && (
                <p className="small muted">Free from {format.money(method.free_over)}</p>
              )}
            </>
          ),
        },
        {
          name: "Actions",
          isNameHidden: true,
          kind: "tight",
          isWide: true,
          cell: (method) =>
            mayWrite && (
              <div className="row end">
                <IconButton
                  icon="edit"
                  label={`Edit ${method.name}`}
                  onClick={() => onEdit(method)}
                />
                <IconButton
                  icon="trash"
                  label={`Archive ${method.name}`}
                  onClick={() => onArchive(method)}
                />
              </div>
            ),
        },
      ]}
    />
  );
}

function daysText({ min_days: min, max_days: max }: DeliveryMethod): string {
  if (min === null && max === null) return "";
  if (min === max) return min === 1 ? "1 day" : `${min} days`;
  if (max === null) return `From ${min} days`;
  return min === null ? `Up to ${max} days` : `${min} to ${max} days`;
}
