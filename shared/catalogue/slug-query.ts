import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { slugCandidates } from "./slug.ts";

/**
 * The column is one of the slug's candidates. They are looked up one by one: with a range or an OR
 * the planner would scan all slugs of the business.
 */
export const isSlugCandidate = (column: SQLiteColumn, slug: string): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(slugCandidates(slug))}))`;
