import { areaOf, folderOf } from "./areas.ts";
import type { Finding } from "./rule.ts";
import type { Import, SourceTree } from "./source-tree.ts";

/** All Workers except the front Worker, which imports no other file. */
const workers = ["storefront", "pages", "link", "business", "background"];

/** The areas that every request needs, to identify the caller and to apply rate limits. */
const startAreas = ["kernel", "database", "events", "businesses", "one-time-codes"];
const startPackages = ["hono", "@hono/zod-openapi", "zod", "drizzle-orm", "dinero.js", "typeid-js"];

/** Finds imports that a Worker loads at start although it could load them on first use. */
export function heavyStarts(tree: SourceTree): Finding[] {
  const loadedFiles = new Set(workers.map((name) => `functions/${name}/worker.ts`));
  const findings: Finding[] = [];
  for (const path of loadedFiles) {
    for (const imported of tree.get(path)?.imports ?? []) {
      if (imported.loads !== "with_file") continue;
      const { line, specifier, target } = imported;
      if (isHeavy(imported))
        findings.push({ file: path, line, found: `imports ${target ?? specifier}` });
      else if (target !== undefined) loadedFiles.add(target);
    }
  }
  return findings;
}

function isHeavy({ specifier, target }: Import): boolean {
  if (target === undefined) return !isStartPackage(specifier);
  const area = areaOf(target);
  if (area !== undefined) return !startAreas.includes(area);
  return folderOf(target) !== undefined && /\/(?:routes|views|pages)\//.test(target);
}

const isStartPackage = (specifier: string): boolean =>
  specifier.startsWith("cloudflare:") ||
  startPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
