import type { ReactNode } from "react";
import { FormDialog } from "./dialog.tsx";
import { useForm } from "./use-form.ts";

type ConfirmDialogProps = Readonly<{
  title: string;
  /** What the button says, such as "Archive". */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What the action does. */
  children: ReactNode;
}>;

/** Has an action that is not easily undone confirmed. It closes when the action has worked. */
export function ConfirmDialog({ onConfirm, children, ...dialog }: ConfirmDialogProps) {
  const form = useForm({}, onConfirm);
  return (
    <FormDialog {...dialog} form={form} isDanger>
      <p>{children}</p>
    </FormDialog>
  );
}
