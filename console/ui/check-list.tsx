import { type ReactNode, useId } from "react";
import type { FieldState, Option } from "./field.tsx";

type CheckListProps = FieldState<readonly string[]> &
  Readonly<{ label: string; hint?: ReactNode; options: readonly Option[]; empty?: ReactNode }>;

/** Chooses any number of a few options. */
export function CheckList({ label, hint, empty, options, value, onChange, error }: CheckListProps) {
  const id = useId();
  const toggle = (option: string) =>
    onChange(value.includes(option) ? value.filter((one) => one !== option) : [...value, option]);
  return (
    <fieldset className="field" aria-describedby={hint ? id : undefined}>
      <legend>{label}</legend>
      {options.length === 0 && empty}
      <div className="check-list">
        {options.map((option) => (
          <label key={option.value} className="checkbox">
            <input
              type="checkbox"
              checked={value.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            <span>{option.name}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p id={id} className="hint">
          {hint}
        </p>
      )}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
