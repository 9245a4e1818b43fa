import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { Button, IconButton } from "./button.tsx";
import type { Form } from "./use-form.ts";

type DialogProps = Readonly<{
  title: string;
  onClose: () => void;
  isWide?: boolean;
  children: ReactNode;
}>;

/**
 * A modal dialog. It is open while it is rendered; Escape and its cross close it. It lies at the end
 * of the page, because its form could not be part of the page's form.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    ref.current?.showModal();
    return () => {
      // What the dialog removed cannot take the focus back.
      const target = opener?.isConnected ? opener : document.querySelector("main");
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  return createPortal(
    <dialog
      ref={ref}
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      {children}
    </dialog>,
    document.body,
  );
}

type FormDialogProps<V> = Readonly<{
  title: string;
  /** What the button says, such as "Refund". */
  action: string;
  form: Form<V>;
  isDanger?: boolean;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** A dialog with a form. It closes when the form was saved. */
export function FormDialog<V>({
  title,
  action,
  form,
  isDanger,
  isWide = false,
  onClose,
  children,
}: FormDialogProps<V>) {
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          event.stopPropagation(); // React passes it on to the form that rendered the dialog
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
