import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deleteSupersededSnapshots } from "./check/snapshots.ts";

// Generates the next migration of a database: `npm run migrations:shop -- coupon_usage`.
// --custom creates an empty file for triggers and views, which drizzle-kit does not generate.

const root = join(import.meta.dirname, "..");
const { values: options, positionals } = parseArgs({
  options: { custom: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [database, name] = positionals;

if (database === undefined || name === undefined) {
  console.error("Name the migration for what it does: npm run migrations:shop -- coupon_usage");
  process.exit(1);
}

const { status } = spawnSync(
  join(root, "node_modules/.bin/drizzle-kit"),
  [
    "generate",
    ...["--config", `drizzle.${database}.config.ts`, "--name", name],
    ...(options.custom ? ["--custom"] : []),
  ],
  { cwd: root, stdio: "inherit" },
);
if (status === 0) deleteSupersededSnapshots(join(root, "migrations", database));
process.exitCode = status ?? 1;
