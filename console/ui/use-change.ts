import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToasts } from "./toast.tsx";

/**
 * Runs a change that a button makes: the button is busy meanwhile, all lists are read again after
 * it, and a toast says what was done or what went wrong.
 */
export function useChange(): Readonly<{
  isBusy: boolean;
  run: (change: () => Promise<unknown>, done: string) => Promise<boolean>;
}> {
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  return {
    isBusy,
    async run(change, done) {
      setIsBusy(true);
      try {
        await change();
        toasts.show(done);
        return true;
      } catch (error) {
        toasts.showError(error);
        return false;
      } finally {
        await queryClient.invalidateQueries();
        setIsBusy(false);
      }
    },
  };
}
