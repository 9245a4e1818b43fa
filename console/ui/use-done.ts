import { useQueryClient } from "@tanstack/react-query";
import { useToasts } from "./toast.tsx";

/** Says in a toast what was done, and reads all lists again. For the end of a dialog. */
export function useDone(): (text: string) => Promise<void> {
  const queryClient = useQueryClient();
  const toasts = useToasts();
  return async (text) => {
    toasts.show(text);
    await queryClient.invalidateQueries();
  };
}
