import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { buildWorkers } from "./deploy/bundles.ts";
import {
  databaseConfig,
  findAssetsHostProblem,
  findUnconfiguredDatabases,
  listDatabases,
  setupInstructions,
} from "./deploy/setup.ts";
import { findSettingProblems, readWorkerSettings } from "./deploy/shared-settings.ts";
import { deployOrder } from "./deploy/workers.ts";
import { copyApiReference } from "./dev/api-reference.ts";
import { buildConsole } from "./dev/console.ts";
import { root, wranglerBin } from "./dev/paths.ts";

const { values: options } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    "assets-on-api-host": { type: "boolean", default: false },
  },
});

copyApiReference();
await buildConsole();
process.exitCode = options["dry-run"] ? await buildWorkers() : deploy();

/**
 * Migrates the databases before it deploys. The new code may need new columns, and the old code
 * ignores them.
 */
function deploy(): number {
  const unconfigured = findUnconfiguredDatabases();
  if (unconfigured.length > 0) {
    console.error(`Not created yet: ${unconfigured.join(", ")}.\n\n${setupInstructions}`);
    return 1;
  }
  const problems = findSettingProblems(readWorkerSettings());
  if (problems.length > 0) {
    console.error(`Nothing was deployed. Settings are missing:\n\n${problems.join("\n")}`);
    return 1;
  }
  const assetsHostProblem = options["assets-on-api-host"] ? null : findAssetsHostProblem();
  if (assetsHostProblem !== null) {
    console.error(assetsHostProblem);
    return 1;
  }
  for (const name of listDatabases()) {
    if (!runWrangler(["d1", "migrations", "apply", name, "--remote", "-c", databaseConfig]))
      return 1;
  }
  for (const { name, config } of deployOrder) {
    console.log(`\n${name}`);
    if (!runWrangler(["deploy", "-c", config])) return 1;
  }
  return 0;
}

/** Runs wrangler and shows its output in this terminal. Returns whether wrangler succeeded. */
function runWrangler(args: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [wranglerBin, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  return status === 0;
}
