import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ProjectFiles } from "./references.ts";

const root = join(import.meta.dirname, "../..");
const ignoredFolders = new Set(["node_modules", "dist"]);
const textFile = /\.(?:tsx?|md|toml|sql|json|html|css|js)$/;

/** Reads all files of the project, by path from the root. The text of a binary file is null. */
export function readProjectFiles(folder = root): ProjectFiles {
  return new Map(
    listFiles(folder).map((file) => [
      relative(root, file).replaceAll(sep, "/"),
      textFile.test(file) ? readFileSync(file, "utf8") : null,
    ]),
  );
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return isIgnored(entry.name) ? [] : listFiles(path);
  });
}

/**
 * Whether a path is ignored. Hidden folders hold local state, except those that the repository's
 * host reads.
 */
const isIgnored = (name: string): boolean =>
  ignoredFolders.has(name) || (name.startsWith(".") && name !== ".github" && name !== ".ci");
