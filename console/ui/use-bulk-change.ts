import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToasts } from "./toast.tsx";

/** What a bulk call says about each of its records. */
type BulkResults = Readonly<{
  data: Readonly<{ results: readonly Readonly<{ error: { message: string } | null }>[] }>;
}>;

/** Changes many records by one call, and says how many were changed and why others were not. */
export function useBulkChange(): Readonly<{
  isBusy: boolean;
  run: (change: () => Promise<BulkResults>, done: (count: number) => string) => Promise<void>;
}> {
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  return {
    isBusy,
    async run(change, done) {
      setIsBusy(true);
      try {
        const { results } = (await change()).data;
        const errors = results.flatMap(({ error }) => (error ? [error.message] : []));
        if (results.length > errors.length) toasts.show(done(results.length - errors.length));
        if (errors.length > 0) toasts.showError(new Error(`${errors.length} failed: ${errors[0]}`));
      } catch (error) {
        toasts.showError(error);
      } finally {
        await queryClient.invalidateQueries();
        setIsBusy(false);
      }
    },
  };
}

/** A number of records in words: "1 order", "3 orders". */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
