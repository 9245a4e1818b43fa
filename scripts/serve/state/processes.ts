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
 * Ends Workers whose server was killed. They have the databases open, and a second workerd would not
 * know of the objects in their memory.
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

/** Whether a process is there and is no zombie, which keeps its entry until its parent notices. */
const isRunning = (pid: string): boolean =>
  /\) [^ZX]/.test(read(`/proc/${pid}/stat`).replace(/^[^)]*(?=\))/s, ""));

/** Empty when the process has ended meanwhile, or is another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
