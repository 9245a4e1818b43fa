import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.ts";

/** The part of D1 that migrations need. */
type Database = {
  prepare(query: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
};
type Statement = { bind(...values: unknown[]): Statement; all(): Promise<{ results: unknown[] }> };

type Migration = Readonly<{ name: string; statements: readonly string[] }>;

const folderOf = (binding: string) => (binding === "CORE" ? "core" : "shop");

/**
 * Brings the local databases up to date. Applied ones are written into `d1_migrations`, as
 * `wrangler d1 migrations apply` does; a stamp in the state saves later starts the look.
 */
export async function applyMigrations(stateDir: string): Promise<void> {
  const stamp = join(stateDir, "migrations.json");
  const wanted = JSON.stringify({ core: namesIn("core"), shop: namesIn("shop") });
  if (existsSync(join(stateDir, "v3/d1")) && existsSync(stamp)) {
    if (readFileSync(stamp, "utf8") === wanted) return;
  }
  process.env.WRANGLER_LOG ??= "error";
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Record<string, unknown>>({
    configPath: join(root, "functions/background/wrangler.toml"),
    persist: { path: join(stateDir, "v3") },
    envFiles: [],
  });
  try {
    const databases = Object.entries(env).filter(isDatabase);
    await Promise.all(databases.map(([name, database]) => migrate(database, folderOf(name))));
  } finally {
    await dispose();
  }
  writeFileSync(stamp, wanted);
}

async function migrate(database: Database, folder: string): Promise<void> {
  await database.prepare(table).all();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(nameOf));
  for (const { name, statements } of migrationsIn(folder)) {
    if (applied.has(name)) continue;
    const record = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await database.batch([...statements.map((text) => database.prepare(text)), record]);
  }
}

const table = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const migrationsIn = (folder: string): Migration[] =>
  namesIn(folder).map((name) => ({
    name,
    statements: readFileSync(join(root, "migrations", folder, name), "utf8")
      .split("--> statement-breakpoint")
      .map((text) => text.trim())
      .filter((text) => text !== ""),
  }));

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, "migrations", folder))
    .filter((name) => name.endsWith(".sql"))
    .sort();

const nameOf = (row: unknown): unknown =>
  typeof row === "object" && row !== null && "name" in row ? row.name : undefined;

function isDatabase(entry: [string, unknown]): entry is [string, Database] {
  const [, binding] = entry;
  return typeof binding === "object" && binding !== null && "prepare" in binding;
}
