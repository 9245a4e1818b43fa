import { ambientIn } from "./ambient.ts";
import {
  areaOf,
  isSchema,
  isShared,
  joinsTables,
  knownBy,
  mayQuery,
  workerOf,
  workerParts,
} from "./areas.ts";
import { cyclesOf } from "./cycles.ts";
import { eachImport, type Finding, type Rule } from "./rule.ts";
import { parseTree, type SourceTree } from "./source-tree.ts";
import { heavyStarts } from "./start.ts";

export type Breach = Readonly<{ file: string; line: number; message: string }>;

/** Every breach of the rules in a tree given as path from the root to text. */
export function breachesIn(texts: ReadonlyMap<string, string>): Breach[] {
  const tree = parseTree(texts);
  const breaches = rules.flatMap(({ name, says, check }) =>
    check(tree).map(({ file, line, found }) => {
      return { file, line, message: `${name}: ${found}. ${says}` };
    }),
  );
  return breaches.sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
}

const rules: readonly Rule[] = [
  {
    name: "named-file",
    says: "A relative import names its file with the extension, so that Node finds it.",
    check: eachImport(({ target = "" }, _, tree) => {
      const isNamed = script.test(target) ? tree.has(target) : /^$|\.\w+$/.test(target);
      return isNamed ? undefined : `imports ${target}, which is no file`;
    }),
  },
  {
    name: "worker-alone",
    says: "A Worker never imports another's files: they meet in shared/, a binding or a queue.",
    check: eachImport(({ target = "" }, { path }) => {
      const own = workerOf(path);
      const other = workerOf(target);
      const isApart = !own || !other || own === other || workerParts.includes(other);
      return isApart ? undefined : `functions/${own} imports ${target}`;
    }),
  },
  {
    name: "domain-only",
    says: "The domain knows nothing of functions/, of Hono or of cloudflare:workers.",
    check: eachImport(({ specifier, target }, { path }) => {
      const isForeign = target === undefined ? surface.test(specifier) : !isShared(target);
      return isShared(path) && isForeign ? `imports ${target ?? specifier}` : undefined;
    }),
  },
  {
    name: "nothing-ambient",
    says: "Time, randomness and settings come into the domain through the context.",
    check: (tree) => [...tree.values()].filter(({ path }) => isShared(path)).flatMap(ambientIn),
  },
  {
    name: "public-face",
    says: "An area is imported by its index.ts; only tables.ts may import another tables.ts.",
    check: eachImport(({ target = "" }, { path }) => {
      const area = areaOf(target);
      const isOpen = !area || area === areaOf(path) || target === `shared/${area}/index.ts`;
      return isOpen || joinsTables(path, target) ? undefined : `imports ${target}`;
    }),
  },
  {
    name: "schema-apart",
    says: "The schema files are drizzle-kit's alone.",
    check: eachImport(({ target = "" }) => (isSchema(target) ? `imports ${target}` : undefined)),
  },
  {
    name: "areas-in-table",
    says: "The table in scripts/check/areas.ts says what an area may know.",
    check: (tree) =>
      [...firstFiles(tree)]
        .filter(([area]) => !knownBy.has(area))
        .map(([area, file]) => ({ file, line: 1, found: `${area} is new: add it to the table` })),
  },
  {
    name: "areas-downwards",
    says: "An area imports only what the table allows it; foreign keys of tables.ts are free.",
    check: eachImport(({ target = "" }, { path }) => {
      const own = areaOf(path);
      const other = areaOf(target);
      if (!own || !other || own === other || joinsTables(path, target)) return undefined;
      const isKnown = knownBy.get(own)?.includes(other) ?? true;
      return isKnown ? undefined : `${own} imports ${other}`;
    }),
  },
  {
    name: "no-cycles",
    says: "No file imports itself through others; types count too.",
    check: (tree) => cyclesOf(tree).map((cycle) => cycleFinding(tree, cycle)),
  },
  {
    name: "light-start",
    says: "What a Worker of requests can do without is imported on first use: by a section, a lazyObject or await import().",
    check: heavyStarts,
  },
  {
    name: "drizzle-below",
    says: "Only tables.ts, repo.ts, *-repo.ts and shared/database know drizzle.",
    check: eachImport(({ specifier }, { path }) =>
      /^drizzle-orm(\/|$)/.test(specifier) && !mayQuery(path) ? `imports ${specifier}` : undefined,
    ),
  },
];

const script = /\.[cm]?[jt]sx?$/;
const surface = /^(hono|@hono|@scalar|cloudflare:\w+)(\/|$)/;

/** Areas by name, each with its first file; a file beside the areas counts as an area. */
function firstFiles(tree: SourceTree): Map<string, string> {
  const files = [...tree.keys()].filter(isShared).reverse();
  return new Map(files.map((path) => [areaOf(path) ?? path, path]));
}

function cycleFinding(tree: SourceTree, cycle: readonly string[]): Finding {
  const [file = "", next] = cycle;
  const line = tree.get(file)?.imports.find(({ target }) => target === next)?.line ?? 1;
  return { file, line, found: `import cycle ${cycle.join(" → ")}` };
}
