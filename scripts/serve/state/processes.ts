import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** The processes of the Workers have it in their environment, so that they can be found later. */
export const stateVariable = "DUKA_STATE_DIR";

const exitPollMs = 10;
const exitTimeoutMs = 10_000;

/** The ids of the processes that run the Workers of a state folder. */
export function findWorkerProcesses(stateDir: string): number[] {
  const entry = `${stateVariable}=${stateDir}`;
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && isRunning(pid))
      .filter((pid) => read(`/proc/${pid}/environ`).split("\0").includes(entry))
      .map(Number);
  }
  const lines = execFileSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], {
    encoding: "utf8",
  });
  return lines
    .split("\n")
    .filter((line) => line.includes("workerd") && `${line} `.includes(` ${entry} `))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Kills all Workers of a state folder, whose lock the caller has. They have the databases open, and a
 * second workerd would not know of the objects in their memory. Returns how many there were.
 */
export async function endLeftoverWorkers(stateDir: string): Promise<number> {
  const leftover = findWorkerProcesses(stateDir);
  for (const pid of leftover) sendSignal(pid, "SIGKILL");
  const deadline = performance.now() + exitTimeoutMs;
  while (findWorkerProcesses(stateDir).length > 0) {
    if (performance.now() > deadline)
      throw new Error(`Workers of an earlier start do not end: ${leftover.join(", ")}.`);
    await pause(exitPollMs);
  }
  return leftover.length;
}

/** Sends a signal. Returns false when the process has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether every thread of a process is stopped, or the process has ended. */
export function isStopped(pid: number): boolean {
  if (process.platform !== "linux") {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return state.startsWith("T");
  }
  if (!isRunning(String(pid))) return true;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => stateOf(`/proc/${pid}/task/${thread}`) === "T");
}

/** Whether a process is there and is no zombie, which keeps its entry until its parent notices. */
const isRunning = (pid: string): boolean => /[^ZX]/.test(stateOf(`/proc/${pid}`));

/** The letter of a state. It follows the last bracket, because a name may contain brackets. */
function stateOf(folder: string): string {
  const stat = read(`${folder}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).slice(0, 1);
}

/** Empty when the process has ended meanwhile, or is another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
