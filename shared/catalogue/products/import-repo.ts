import type { Context } from "../../database/index.ts";
import { imports } from "../tables.ts";

type Outcome = NonNullable<(typeof imports.$inferSelect)["result"]>;

/** What is kept of an import: that it began, and how it ended. */
export function importRepo(
  { db, business, now }: Pick<Context, "db" | "business" | "now">,
  { id, isDryRun }: { id: string; isDryRun: boolean },
) {
  const begun = { id, businessId: business.id, isDryRun, startedAt: now() };

  return {
    async start(): Promise<void> {
      await db.insert(imports).values(begun);
    },

    /** One that was not started, as nothing of it was worth a write, is kept all the same. */
    async finish(result: Outcome): Promise<void> {
      const ended = { result, finishedAt: now() };
      await db
        .insert(imports)
        .values({ ...begun, ...ended })
        .onConflictDoUpdate({ target: imports.id, set: ended });
    },
  };
}
