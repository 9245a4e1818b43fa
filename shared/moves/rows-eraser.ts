import type { Db } from "../database/index.ts";
import { fenceRepo } from "./fence-repo.ts";
import { erasureFence, type MovePosition } from "./move.ts";
import { movedTables } from "./moved-tables.ts";
import { readLayouts, rowsRepo, type TableLayout } from "./rows-repo.ts";

type RowsPosition = Pick<MovePosition, "table" | "after">;

/** Deletes all rows of a business in its shard, window by window, the last table first. */
export function createRowsEraser(db: Db, businessId: string) {
  const holder = erasureFence(businessId);
  let cached: readonly TableLayout[] | null = null;
  const loadLayouts = async () => {
    cached ??= (await readLayouts(db, movedTables)).toReversed();
    return cached;
  };

  return {
    /** Makes the shard refuse every other write of the business's rows, for good. */
    closeFence: () => fenceRepo(db, holder).close(),

    /** Deletes the rows of the next windows, and returns the next position; null when none is left. */
    async deleteNext({ table, after }: RowsPosition): Promise<RowsPosition | null> {
      const remaining = (await loadLayouts()).slice(table);
      if (remaining.length === 0) return null;
      const repo = rowsRepo(db, holder);
      const windows = await repo.windows(remaining, after, "delete");
      await repo.deleteRows(windows);
      const next = windows.at(-1)?.next ?? null;
      return next === null
        ? { table: table + windows.length, after: 0 }
        : { table: table + windows.length - 1, after: next };
    },
  };
}
