import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { tablesApart } from "./snapshots.ts";

const root = join(import.meta.dirname, "../..");
const databases = ["core", "shop"] as const;

/** What drizzle-kit would still generate for a database, told in lines; empty when nothing. */
function driftOf(database: string, workplace: string): string[] {
  const migrations = join(root, "migrations", database);
  const copy = join(workplace, database);
  if (existsSync(migrations)) cpSync(migrations, copy, { recursive: true });
  const before = snapshotsIn(copy);

  const { status, output } = generate(database, copy);
  const added = snapshotsIn(copy).at(before.length);
  if (added !== undefined)
    return [lag(database, snapshot(copy, before.at(-1)), snapshot(copy, added))];
  if (status === 0 && output.includes("No schema changes")) return [];
  if (!output.includes("Interactive prompts")) return [`${database}: ${output}`];

  // It would ask what was renamed; started from nothing it asks nothing.
  const anew = join(workplace, `${database}-anew`);
  generate(database, anew);
  return [lag(database, snapshot(copy, before.at(-1)), snapshot(anew, snapshotsIn(anew).at(0)))];
}

function lag(database: string, before: unknown, after: unknown): string {
  const regenerate = `drizzle-kit generate --config drizzle.${database}.config.ts --name <subject>`;
  return `${database}: migrations lag behind ${tablesApart(before, after).join(", ")}; ${regenerate}`;
}

function generate(database: string, out: string): { status: number | null; output: string } {
  const settings = join(out, "..", `${database}.config.ts`);
  writeFileSync(settings, configWith(database, relative(root, out)));
  const tool = join(root, "node_modules/.bin/drizzle-kit");
  const { status, stdout, stderr } = spawnSync(tool, ["generate", "--config", settings], {
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

const snapshotsIn = (migrations: string) =>
  existsSync(join(migrations, "meta"))
    ? readdirSync(join(migrations, "meta"))
        .filter((name) => name.endsWith("_snapshot.json"))
        .sort()
    : [];

const snapshot = (migrations: string, name: string | undefined): unknown =>
  name === undefined ? {} : JSON.parse(readFileSync(join(migrations, "meta", name), "utf8"));

const workplace = mkdtempSync(join(tmpdir(), "duka-drift-"));
try {
  const lines = databases.flatMap((database) => driftOf(database, workplace));
  for (const line of lines) console.log(line);
  process.exitCode = lines.length > 0 ? 1 : 0;
} finally {
  rmSync(workplace, { recursive: true });
}
