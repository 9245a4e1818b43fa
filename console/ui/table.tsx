import type { ReactNode } from "react";

export type Column<T> = Readonly<{
  /** The heading. A column whose cells explain themselves, such as a picture, hides it. */
  name: string;
  isNameHidden?: boolean;
  cell: (record: T) => ReactNode;
  /** Numbers stand at the right. `tight` columns take no more width than their content. */
  kind?: "text" | "number" | "tight";
  /** Whether the cell takes a whole line on a phone. */
  isWide?: boolean;
  isHiddenOnPhone?: boolean;
}>;

type Selection<T> = Readonly<{
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** What a row's checkbox selects, such as "order ORD-1001". */
  labelOf: (record: T) => string;
}>;

type TableProps<T> = Readonly<{
  /** Says what the table lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (record: T) => string;
  selection?: Selection<T> | undefined;
}>;

/** A list of records. On a phone each row becomes a small card. */
export function Table<T>({ label, columns, rows, keyOf, selection }: TableProps<T>) {
  return (
    <div className="table-frame">
      <table className="table cards" aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="select">
                <SelectAll keys={rows.map(keyOf)} {...selection} />
              </th>
            )}
            {columns.map(({ name, kind = "text", isNameHidden }) => (
              <th key={name} scope="col" className={kind}>
                {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((record) => {
            const key = keyOf(record);
            return (
              <tr key={key} aria-selected={selection?.selected.has(key)}>
                {selection && (
                  <td className="select">
                    <SelectRow rowKey={key} label={selection.labelOf(record)} {...selection} />
                  </td>
                )}
                {columns.map(({ name, cell, ...look }) => (
                  <td key={name} className={classOf(look)}>
                    {cell(record)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const classOf = ({
  kind = "text",
  isWide = false,
  isHiddenOnPhone = false,
}: Pick<Column<unknown>, "kind" | "isWide" | "isHiddenOnPhone">): string =>
  [kind, isWide && "wide", isHiddenOnPhone && "no-phone"].filter(Boolean).join(" ");

function SelectAll({
  keys,
  selected,
  onChange,
}: Readonly<{ keys: readonly string[] }> & Pick<Selection<never>, "selected" | "onChange">) {
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key));
  return (
    <input
      type="checkbox"
      className="check"
      aria-label="Select all rows of this page"
      checked={isAll}
      onChange={() => onChange(isAll ? new Set() : new Set(keys))}
    />
  );
}

function SelectRow({
  rowKey,
  label,
  selected,
  onChange,
}: Readonly<{ rowKey: string; label: string }> & Pick<Selection<never>, "selected" | "onChange">) {
  const isSelected = selected.has(rowKey);
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={`Select ${label}`}
      checked={isSelected}
      onChange={() => {
        const next = new Set(selected);
        if (isSelected) next.delete(rowKey);
        else next.add(rowKey);
        onChange(next);
      }}
    />
  );
}
