import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MovedOrder, moveStatements } from "../seed/life/move-to-past.ts";
import { root } from "./paths.ts";

/** The part of D1Database that migrations use. */
export type Database = {
  prepare(query: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
};
type Statement = { bind(...values: unknown[]): Statement; all(): Promise<{ results: unknown[] }> };

type Migration = Readonly<{ name: string; statements: readonly string[] }>;

/** Opens the databases of a state folder by their bindings, and closes them afterwards. */
export type UseDatabases = (
  stateDir: string,
  use: (databases: readonly [string, Database][]) => Promise<void>,
) => Promise<void>;

const folders = ["core", "shop"] as const;

const folderOf = (binding: string) => (binding === "CORE" ? "core" : "shop");

/**
 * Applies new migrations to the local databases and records them in `d1_migrations`, like `wrangler
 * d1 migrations apply`. Does not open the databases when migrations.json lists all current files.
 */
export async function applyMigrations(
  stateDir: string,
  useThem: UseDatabases = useDatabases,
): Promise<void> {
  const current = JSON.stringify(listMigrationFiles());
  const applied = appliedFile(stateDir);
  if (existsSync(join(stateDir, "v3/d1")) && existsSync(applied)) {
    if (readFileSync(applied, "utf8") === current) return;
  }
  await useThem(stateDir, async (databases) => {
    await Promise.all(
      databases.map(([name, database]) => migrateWithRetry(database, folderOf(name))),
    );
  });
  writeFileSync(applied, current);
}

/** Opens the local databases, also beside the Workers, and closes them afterwards. */
const useDatabases: UseDatabases = async (stateDir, use) => {
  process.env.WRANGLER_LOG ??= "error";
  process.env.WRANGLER_REGISTRY_PATH ??= join(stateDir, "registry");
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Record<string, unknown>>({
    configPath: join(root, "functions/background/wrangler.toml"),
    persist: { path: join(stateDir, "v3") },
    envFiles: [],
  });
  try {
    await use(Object.entries(env).filter(isDatabase));
  } finally {
    await dispose();
  }
};

/** Makes orders of the demo shops older, each in the shard that has it. */
export const moveToPast = (stateDir: string, orders: readonly MovedOrder[]): Promise<void> =>
  useDatabases(stateDir, async (databases) => {
    const shards = databases.filter(([name]) => folderOf(name) === "shop");
    const list = JSON.stringify(orders);
    await Promise.all(
      shards.map(([, shard]) =>
        shard.batch(moveStatements.map((statement) => shard.prepare(statement).bind(list))),
      ),
    );
  });

/**
 * Whether a migration that created the local databases was deleted or edited. Then their tables
 * differ from those that the code expects, and no new migration corrects them.
 */
export function isCreatedByOtherMigrations(stateDir: string): boolean {
  const file = appliedFile(stateDir);
  if (!existsSync(file)) return false;
  const applied: unknown = JSON.parse(readFileSync(file, "utf8"));
  const current: readonly unknown[] = listMigrationFiles();
  return !Array.isArray(applied) || applied.some((entry) => !current.includes(entry));
}

const appliedFile = (stateDir: string): string => join(stateDir, "migrations.json");

/** Path and digest of every migration: `shop/0000_baseline.sql 8f14e45f…`. */
const listMigrationFiles = (): string[] =>
  folders.flatMap((folder) =>
    namesIn(folder).map((name) => `${folder}/${name} ${digestOf(readMigration(folder, name))}`),
  );

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Repeats a migration once when its connection fails: workerd closes connections that a busy machine
 * leaves idle for 5 s. The batch has the names of its migrations, so none is applied twice.
 */
async function migrateWithRetry(database: Database, folder: string): Promise<void> {
  try {
    await migrate(database, folder);
  } catch (error) {
    // fetch throws a TypeError when there was no response.
    if (!(error instanceof TypeError)) throw error;
    await migrate(database, folder);
  }
}

async function migrate(database: Database, folder: string): Promise<void> {
  await database.prepare(createMigrationsTable).all();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(nameOf));
  const migrations = namesIn(folder).map((name) => parseMigration(folder, name));
  assertKnown(applied, migrations);
  const missing = migrations.filter(({ name }) => !applied.has(name));
  // One batch, because each takes about 50 ms however little it does.
  const batch = missing.flatMap(({ name, statements }) => [
    ...statements.map((text) => database.prepare(text)),
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
  ]);
  if (batch.length > 0) await database.batch(batch);
}

function assertKnown(applied: ReadonlySet<unknown>, migrations: readonly Migration[]): void {
  const names = new Set<unknown>(migrations.map(({ name }) => name));
  const unknown = [...applied].find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw new Error(
    `The local databases have a migration that is not in migrations/: ${unknown}. Use the version that applied it. npm run dev -- --reset starts with empty databases.`,
  );
}

const createMigrationsTable = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const parseMigration = (folder: string, name: string): Migration => ({
  name,
  statements: readMigration(folder, name)
    .split("--> statement-breakpoint")
    .map((text) => text.trim())
    .filter((text) => text !== ""),
});

const readMigration = (folder: string, name: string): string =>
  readFileSync(join(root, "migrations", folder, name), "utf8");

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
