import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../dev/paths.ts";

/** What the built Workers and the console are made of. */
const sources = ["functions", "shared", "sdk/src", "console", "wrangler.toml", "package-lock.json"];

/** Folders that builds and `npm run dev` write. */
const written = new Set(["node_modules", ".wrangler", "dist"]);
const isWritten = (path: string): boolean =>
  path.startsWith("functions/front/site/console") ||
  path.startsWith("functions/front/site/reference/swagger-ui") ||
  path.endsWith(".dev.vars");

/**
 * The digest of all sources of the Workers. Null where there are none, as in the container image,
 * which has the built Workers only.
 */
export function digestSources(): string | null {
  if (!existsSync(join(root, "shared"))) return null;
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const path of listFiles(source)) hash.update(`${path}\0`).update(read(path)).update("\0");
  }
  return hash.digest("hex");
}

const read = (path: string): Buffer => readFileSync(join(root, path));

function listFiles(path: string): string[] {
  if (/\.[a-z]+$/.test(path)) return isWritten(path) ? [] : [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = `${path}/${entry.name}`;
      if (written.has(entry.name) || isWritten(child)) return [];
      return entry.isDirectory() ? listFiles(child) : [child];
    });
}
