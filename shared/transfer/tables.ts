import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { document, flag, instant } from "../database/columns.ts";

export const imports = sqliteTable("imports", {
  id: text("id").primaryKey(),
  businessId: text("business_id").notNull(),
  isDryRun: flag("is_dry_run").notNull(),
  result: document<Record<string, unknown>>("result"),
  startedAt: instant("started_at").notNull(),
  finishedAt: instant("finished_at"),
});
