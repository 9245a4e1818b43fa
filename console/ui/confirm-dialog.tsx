import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormDialog } from "./dialog.tsx";
import { useToasts } from "./toast.tsx";
import { useForm } from "./use-form.ts";

type ConfirmDialogProps = Readonly<{
  title: string;
  /** What the button says, such as "Archive". */
  action: string;
  /** What a toast says once it is done. */
  done: string;
  run: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}>;

/** Says what a change means that cannot be taken back easily, and makes it. */
export function ConfirmDialog({ title, action, done, run, onClose, children }: ConfirmDialogProps) {
  const queryClient = useQueryClient();
  const toasts = useToasts();
  const form = useForm({}, async () => {
    await run();
    toasts.show(done);
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog title={title} action={action} form={form} isDanger onClose={onClose}>
      {children}
    </FormDialog>
  );
}
