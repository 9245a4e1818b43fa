import { useRef } from "react";
import { useShop } from "../../../api/shop.ts";
import { IconButton } from "../../../ui/button.tsx";
import { addAmounts } from "../../../ui/decimal.ts";
import { useFormat } from "../../../ui/use-format.ts";
import { useWindow } from "../../../ui/use-window.ts";
import type { VariantValues } from "./variant-values.ts";

/** A variant and its position among all variants of the product. */
export type VariantRow = Readonly<{ variant: VariantValues; position: number }>;

type VariantField = "name" | "sku" | "price_adjustment";

type VariantGridProps = Readonly<{
  rows: readonly VariantRow[];
  total: number;
  basePrice: string;
  errorAt: (position: number, field: VariantField) => string | undefined;
  onChange: (position: number, changes: Partial<VariantValues>) => void;
  onOpen: (variant: VariantValues) => void;
}>;

/** The height of a row in products.css. */
const rowHeight = 52;

/** The variants in rows that can be changed. Only those near the visible ones are rendered. */
export function VariantGrid({ rows, total, ...row }: VariantGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { start, end, before, after } = useWindow(frame, { count: rows.length, rowHeight });
  const { membership } = useShop();
  return (
    <div ref={frame} className="variant-frame">
      <table className="table variant-grid" aria-rowcount={total + 1} aria-label="Variants">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">SKU</th>
            <th scope="col" className="adjustment">
              Difference ({membership.currency})
            </th>
            <th scope="col" className="number">
              Price
            </th>
            <th scope="col">Active</th>
            <th scope="col">
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} />}
          {rows.slice(start, end).map(({ variant, position }) => (
            <VariantGridRow key={variant.key} variant={variant} position={position} {...row} />
          ))}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are not rendered. */
const Space = ({ height }: Readonly<{ height: number }>) => (
  <tr className="space">
    <td style={{ height }} />
  </tr>
);

type VariantGridRowProps = Omit<VariantGridProps, "rows" | "total"> & VariantRow;

function VariantGridRow(props: VariantGridRowProps) {
  const { variant, position, basePrice, onChange, onOpen } = props;
  const format = useFormat();
  const price = addAmounts(basePrice, variant.price_adjustment);
  return (
    <tr aria-rowindex={position + 2}>
      <td>
        <span className="variant-name">
          {variant.name}
          {variant.is_default && <span className="small muted"> · default</span>}
        </span>
      </td>
      <td className="sku">
        <GridInput {...props} field="sku" label="SKU" />
      </td>
      <td className="adjustment">
        <GridInput {...props} field="price_adjustment" label="Price difference" />
      </td>
      <td className="number">{price === null ? "" : format.money(price)}</td>
      <td className="active">
        <input
          type="checkbox"
          className="check"
          aria-label={`${variant.name} is active`}
          checked={variant.is_active}
          onChange={(event) => onChange(position, { is_active: event.target.checked })}
        />
      </td>
      <td className="more">
        <IconButton icon="edit" label={`Change ${variant.name}`} onClick={() => onOpen(variant)} />
      </td>
    </tr>
  );
}

function GridInput({
  variant,
  position,
  errorAt,
  onChange,
  field,
  label,
}: VariantGridRowProps & Readonly<{ field: VariantField; label: string }>) {
  const error = errorAt(position, field);
  return (
    <input
      className="input"
      aria-label={`${label} of ${variant.name}`}
      aria-invalid={error ? true : undefined}
      title={error}
      inputMode={field === "price_adjustment" ? "decimal" : "text"}
      value={variant[field]}
      onChange={(event) => onChange(position, { [field]: event.target.value })}
    />
  );
}
