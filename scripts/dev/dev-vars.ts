import { appendFileSync, copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { root, workerConfigs } from "./paths.ts";

/**
 * Creates `.dev.vars` from the example, adds missing variables, and copies the file next to every
 * wrangler.toml, where wrangler reads it. Returns the variables.
 */
export function writeDevVars(): NodeJS.Dict<string> {
  const file = join(root, ".dev.vars");
  const example = join(root, ".dev.vars.example");
  if (!existsSync(file)) copyFileSync(example, file);
  appendMissing(file, readVariables(example));
  for (const config of workerConfigs) {
    const copy = join(root, dirname(config), ".dev.vars");
    if (copy !== file) copyFileSync(file, copy);
  }
  return readVariables(file);
}

/** Adds what this start alone knows to the variables of the background Worker, which sends messages. */
export function addBackgroundVars(variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => `\n${name}=${value}`);
  appendFileSync(join(root, "functions/background/.dev.vars"), lines.join(""));
}

const readVariables = (file: string): NodeJS.Dict<string> => parseEnv(readFileSync(file, "utf8"));

function appendMissing(file: string, defaults: NodeJS.Dict<string>): void {
  const present = readVariables(file);
  const missing = Object.entries(defaults).filter(([name]) => present[name] === undefined);
  if (missing.length === 0) return;
  appendFileSync(file, missing.map(([name, value]) => `\n${name}=${value}`).join(""));
}
