import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { slugCandidates } from "../kernel/index.ts";

/**
 * The condition that the column is one of the slug's candidates. The candidates are an explicit
 * list, because with a range or an OR SQLite would scan all slugs of the business.
 */
export const isSlugCandidate = (column: SQLiteColumn, slug: string): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(slugCandidates(slug))}))`;
