import { DukaError } from "@duka/sdk/business";
import { useState } from "react";
import type { FieldState } from "./field.tsx";

type Errors = Readonly<Record<string, string>>;

/** What the parts of a form need, when each shows some of its values. */
export type FormPart<V> = Pick<Form<V>, "values" | "field" | "errorAt" | "change">;

export type Form<V> = Readonly<{
  values: V;
  /** Whether a value differs from the first one. */
  isDirty: boolean;
  isSaving: boolean;
  /** What is wrong with the form as a whole, or with a field that it does not show. */
  formError: string | undefined;
  field: <K extends keyof V & string>(name: K) => FieldState<V[K]>;
  /** The error of a field by its path in the API, such as `variants.0.sku`. */
  errorAt: (path: string) => string | undefined;
  /** Every error of a field by its path. */
  errors: Errors;
  change: (values: Partial<V>) => void;
  /** Saves the values. Returns whether that worked; the form shows what did not. */
  submit: () => Promise<boolean>;
  reset: (values: V) => void;
}>;

/**
 * The state of a form: its values, what the API says is wrong with them, and whether they are being
 * saved. The names of the values are those of the API's fields, so that its errors find them.
 */
export function useForm<V extends object>(
  initial: V,
  /** `first` are the values with which the form began, or which were saved last. */
  save: (values: V, first: V) => Promise<unknown>,
): Form<V> {
  const [first, setFirst] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors>({});
  const [formError, setFormError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  const change = (changes: Partial<V>) => setValues((before) => ({ ...before, ...changes }));

  async function submit(): Promise<boolean> {
    if (isSaving) return false;
    setIsSaving(true);
    setErrors({});
    setFormError(undefined);
    try {
      await save(values, first);
      setFirst(values);
      return true;
    } catch (error) {
      const byField = fieldErrors(error);
      setErrors(byField);
      setFormError(
        Object.keys(byField).some((path) => pathStart(path) in values)
          ? undefined
          : messageOf(error),
      );
      return false;
    } finally {
      setIsSaving(false);
    }
  }

  return {
    values,
    isDirty: !isEqual(first, values),
    isSaving,
    formError,
    field: (name) => ({
      value: values[name],
      error: errors[name],
      onChange: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setErrors(({ [name]: _, ...others }) => others);
      },
    }),
    errorAt: (path) => errors[path],
    errors,
    change,
    submit,
    reset: (next) => {
      setFirst(next);
      setValues(next);
      setErrors({});
      setFormError(undefined);
    },
  };
}

/** Compares values by their content. Parts that are the same object cost nothing. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const entries = Object.entries(a);
  const others = new Map(Object.entries(b));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isEqual(value, others.get(key)))
  );
}

const pathStart = (path: string): string => path.split(".")[0] ?? path;

function fieldErrors(error: unknown): Errors {
  if (!(error instanceof DukaError)) return {};
  if (error.issues.length > 0) {
    return Object.fromEntries(error.issues.map(({ field, message }) => [field, message]));
  }
  return error.field === undefined ? {} : { [error.field]: error.message };
}

/** What to show of an error that a call threw. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong. Try again.";
