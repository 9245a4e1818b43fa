import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useToasts } from "./toast.tsx";

type ArchiveButtonProps = Readonly<{
  name: string;
  /** What archiving does. */
  children: ReactNode;
  archive: () => Promise<unknown>;
  /** Leaves the page of the record that is archived. */
  onArchived: () => Promise<void>;
}>;

/** Archives the record of a page, after a confirmation. */
export function ArchiveButton({ name, children, archive, onArchived }: ArchiveButtonProps) {
  const queryClient = useQueryClient();
  const toasts = useToasts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Archive</Button>
      {isOpen && (
        <ConfirmDialog
          title={`Archive ${name}`}
          action="Archive"
          onConfirm={async () => {
            await archive();
            await onArchived();
            toasts.show(`${name} is archived.`);
            void queryClient.invalidateQueries();
          }}
          onClose={() => setIsOpen(false)}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}
