import { appendFileSync, copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { root, workerConfigs } from "./places.ts";

/**
 * Makes `.dev.vars` where it is missing, adds what the example has gained since, and puts a copy
 * beside every Worker's settings, which is where wrangler looks for it.
 */
export function copyVariables(): NodeJS.Dict<string> {
  const file = join(root, ".dev.vars");
  const example = join(root, ".dev.vars.example");
  if (!existsSync(file)) copyFileSync(example, file);
  addMissing(file, variablesIn(example));
  for (const config of workerConfigs) {
    const copy = join(root, dirname(config), ".dev.vars");
    if (copy !== file) copyFileSync(file, copy);
  }
  return variablesIn(file);
}

const variablesIn = (file: string): NodeJS.Dict<string> => parseEnv(readFileSync(file, "utf8"));

function addMissing(file: string, wanted: NodeJS.Dict<string>): void {
  const known = variablesIn(file);
  const missing = Object.entries(wanted).filter(([name]) => known[name] === undefined);
  if (missing.length === 0) return;
  appendFileSync(file, missing.map(([name, value]) => `\n${name}=${value}`).join(""));
}
