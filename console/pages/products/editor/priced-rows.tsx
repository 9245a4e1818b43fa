import { useShop } from "../../../api/shop.ts";
import { IconButton } from "../../../ui/button.tsx";
import { MoneyField, TextField } from "../../../ui/field.tsx";

type PricedRow = Readonly<{ key: string; name: string; price: string }>;

type PricedRowsProps<R> = Readonly<{
  rows: readonly R[];
  labelOf: (row: R) => string;
  /** What a row is called while it has no name, such as "the option". */
  noun: string;
  errorAt: (position: number, field: "name" | "price") => string | undefined;
  onChange: (rows: readonly R[]) => void;
}>;

/** What shoppers choose in a group, each with its price. The last row cannot be removed. */
export function PricedRows<R extends PricedRow>({
  rows,
  labelOf,
  noun,
  errorAt,
  onChange,
}: PricedRowsProps<R>) {
  const { membership } = useShop();
  const replace = (position: number, changes: Partial<PricedRow>) =>
    onChange(rows.map((row, index) => (index === position ? { ...row, ...changes } : row)));
  return (
    <ul className="stack">
      {rows.map((row, position) => (
        <li key={row.key} className="field-row">
          <TextField
            label={labelOf(row)}
            required
            maxLength={200}
            value={row.name}
            onChange={(name) => replace(position, { name })}
            error={errorAt(position, "name")}
          />
          <MoneyField
            label="Price"
            currency={membership.currency}
            value={row.price}
            onChange={(price) => replace(position, { price })}
            error={errorAt(position, "price")}
          />
          <IconButton
            icon="trash"
            label={`Remove ${row.name || noun}`}
            disabled={rows.length === 1}
            onClick={() => onChange(rows.toSpliced(position, 1))}
          />
        </li>
      ))}
    </ul>
  );
}
