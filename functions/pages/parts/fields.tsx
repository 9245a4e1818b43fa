import type { Child } from "hono/jsx";
import type { FormMarks } from "../http/forms.ts";

/** What was typed into a form, and what is wrong with it, by the names of its fields. */
export type FormState = Readonly<{
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole. */
  message?: string | undefined;
  /** Where that can be mended. */
  link?: Readonly<{ href: string; name: string }> | undefined;
}>;

export const emptyForm: FormState = { values: {}, errors: {} };

type PostFormProps = Readonly<{
  action: string;
  marks: FormMarks;
  class?: string;
  id?: string;
  children?: Child;
}>;

/** A form that posts, with the marks that it needs to be accepted. */
export const PostForm = ({ action, marks, children, ...props }: PostFormProps) => (
  <form method="post" action={action} {...props}>
    <input type="hidden" name="form_token" value={marks.token} />
    <input type="hidden" name="form_key" value={marks.key} />
    {children}
  </form>
);

type FieldProps = Readonly<{
  name: string;
  label: string;
  form: FormState;
  type?: "text" | "email" | "tel" | "date" | "password" | "number";
  hint?: string;
  autocomplete?: string;
  inputmode?: "numeric" | "text";
  maxlength?: number;
  isRequired?: boolean;
  /** Whether the field is needed in some cases, so that it is not called optional. */
  isOptionalHidden?: boolean;
  class?: string;
}>;

/** A labelled input. What is wrong stands below it, and the first wrong one of a form has the focus. */
export const Field = ({
  name,
  label,
  form,
  type = "text",
  hint,
  autocomplete,
  inputmode,
  maxlength = 200,
  isRequired = false,
  isOptionalHidden = false,
  class: className,
}: FieldProps) => (
  <div class={className === undefined ? "field" : `field ${className}`}>
    <label for={name}>
      {label}
      {!isRequired && !isOptionalHidden && <span class="optional"> (optional)</span>}
    </label>
    <input
      id={name}
      name={name}
      type={type}
      value={form.values[name] ?? ""}
      maxlength={maxlength}
      required={isRequired}
      autocomplete={autocomplete}
      inputmode={inputmode}
      {...errorMarks(name, form, hint)}
    />
    <FieldNotes name={name} form={form} hint={hint} />
  </div>
);

type SelectProps = Pick<FieldProps, "name" | "label" | "form" | "autocomplete" | "class"> &
  Readonly<{ options: readonly Readonly<{ value: string; name: string }>[] }>;

export const SelectField = ({
  name,
  label,
  form,
  autocomplete,
  options,
  ...props
}: SelectProps) => (
  <div class={props.class === undefined ? "field" : `field ${props.class}`}>
    <label for={name}>{label}</label>
    <select id={name} name={name} autocomplete={autocomplete} {...errorMarks(name, form)}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === form.values[name]}>
          {option.name}
        </option>
      ))}
    </select>
    <FieldNotes name={name} form={form} />
  </div>
);

type NotesProps = Readonly<{ name: string; form: FormState; hint?: string | undefined }>;

/** The hint of a field, and what is wrong with it. */
export const FieldNotes = ({ name, form, hint }: NotesProps) => (
  <>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {form.errors[name] && (
      <p class="error" id={`${name}-error`}>
        {form.errors[name]}
      </p>
    )}
  </>
);

/** The attributes of a field that say what is wrong with it. */
export function errorMarks(name: string, { errors }: FormState, hint?: string) {
  const [first] = Object.keys(errors);
  const describedBy = [hint && `${name}-hint`, errors[name] && `${name}-error`].filter(Boolean);
  return {
    ...(describedBy.length > 0 && { "aria-describedby": describedBy.join(" ") }),
    ...(errors[name] && { "aria-invalid": "true" as const, autofocus: first === name }),
  };
}

/** What is wrong with a form, or what it has done. */
export const Notice = ({
  kind,
  children,
}: Readonly<{ kind: "bad" | "good" | "info"; children?: Child }>) => (
  <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
    {children}
  </div>
);
