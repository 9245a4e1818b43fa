import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { Option } from "./field.tsx";

type FilterProps = Readonly<{
  /** The filter's name in the URL. */
  name: string;
  label: string;
  value: string | undefined;
}>;

/** Changes filters of the list in the URL, and begins it at its first page. */
function useSetFilters() {
  const navigate = useNavigate();
  return (filters: Readonly<Record<string, string>>) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, cursor: undefined, ...filters }),
      replace: true,
    });
}

export function SelectFilter({
  name,
  label,
  value = "",
  options,
  allName = `${label}: all`,
}: FilterProps & Readonly<{ options: readonly Option[]; allName?: string }>) {
  const setFilters = useSetFilters();
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={(event) => setFilters({ [name]: event.target.value })}
    >
      <option value="">{allName}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  );
}

export function DateFilter({ name, label, value = "" }: FilterProps) {
  const setFilters = useSetFilters();
  return (
    <label className="row small muted">
      {label}
      <input
        className="input"
        type="date"
        value={value}
        onChange={(event) => setFilters({ [name]: event.target.value })}
      />
    </label>
  );
}

const typingPauseMs = 250;

export function SearchFilter({ name, label, value = "" }: FilterProps) {
  const setFilters = useSetFilters();
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => setFilters({ [name]: text.trim() }), typingPauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <input
      className="input search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={100}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

/** The filters of a list in one line. */
export const Filters = ({ children }: Readonly<{ children: ReactNode }>) => (
  <search className="filters no-print">{children}</search>
);

/** The options of a filter, from a record of names by value. */
export const optionsOf = (
  names: Readonly<Record<string, Readonly<{ name: string }>>>,
): readonly Option[] => Object.entries(names).map(([value, { name }]) => ({ value, name }));
