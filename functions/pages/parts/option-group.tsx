import { FieldNotes, type FormState } from "./fields.tsx";

export type ShownOption = Readonly<{
  value: string;
  name: string;
  note: string;
  isSoldOut?: boolean;
}>;

type OptionGroupProps = Readonly<{
  legend: string;
  hint?: string;
  name: string;
  type: "radio" | "checkbox";
  isRequired: boolean;
  form: FormState;
  /** What is chosen at first. */
  usual?: string | undefined;
  options: readonly ShownOption[];
}>;

/** A choice among options, each a radio button or a checkbox. What is sold out cannot be chosen. */
export const OptionGroup = ({
  legend,
  hint,
  name,
  type,
  isRequired,
  form,
  usual,
  options,
}: OptionGroupProps) => {
  const chosen = (form.values[name] ?? usual ?? "").split("\n");
  const hasNone = type === "radio" && !isRequired;
  return (
    <fieldset class="options" aria-describedby={form.errors[name] ? `${name}-error` : undefined}>
      <legend>
        {legend}
        {!isRequired && !hint && <span class="optional"> (optional)</span>}
      </legend>
      <FieldNotes name={name} form={form} hint={hint} />
      <div class="choices">
        {hasNone && (
          <label>
            <input type="radio" name={name} value="" checked={chosen.includes("")} />
            <span>None</span>
          </label>
        )}
        {options.map((option) => (
          <label>
            <input
              type={type}
              name={name}
              value={option.value}
              checked={chosen.includes(option.value) && !option.isSoldOut}
              disabled={option.isSoldOut}
              required={type === "radio" && isRequired}
            />
            <span>
              {option.name}
              {option.isSoldOut && <small>Sold out</small>}
              {option.note && <small>{option.note}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
