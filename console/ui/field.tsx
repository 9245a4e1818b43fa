import { type ComponentProps, type ReactNode, useId } from "react";

/** What a form knows about one of its fields; `useForm` returns it. */
export type FieldState<T> = Readonly<{
  value: T;
  onChange: (value: T) => void;
  /** What is wrong with the value, in the words of the API. */
  error: string | undefined;
}>;

type FieldProps = Readonly<{
  label: string;
  hint?: ReactNode;
  /** Whether the field takes a whole line of the form. */
  isWhole?: boolean;
}>;

type FrameProps = FieldProps &
  Readonly<{
    error: string | undefined;
    children: (control: ControlProps) => ReactNode;
  }>;

type ControlProps = Readonly<{
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}>;

/** A label, a control, and below them a hint and what is wrong with the value. */
function Field({ label, hint, isWhole, error, children }: FrameProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={isWhole ? "field whole" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="error">
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps &
  FieldState<string> &
  Pick<
    ComponentProps<"input">,
    | "type"
    | "required"
    | "maxLength"
    | "placeholder"
    | "inputMode"
    | "autoComplete"
    | "pattern"
    | "list"
  >;

export const TextField = ({
  label,
  hint,
  isWhole,
  value,
  onChange,
  error,
  ...props
}: TextFieldProps) => (
  <Field label={label} hint={hint} isWhole={isWhole ?? false} error={error}>
    {(control) => (
      <input
        {...control}
        {...props}
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

/** An amount of money as a decimal text in the currency that the label or the suffix names. */
export const MoneyField = ({
  label,
  currency,
  ...props
}: TextFieldProps & Readonly<{ currency: string }>) => (
  <TextField {...props} label={`${label} (${currency})`} inputMode="decimal" />
);

export const TextArea = ({
  label,
  hint,
  value,
  onChange,
  error,
  rows = 4,
  ...props
}: FieldProps &
  FieldState<string> &
  Pick<ComponentProps<"textarea">, "rows" | "maxLength" | "required">) => (
  <Field label={label} hint={hint} isWhole error={error}>
    {(control) => (
      <textarea
        {...control}
        {...props}
        rows={rows}
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

export type Option<V extends string = string> = Readonly<{ value: V; name: string }>;

export function Select<V extends string>({
  label,
  hint,
  value,
  onChange,
  error,
  options,
  isWhole,
}: FieldProps & FieldState<V> & Readonly<{ options: readonly Option<V>[] }>) {
  return (
    <Field label={label} hint={hint} isWhole={isWhole ?? false} error={error}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  value,
  onChange,
  error,
}: FieldProps & FieldState<boolean>) {
  const id = useId();
  return (
    <div className="field">
      <label className="checkbox">
        <input
          type="checkbox"
          checked={value}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} className="hint">
          {hint}
        </p>
      )}
      {error && <p className="error">{error}</p>}
    </div>
  );
}
