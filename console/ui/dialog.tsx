import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button, IconButton } from "./button.tsx";
import type { Form } from "./use-form.ts";

type DialogProps = Readonly<{
  title: string;
  onClose: () => void;
  isWide?: boolean;
  children: ReactNode;
}>;

/** A modal dialog. It is open while it is rendered; Escape and its cross close it. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

type FormDialogProps<V> = Readonly<{
  title: string;
  /** What the button says, such as "Refund". */
  action: string;
  form: Form<V>;
  isDanger?: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** A dialog with a form. It closes when the form was saved. */
export function FormDialog<V>({
  title,
  action,
  form,
  isDanger,
  onClose,
  children,
}: FormDialogProps<V>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await form.submit()) onClose();
        }}
      >
        <div className="dialog-body">
          {children}
          {form.formError && (
            <p className="form-error" role="alert">
              {form.formError}
            </p>
          )}
        </div>
        <footer>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} isBusy={form.isSaving}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
