import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToasts } from "./toast.tsx";
import { messageOf } from "./use-form.ts";

/** Few calls at a time, because the API limits the calls of a second. */
const callsAtOnce = 4;

/** Changes many records, and says how many were changed and why others were not. */
export function useBulkChange(): Readonly<{
  isBusy: boolean;
  run: <T>(
    records: readonly T[],
    change: (record: T) => Promise<unknown>,
    done: (count: number) => string,
  ) => Promise<void>;
}> {
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  return {
    isBusy,
    async run(records, change, done) {
      setIsBusy(true);
      const errors: unknown[] = [];
      for (let start = 0; start < records.length; start += callsAtOnce) {
        const results = await Promise.allSettled(
          records.slice(start, start + callsAtOnce).map(change),
        );
        for (const result of results) if (result.status === "rejected") errors.push(result.reason);
      }
      await queryClient.invalidateQueries();
      setIsBusy(false);
      const changed = records.length - errors.length;
      if (changed > 0) toasts.show(done(changed));
      if (errors.length > 0)
        toasts.showError(new Error(`${errors.length} failed: ${messageOf(errors[0])}`));
    },
  };
}
