import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { changedTables, listSnapshots, readSnapshot, snapshotErrors } from "./snapshots.ts";

const root = join(import.meta.dirname, "../..");
const databases = ["core", "shop"] as const;

/** Describes how the migrations of a database differ from its tables. Empty when they agree. */
function findDrift(database: string, workFolder: string): string[] {
  const migrations = join(root, "migrations", database);
  const errors = snapshotErrors(migrations);
  if (errors.length > 0) return errors.map((error) => `${database}: ${error}`);
  const [current = ""] = listSnapshots(migrations);
  const before = readSnapshot(migrations, current);

  const copy = join(workFolder, database);
  cpSync(migrations, copy, { recursive: true });
  const { status, output } = generate(database, copy);
  const added = listSnapshots(copy).find((name) => name !== current);
  if (added !== undefined) return [driftMessage(database, before, readSnapshot(copy, added))];
  if (status === 0 && output.includes("No schema changes")) return [];
  if (!output.includes("Interactive prompts")) return [`${database}: ${output}`];

  // drizzle-kit asked whether a column was renamed. In an empty folder it cannot ask, because there
  // is no earlier schema.
  const empty = join(workFolder, `${database}-empty`);
  generate(database, empty);
  const [first = ""] = listSnapshots(empty);
  return [driftMessage(database, before, readSnapshot(empty, first))];
}

function driftMessage(database: string, before: unknown, after: unknown): string {
  const tables = changedTables(before, after).join(", ");
  return `${database}: the migrations lack changes of ${tables}; npm run migrations:${database} -- <subject>`;
}

function generate(database: string, out: string): { status: number | null; output: string } {
  const config = join(out, "..", `${database}.config.ts`);
  writeFileSync(config, configWith(database, relative(root, out)));
  const drizzleKit = join(root, "node_modules/.bin/drizzle-kit");
  const { status, stdout, stderr } = spawnSync(drizzleKit, ["generate", "--config", config], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, output: `${stdout}${stderr}`.trim() };
}

const configWith = (database: string, out: string) => `
import config from ${JSON.stringify(join(root, `drizzle.${database}.config.ts`))};
export default { ...config, out: ${JSON.stringify(out)} };
`;

const workFolder = mkdtempSync(join(tmpdir(), "duka-drift-"));
try {
  const lines = databases.flatMap((database) => findDrift(database, workFolder));
  for (const line of lines) console.log(line);
  process.exitCode = lines.length > 0 ? 1 : 0;
} finally {
  rmSync(workFolder, { recursive: true });
}
