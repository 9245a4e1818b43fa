import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { root, workerConfigs } from "./places.ts";

/**
 * Makes `.dev.vars` where it is missing and puts a copy beside every Worker's settings, which is
 * where wrangler looks for it.
 */
export function copyVariables(): NodeJS.Dict<string> {
  const file = join(root, ".dev.vars");
  if (!existsSync(file)) copyFileSync(join(root, ".dev.vars.example"), file);
  for (const config of workerConfigs) {
    const copy = join(root, dirname(config), ".dev.vars");
    if (copy !== file) copyFileSync(file, copy);
  }
  return parseEnv(readFileSync(file, "utf8"));
}
