import { execFileSync } from "node:child_process";

type ListedProcess = Readonly<{ pid: number; parent: number }>;

/** Lists the ids of all child processes of a process, with their children. */
export function descendantsOf(ancestor: number): number[] {
  const all = listProcesses();
  const childrenOf = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap(({ pid }) => [pid, ...childrenOf(pid)]);
  return childrenOf(ancestor);
}

/** Kills the processes that still run and returns their ids. */
export function killRunning(pids: readonly number[]): number[] {
  const alive = new Set(listProcesses().map(({ pid }) => pid));
  const running = pids.filter((pid) => alive.has(pid));
  for (const pid of running) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has exited since it was listed.
    }
  }
  return running;
}

function listProcesses(): ListedProcess[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return lines
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , state = ""]) => pid !== "" && !state.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
