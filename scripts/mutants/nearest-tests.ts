import { posix } from "node:path";
import { parseSync } from "vite";

type Parsed = Readonly<{
  /** The names that the file uses of other files; "*" for all of them. */
  uses: readonly ExportedName[];
  /** Names that the file only passes on from other files. */
  passedOn: ReadonlyMap<string, ExportedName>;
  /** Files all of whose names it passes on. */
  passedOnWhole: readonly string[];
}>;

type ExportedName = Readonly<{ file: string; name: string }>;

/** The Worker that tests call through `cloudflare:workers` (`main` of test/wrangler.toml). */
const workerUnderTest = "test/support/worker.ts";

/** The files that import each file, directly or through an index.ts. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the imports of all files. `texts` maps each path from the root to the file's text. */
export function findImporters(texts: ReadonlyMap<string, string>): Importers {
  const parsed = new Map([...texts].map(([path, text]) => [path, parseImports(path, text)]));
  const importers = new Map<string, Set<string>>();
  for (const [path, { uses }] of parsed) {
    for (const used of uses) {
      for (const declaring of declaringFiles(used, parsed)) {
        const known = importers.get(declaring) ?? new Set();
        importers.set(declaring, known.add(path));
      }
    }
  }
  return importers;
}

function parseImports(path: string, text: string): Parsed {
  const { module } = parseSync(path, text);
  const resolve = (specifier: string) =>
    specifier === "cloudflare:workers" && path.startsWith("test/")
      ? workerUnderTest
      : posix.join(posix.dirname(path), specifier);
  const uses: ExportedName[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const file = resolve(moduleRequest.value);
    if (entries.length === 0) uses.push({ file, name: "*" });
    for (const { importName, isType } of entries) {
      if (!isType) uses.push({ file, name: importName.name ?? "*" });
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    uses.push({ file: resolve(specifier), name: "*" });
  }
  const passedOn = new Map<string, ExportedName>();
  const passedOnWhole: string[] = [];
  for (const { moduleRequest, importName, exportName, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    if (moduleRequest === null || isType) continue;
    const file = resolve(moduleRequest.value);
    if (exportName.name === null) passedOnWhole.push(file);
    else passedOn.set(exportName.name, { file, name: importName.name ?? "*" });
  }
  return { uses, passedOn, passedOnWhole };
}

/** The files that declare a name, which an index.ts may only pass on. */
function declaringFiles(
  { file, name }: ExportedName,
  parsed: ReadonlyMap<string, Parsed>,
): readonly string[] {
  const found = parsed.get(file);
  if (!found) return [];
  const { passedOn, passedOnWhole } = found;
  const follow = (next: readonly ExportedName[]) =>
    next.flatMap((one) => declaringFiles(one, parsed));
  if (name === "*") {
    const whole = passedOnWhole.map((next) => ({ file: next, name }));
    return [file, ...follow([...passedOn.values(), ...whole])];
  }
  const next = passedOn.get(name);
  if (next) return follow([next]);
  return [file, ...follow(passedOnWhole.map((whole) => ({ file: whole, name })))];
}

/** How many imports lie between the file and each file that loads it. */
function distancesFrom(file: string, importers: Importers): Map<string, number> {
  const distances = new Map([[file, 0]]);
  // The loop also visits the files that it adds.
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** How far from the file its importers still say what it is used for. */
const maxContextDistance = 4;
const scoreOfDirectImport = 6;

/**
 * The test files that load a file, the nearest first. Most tests load every file through the
 * Workers, so the words of the paths decide: those of the file, and of the routes that use it.
 */
export function nearestTests(file: string, importers: Importers): string[] {
  const distances = distancesFrom(file, importers);
  const tests = [...distances.keys()].filter(isTest);
  const filesByWord = Map.groupBy(
    tests.flatMap((path) => [...wordsOf(path)].map((word) => ({ word, path }))),
    ({ word }) => word,
  );
  const rarity = (word: string) =>
    Math.log((tests.length + 1) / (filesByWord.get(word)?.length ?? tests.length + 1));

  const weights = new Map<string, number>();
  const byDistance = Map.groupBy(distances, ([, distance]) => distance);
  for (const [distance, files] of byDistance) {
    if (distance > maxContextDistance) continue;
    const sources = files.map(([path]) => path).filter((path) => !path.startsWith("test/"));
    for (const path of sources) {
      const weight = 1 / ((1 + distance) * sources.length);
      for (const word of wordsOf(path)) weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  const scoreOf = (test: string): number => {
    const words = [...wordsOf(test)].map((word) => (weights.get(word) ?? 0) * rarity(word));
    const directly = distances.get(test) === 1 ? scoreOfDirectImport : 0;
    return words.reduce((sum, score) => sum + score, directly);
  };
  const scored = tests.map((path) => ({ path, score: scoreOf(path) }));
  return scored
    .toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path))
    .map(({ path }) => path);
}

const ignoredWords = new Set(["functions", "shared", "test", "ts", "routes", "repo", "query"]);

/** The words of a path in the singular: shared/orders/refund-order.ts has "order" and "refund". */
function wordsOf(path: string): Set<string> {
  const words = path.split(/[^a-z0-9]+/).map((word) => word.replace(/ies$/, "y").replace(/s$/, ""));
  return new Set(words.filter((word) => word.length > 1 && !ignoredWords.has(word)));
}
