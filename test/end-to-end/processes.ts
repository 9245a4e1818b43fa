import { execFileSync } from "node:child_process";

type Listed = Readonly<{ pid: number; parent: number }>;

/** The ids of all processes that a process has started, and those have started in turn. */
export function descendantsOf(ancestor: number): number[] {
  const all = running();
  const childrenOf = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap(({ pid }) => [pid, ...childrenOf(pid)]);
  return childrenOf(ancestor);
}

/** Ends those that still run, and says which they were. */
export function kill(pids: readonly number[]): number[] {
  const alive = new Set(running().map(({ pid }) => pid));
  const left = pids.filter((pid) => alive.has(pid));
  for (const pid of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended since it was listed.
    }
  }
  return left;
}

function running(): Listed[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return lines
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , state = ""]) => pid !== "" && !state.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
