import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { useToasts } from "./toast.tsx";
import type { Form } from "./use-form.ts";
import { useUnsavedGuard } from "./use-unsaved-guard.ts";

type EditorFormProps<V> = Readonly<{
  form: Form<V>;
  /** What the button says: "Save", or "Create product". */
  action: string;
  /** Whether the record is created by the form: it can be saved without a change. */
  isNew?: boolean;
  /** Shows the values without letting them be changed. */
  isReadOnly?: boolean;
  /** Returns the values before all changes. Without it, changes cannot be discarded. */
  onDiscard?: () => void;
  onSaved?: () => void;
  children: ReactNode;
}>;

/** A page's form, with a bar to save it. Ctrl+S saves too, and leaving it unsaved is confirmed. */
export function EditorForm<V>({
  form,
  action,
  isNew = false,
  isReadOnly = false,
  onDiscard,
  onSaved,
  children,
}: EditorFormProps<V>) {
  const ref = useRef<HTMLFormElement>(null);
  const toasts = useToasts();
  useUnsavedGuard(form.isDirty && !form.isSaving);
  useEffect(() => {
    const saveByKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      ref.current?.requestSubmit();
    };
    window.addEventListener("keydown", saveByKey);
    return () => window.removeEventListener("keydown", saveByKey);
  }, []);

  const canSave = !isReadOnly && (isNew || form.isDirty);
  return (
    <form
      ref={ref}
      className="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!canSave || !(await form.submit())) return;
        if (!isNew) toasts.show("Saved.");
        onSaved?.();
      }}
    >
      <fieldset className="stack" disabled={isReadOnly}>
        {children}
      </fieldset>
      {!isReadOnly && (
        <div className="save-bar">
          <FormErrors form={form} />
          {onDiscard && form.isDirty && <Button onClick={onDiscard}>Discard</Button>}
          <Button type="submit" look="primary" isBusy={form.isSaving} disabled={!canSave}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}

/** What is wrong with the form, and with the fields of its lists, which may be out of sight. */
function FormErrors<V>({ form: { formError, errors } }: Readonly<{ form: Form<V> }>) {
  const inLists = Object.entries(errors).filter(([path]) => path.includes("."));
  const texts = formError
    ? [formError]
    : inLists.map(([path, message]) => `${pathName(path)}: ${message}`);
  const first = texts[0] ?? (Object.keys(errors).length > 0 ? "Some fields need a change." : null);
  return (
    first && (
      <p className="form-error" role="alert">
        {first}
        {texts.length > 1 && ` (and ${texts.length - 1} more)`}
      </p>
    )
  );
}

/** A path of the API in words: `variants.3.sku` is "Variants 4, sku". */
function pathName(path: string): string {
  const words = path
    .replace(/\.(\d+)/g, (_, position) => ` ${Number(position) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
