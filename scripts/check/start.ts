import { areaOf, workerOf } from "./areas.ts";
import type { Finding } from "./rule.ts";
import type { Import, SourceTree } from "./source-tree.ts";

/** Every Worker but the front, which imports nothing. */
const workers = ["storefront", "link", "business", "background"];

/** What every request needs, whatever it asks for: who is calling, and within which limits. */
const areas = ["kernel", "database", "events", "businesses", "one-time-codes"];
const packages = ["hono", "@hono/zod-openapi", "zod", "drizzle-orm", "dinero.js", "typeid-js"];

/** What the Workers evaluate when they start although it could come with its first use. */
export function heavyStarts(tree: SourceTree): Finding[] {
  const reached = new Set(workers.map((name) => `functions/${name}/worker.ts`));
  const findings: Finding[] = [];
  for (const path of reached) {
    for (const imported of tree.get(path)?.imports ?? []) {
      if (imported.when !== "at once") continue;
      const { line, specifier, target } = imported;
      if (isHeavy(imported))
        findings.push({ file: path, line, found: `imports ${target ?? specifier}` });
      else if (target !== undefined) reached.add(target);
    }
  }
  return findings;
}

function isHeavy({ specifier, target }: Import): boolean {
  if (target === undefined) return !isAtStart(specifier);
  const area = areaOf(target);
  if (area !== undefined) return !areas.includes(area);
  return workerOf(target) !== undefined && /\/(?:routes|views|pages)\//.test(target);
}

const isAtStart = (specifier: string): boolean =>
  specifier.startsWith("cloudflare:") ||
  packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
