import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { CloudflareApi } from "./api.ts";

// The table of `wrangler d1 migrations apply`, which can therefore be used on the same databases.
const createTable = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const Applied = z.array(z.object({ results: z.array(z.object({ name: z.string() })) })).min(1);
const Results = z.array(z.object({ success: z.literal(true) }));

/** The migrations of a folder in the order in which they are applied. */
export const migrationNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** The names of the migrations that a database has. */
export async function listAppliedMigrations(
  api: CloudflareApi,
  database: string,
): Promise<ReadonlySet<string>> {
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'";
  const [existing] = await query(api, database, tables, Applied);
  if (existing?.results.length === 0) return new Set();
  const [applied] = await query(api, database, "SELECT name FROM d1_migrations", Applied);
  return new Set(applied?.results.map(({ name }) => name));
}

/**
 * Applies the migrations that a database lacks. Each is one transaction with the row that records
 * it, so one whose response is lost is not applied again.
 */
export async function applyMigrations(
  api: CloudflareApi,
  database: string,
  folder: string,
): Promise<void> {
  await query(api, database, createTable, Results);
  const applied = await listAppliedMigrations(api, database);
  for (const name of migrationNames(folder)) {
    if (applied.has(name)) continue;
    const text = readFileSync(join(folder, name), "utf8").trimEnd();
    const statements = text.endsWith(";") ? text : `${text};`;
    const record = `INSERT INTO d1_migrations (name) VALUES ('${name}');`;
    await query(api, database, `${statements}\n${record}`, Results);
  }
}

const query = <T>(api: CloudflareApi, database: string, sql: string, result: z.ZodType<T>) =>
  api.post(`${database}/query`, { sql }, result);
