import type { SourceTree } from "./source-tree.ts";

/** Finds import cycles, each as a closed path of files. A file appears in at most one cycle. */
export function findCycles(tree: SourceTree): string[][] {
  const seen = new Set<string>();
  const cycles: string[][] = [];
  for (const path of tree.keys()) {
    const cycle = seen.has(path) ? undefined : shortestCycle(tree, path);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of cycle) seen.add(member);
  }
  return cycles;
}

function shortestCycle(tree: SourceTree, start: string): string[] | undefined {
  const importerOf = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const { target } of tree.get(path)?.imports ?? []) {
      if (target === start) return [...pathTo(path, importerOf), start];
      if (target === undefined || importerOf.has(target)) continue;
      importerOf.set(target, path);
      queue.push(target);
    }
  }
  return undefined;
}

function pathTo(path: string, importerOf: ReadonlyMap<string, string>): string[] {
  const importer = importerOf.get(path);
  return importer === undefined ? [path] : [...pathTo(importer, importerOf), path];
}
