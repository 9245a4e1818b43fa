import { ambientReadsIn } from "./ambient.ts";
import {
  allowedImports,
  areaOf,
  commonFolders,
  folderOf,
  isBelowHttp,
  isPublic,
  isSchema,
  isShared,
  joinsTables,
  mayQuery,
} from "./areas.ts";
import { findCycles } from "./cycles.ts";
import { foreignTablesIn } from "./foreign-tables.ts";
import { eachImport, type Finding, type Rule } from "./rule.ts";
import { parseTree, type SourceTree } from "./source-tree.ts";
import { heavyStarts } from "./start.ts";

export type Breach = Readonly<{ file: string; line: number; message: string }>;

/** Finds every breach of the rules. The files are given as a map from path to text. */
export function breachesIn(texts: ReadonlyMap<string, string>): Breach[] {
  const tree = parseTree(texts);
  const breaches = rules.flatMap(({ name, statement, findBreaches }) =>
    findBreaches(tree).map(({ file, line, found }) => {
      return { file, line, message: `${name}: ${found}. ${statement}` };
    }),
  );
  return breaches.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

const rules: readonly Rule[] = [
  {
    name: "named-file",
    statement: "A relative import names a file with its extension, so that Node finds it.",
    findBreaches: eachImport(({ target = "" }, _, tree) => {
      const isNamed = scriptExtension.test(target) ? tree.has(target) : /^$|\.\w+$/.test(target);
      return isNamed ? undefined : `imports ${target}, which is not a file`;
    }),
  },
  {
    name: "worker-alone",
    statement: "Workers do not import each other's files. They share code in shared/.",
    findBreaches: eachImport(({ target = "" }, { path }) => {
      const own = folderOf(path);
      const other = folderOf(target);
      const isAllowed = !own || !other || own === other || commonFolders.includes(other);
      return isAllowed ? undefined : `functions/${own} imports ${target}`;
    }),
  },
  {
    name: "below-http",
    statement:
      "functions/runtime, functions/background and objects/ folders do not import functions/http.",
    findBreaches: eachImport(({ target = "" }, { path }) =>
      isBelowHttp(path) && folderOf(target) === "http" ? `imports ${target}` : undefined,
    ),
  },
  {
    name: "domain-only",
    statement: "shared/ does not import functions/, Hono or cloudflare:workers.",
    findBreaches: eachImport(({ specifier, target }, { path }) => {
      const isForeign = target === undefined ? httpPackage.test(specifier) : !isShared(target);
      return isShared(path) && isForeign ? `imports ${target ?? specifier}` : undefined;
    }),
  },
  {
    name: "nothing-ambient",
    statement: "shared/ gets time, randomness and settings from the context.",
    findBreaches: (tree) =>
      [...tree.values()].filter(({ path }) => isShared(path)).flatMap(ambientReadsIn),
  },
  {
    name: "public-face",
    statement: "An area is imported by its index.ts; only tables.ts may import another tables.ts.",
    findBreaches: eachImport(({ target = "" }, { path }) => {
      const area = areaOf(target);
      const isAllowed = !area || area === areaOf(path) || isPublic(target);
      return isAllowed || joinsTables(path, target) ? undefined : `imports ${target}`;
    }),
  },
  {
    name: "schema-apart",
    statement: "Only drizzle-kit reads the schema files.",
    findBreaches: eachImport(({ target = "" }) =>
      isSchema(target) ? `imports ${target}` : undefined,
    ),
  },
  {
    name: "areas-in-table",
    statement: "The table in scripts/check/areas.ts lists what each area may import.",
    findBreaches: (tree) =>
      [...firstFiles(tree)]
        .filter(([area]) => !allowedImports.has(area))
        .map(([area, file]) => ({ file, line: 1, found: `${area} is new: add it to the table` })),
  },
  {
    name: "areas-downwards",
    statement: "An area imports only the areas listed for it; foreign keys of tables.ts are free.",
    findBreaches: eachImport(({ target = "" }, { path }) => {
      const own = areaOf(path);
      const other = areaOf(target);
      if (!own || !other || own === other || joinsTables(path, target)) return undefined;
      const isAllowed = allowedImports.get(own)?.includes(other) ?? true;
      return isAllowed ? undefined : `${own} imports ${other}`;
    }),
  },
  {
    name: "no-cycles",
    statement: "No file imports itself through others; type imports count too.",
    findBreaches: (tree) => findCycles(tree).map((cycle) => toCycleFinding(tree, cycle)),
  },
  {
    name: "light-start",
    statement:
      "What a Worker does not need at start is imported on first use: by a section, lazyObjectClass or import().",
    findBreaches: heavyStarts,
  },
  {
    name: "drizzle-below",
    statement: "Only tables.ts, *repo.ts, *query.ts and shared/database import drizzle.",
    findBreaches: eachImport(({ specifier }, { path }) =>
      /^drizzle-orm(\/|$)/.test(specifier) && !mayQuery(path) ? `imports ${specifier}` : undefined,
    ),
  },
  {
    name: "foreign-tables",
    statement:
      "SQL names only the area's own tables, or a comment above says which other one, such as: Reads orders of orders.",
    findBreaches: foreignTablesIn,
  },
];

const scriptExtension = /\.[cm]?[jt]sx?$/;
const httpPackage = /^(hono|@hono|@scalar|cloudflare:\w+)(\/|$)/;

/**
 * Areas by name, each with its first file. A file outside the areas counts as an area of its own.
 */
function firstFiles(tree: SourceTree): Map<string, string> {
  const files = [...tree.keys()].filter(isShared).reverse();
  return new Map(files.map((path) => [areaOf(path) ?? path, path]));
}

function toCycleFinding(tree: SourceTree, cycle: readonly string[]): Finding {
  const [file = "", next] = cycle;
  const line = tree.get(file)?.imports.find(({ target }) => target === next)?.line ?? 1;
  return { file, line, found: `import cycle ${cycle.join(" → ")}` };
}
