import { execFileSync } from "node:child_process";

type ListedProcess = Readonly<{ pid: number; parent: number; command: string }>;

/**
 * Lists the ids of all child processes of a process, with their children. With a command's name,
 * only those that run it.
 */
export function descendantsOf(ancestor: number, name = ""): number[] {
  const all = listProcesses();
  const childrenOf = (pid: number): ListedProcess[] =>
    all
      .filter(({ parent }) => parent === pid)
      .flatMap((child) => [child, ...childrenOf(child.pid)]);
  return childrenOf(ancestor)
    .filter(({ command }) => command.endsWith(name))
    .map(({ pid }) => pid);
}

/** The processes among these that still run. */
export function findRunning(pids: readonly number[]): number[] {
  const alive = new Set(listProcesses().map(({ pid }) => pid));
  return pids.filter((pid) => alive.has(pid));
}

/** Kills the processes that still run and returns their ids. */
export function killRunning(pids: readonly number[]): number[] {
  const running = findRunning(pids);
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
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,comm="], { encoding: "utf8" });
  return lines
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , state = ""]) => pid !== "" && !state.startsWith("Z"))
    .map(([pid, parent, , command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      command,
    }));
}
