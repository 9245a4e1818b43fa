import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { breachesIn } from "./rules.ts";

const root = join(import.meta.dirname, "../..");

function typeScriptFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return typeScriptFiles(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

const files = ["functions", "shared", "sdk/src"].flatMap((folder) =>
  typeScriptFiles(join(root, folder)),
);
const texts = new Map(
  files.map((file) => [relative(root, file).replaceAll(sep, "/"), readFileSync(file, "utf8")]),
);
const breaches = breachesIn(texts);

for (const { file, line, message } of breaches) console.log(`${file}:${line} ${message}`);
console.log(`import rules: ${texts.size} files, breaches: ${breaches.length}`);
process.exitCode = breaches.length > 0 ? 1 : 0;
