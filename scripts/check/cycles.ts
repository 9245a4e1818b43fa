import type { SourceTree } from "./source-tree.ts";

/** Import cycles, each a closed path of files; a file stands in at most one of them. */
export function cyclesOf(tree: SourceTree): string[][] {
  const seen = new Set<string>();
  const cycles: string[][] = [];
  for (const path of tree.keys()) {
    const cycle = seen.has(path) ? undefined : shortestWayBack(tree, path);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of cycle) seen.add(member);
  }
  return cycles;
}

function shortestWayBack(tree: SourceTree, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (const path of waiting) {
    for (const { target } of tree.get(path)?.imports ?? []) {
      if (target === start) return [...wayTo(path, cameFrom), start];
      if (target === undefined || cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      waiting.push(target);
    }
  }
  return undefined;
}

function wayTo(path: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(path);
  return before === undefined ? [path] : [...wayTo(before, cameFrom), path];
}
