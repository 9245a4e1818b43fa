import type { Context } from "../database/index.ts";
import { imports } from "./tables.ts";

type StoredImportResult = NonNullable<(typeof imports.$inferSelect)["result"]>;

/** Records when an import started and how it ended. */
export function importRepo(
  { db, business, now }: Pick<Context, "db" | "business" | "now">,
  { id, isDryRun }: { id: string; isDryRun: boolean },
) {
  const started = { id, businessId: business.id, isDryRun, startedAt: now() };

  return {
    async start(): Promise<void> {
      await db.insert(imports).values(started);
    },

    /** Also records an import that was not started because it had no product to write. */
    async finish(result: StoredImportResult): Promise<void> {
      const outcome = { result, finishedAt: now() };
      await db
        .insert(imports)
        .values({ ...started, ...outcome })
        .onConflictDoUpdate({ target: imports.id, set: outcome });
    },
  };
}
