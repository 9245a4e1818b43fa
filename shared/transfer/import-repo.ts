import type { Context } from "../database/index.ts";
import { imports } from "./tables.ts";

type StoredImportResult = NonNullable<(typeof imports.$inferSelect)["result"]>;

/** Stores when an import started, and its result. */
export function importRepo(
  { db, business, now }: Pick<Context, "db" | "business" | "now">,
  { id, isDryRun }: { id: string; isDryRun: boolean },
) {
  const started = { id, businessId: business.id, isDryRun, startedAt: now() };

  return {
    async start(): Promise<void> {
      await db.insert(imports).values(started);
    },

    /**
     * Stores the result. Inserts the import if `start` was not called, because the file had no
     * valid product.
     */
    async finish(result: StoredImportResult): Promise<void> {
      const outcome = { result, finishedAt: now() };
      await db
        .insert(imports)
        .values({ ...started, ...outcome })
        .onConflictDoUpdate({ target: imports.id, set: outcome });
    },
  };
}
